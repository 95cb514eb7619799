import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.LocateRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** The attacker's servers: each name is an entry whose factory is that name. */
public final class Directory {
    static final AtomicInteger SEARCHES = new AtomicInteger();

    /** An element of BER: its tag, its length and its content. */
    private static byte[] element(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (byte[] part : parts) content.writeBytes(part);
        var out = new ByteArrayOutputStream();
        out.write(tag);
        out.write(0x82);
        out.write(content.size() >> 8);
        out.write(content.size());
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }

    private static byte[] text(String value) {
        return element(4, value.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] attribute(String name, String value) {
        return element(0x30, text(name), element(0x31, text(value)));
    }

    private static byte[] result(int tag) {
        return element(tag, element(10, new byte[] {0}), text(""), text(""));
    }

    private static byte[] read(InputStream in) throws java.io.IOException {
        if (in.read() < 0) return null;
        int length = in.read();
        if (length > 0x7f) {
            byte[] size = in.readNBytes(length & 0x7f);
            length = new java.math.BigInteger(1, size).intValue();
        }
        return in.readNBytes(length);
    }

    private static void serve(Socket socket) throws java.io.IOException {
        var in = socket.getInputStream();
        for (byte[] message = read(in); message != null; message = read(in)) {
            // Requests here have ids below 128: 02 01 id, then the operation.
            byte[] id = {2, 1, message[2]};
            var out = socket.getOutputStream();
            if (message[3] == 0x60) out.write(element(0x30, id, result(0x61)));
            if (message[3] != 0x63) continue;
            SEARCHES.incrementAndGet();
            String request = new String(message, StandardCharsets.ISO_8859_1);
            String factory = request.contains("cn=own") ? "com.example.jndi.PoolFactory" : "evil.Gadget";
            out.write(element(0x30, id, element(0x64, text("cn=x"), element(0x30,
                attribute("objectClass", "javaNamingReference"), attribute("javaClassName", "java.lang.String"),
                attribute("javaFactory", factory)))));
            out.write(element(0x30, id, result(0x65)));
        }
    }

    static int ldap() throws java.io.IOException {
        var server = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(() -> {
            while (true) {
                try {
                    var socket = server.accept();
                    Thread.ofPlatform().daemon().start(() -> {
                        try (socket) {
                            serve(socket);
                        } catch (java.io.IOException closed) {
                            // The client has gone.
                        }
                    });
                } catch (java.io.IOException closed) {
                    return;
                }
            }
        });
        return server.getLocalPort();
    }

    /** Runs in a process of its own, because the application may not export the class of the JDK that it needs. */
    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        var registry = LocateRegistry.createRegistry(port);
        for (String factory : new String[] {"com.example.jndi.PoolFactory", "evil.Gadget"}) {
            var reference = new javax.naming.Reference("java.lang.String", factory, null);
            registry.bind(factory, new com.sun.jndi.rmi.registry.ReferenceWrapper(reference));
        }
        System.out.println(port);
        Thread.sleep(60_000);
    }
}
