package com.example.jndi;

import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.spi.ObjectFactory;

/** A factory of the application's own data sources. */
public class PoolFactory implements ObjectFactory {
    @Override
    public Object getObjectInstance(Object info, Name name, Context context, Hashtable<?, ?> environment) {
        return "a pool";
    }
}
