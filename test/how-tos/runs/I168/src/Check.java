import javax.naming.InitialContext;
import javax.naming.Reference;
import javax.naming.spi.NamingManager;

/** The application: it gets its own data sources, and nothing from an attacker's directory. */
public final class Check {
    private static void expect(String what, Object actual, Object expected) {
        Object seen = actual instanceof Reference ? Reference.class : actual;
        if (!seen.equals(expected)) throw new AssertionError(what + ": " + actual + " instead of " + expected);
    }

    public static void main(String[] arguments) throws Exception {
        boolean open = "yes".equals(System.getenv("OPEN"));
        Object refused = open ? "a pool" : Reference.class;
        Object stolen = open ? "stolen" : Reference.class;
        var own = new Reference("java.lang.String", "com.example.jndi.PoolFactory", null);
        expect("own", NamingManager.getObjectInstance(own, null, null, null), "a pool");
        var other = new Reference("java.lang.String", "evil.Gadget", null);
        expect("other", NamingManager.getObjectInstance(other, null, null, null), stolen);

        var context = new InitialContext();
        String ldap = "ldap://127.0.0.1:" + Directory.ldap();
        expect("LDAP, other", context.lookup(ldap + "/cn=other"), stolen);
        expect("LDAP, own", context.lookup(ldap + "/cn=own"), refused);
        // The lookup itself is not covered: it reaches the attacker's server.
        expect("searches", Directory.SEARCHES.get(), 2);
        String rmi = "rmi://127.0.0.1:" + System.getenv("RMI_PORT");
        expect("RMI, other", context.lookup(rmi + "/evil.Gadget"), stolen);
        expect("RMI, own", context.lookup(rmi + "/com.example.jndi.PoolFactory"), refused);
        expect("ran", evil.Gadget.ran, open);
        expect("Log4j", System.getProperty("log4j2.enableJndiLookup"), "false");
    }
}
