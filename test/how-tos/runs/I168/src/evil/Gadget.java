package evil;

import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.spi.ObjectFactory;

/** Any factory on the class path that does something for an attacker. */
public class Gadget implements ObjectFactory {
    public static boolean ran;

    @Override
    public Object getObjectInstance(Object info, Name name, Context context, Hashtable<?, ?> environment) {
        ran = true;
        return "stolen";
    }
}
