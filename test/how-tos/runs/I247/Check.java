import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;

final class Check {
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));
  private static final Path ARCHIVE = Path.of("archive.zip");

  private interface Content {
    void write(ZipArchiveOutputStream zip) throws IOException;
  }

  private static void archive(Content content) throws IOException {
    try (var zip = new ZipArchiveOutputStream(ARCHIVE)) {
      content.write(zip);
    }
  }

  private static void add(ZipArchiveOutputStream zip, String name, byte[]... parts) throws IOException {
    zip.putArchiveEntry(new ZipArchiveEntry(name));
    for (var part : parts) zip.write(part);
    zip.closeArchiveEntry();
  }

  private static byte[] compressible(int size) {
    // About a tenth: one random byte, and nine that repeat.
    var bytes = new byte[size];
    var random = new Random(1);
    for (int n = 0; n < size; n += 10) bytes[n] = (byte) random.nextInt();
    return bytes;
  }

  private static void refused(String what) throws IOException {
    try {
      Unpacker.unpack(ARCHIVE);
      throw new AssertionError(what + " was unpacked.");
    } catch (IOException | RuntimeException expected) {
    }
    try (var left = Files.list(TEMPORARY)) {
      assert left.findAny().isEmpty() : what + " left files.";
    }
    assert Files.notExists(Path.of("escaped.txt")) && Files.notExists(TEMPORARY.resolve("escaped.txt")) : what;
  }

  private static void delete(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (var path : all.sorted(java.util.Comparator.reverseOrder()).toList()) Files.delete(path);
    }
  }

  private static void entries(int count) throws IOException {
    archive(zip -> {
      for (int n = 0; n < count; n++) add(zip, n + ".txt", "text".getBytes());
    });
  }

  /** Writes what the local and the central header say about the size of the first entry. */
  private static void claimSize(int size) throws IOException {
    var bytes = ByteBuffer.wrap(Files.readAllBytes(ARCHIVE)).order(ByteOrder.LITTLE_ENDIAN);
    for (int n = 0; n < bytes.limit() - 4; n++) {
      if (bytes.getInt(n) == 0x02014b50) bytes.putInt(n + 24, size);
      if (bytes.getInt(n) == 0x04034b50) bytes.putInt(n + 22, size);
    }
    Files.write(ARCHIVE, bytes.array());
  }

  public static void main(String[] arguments) throws IOException {
    archive(zip -> {
      add(zip, "a.txt", "first".getBytes());
      add(zip, "folder/b.txt", "second".getBytes());
    });
    var folder = Unpacker.unpack(ARCHIVE);
    assert Files.readString(folder.resolve("a.txt")).equals("first");
    assert Files.readString(folder.resolve("folder/b.txt")).equals("second");
    delete(folder);

    entries(1_000);
    folder = Unpacker.unpack(ARCHIVE);
    assert Files.exists(folder.resolve("999.txt"));
    delete(folder);
    entries(1_001);
    refused("1,001 entries");

    var large = compressible(1_000_000);
    archive(zip -> add(zip, "large", large));
    folder = Unpacker.unpack(ARCHIVE);
    assert Files.size(folder.resolve("large")) == 1_000_000;
    delete(folder);
    archive(zip -> add(zip, "large", large, new byte[1]));
    refused("An entry with one byte more");
    claimSize(10);
    refused("An entry with a false size");
    archive(zip -> {
      for (int n = 0; n < 6; n++) add(zip, "large" + n, large);
    });
    refused("Six large entries");

    archive(zip -> add(zip, "bomb", new byte[900_000]));
    refused("A bomb");
    claimSize(10);
    refused("A bomb with a false size");

    for (var name : new String[] {"../escaped.txt", "a/../../escaped.txt", TEMPORARY.resolve("escaped.txt").toString()}) {
      archive(zip -> add(zip, name, "text".getBytes()));
      refused(name);
    }
    archive(zip -> {
      var link = new ZipArchiveEntry("link");
      link.setUnixMode(0120777);
      zip.putArchiveEntry(link);
      zip.write(".".getBytes(StandardCharsets.UTF_8));
      zip.closeArchiveEntry();
    });
    refused("A symbolic link");
    archive(zip -> {
      add(zip, "a.txt", "first".getBytes());
      add(zip, "a.txt", "second".getBytes());
    });
    refused("Two entries of one name");

    archive(zip -> add(zip, "inner", new byte[100_000]));
    var inner = Files.readAllBytes(ARCHIVE);
    archive(zip -> add(zip, "inner.zip", inner));
    folder = Unpacker.unpack(ARCHIVE);
    assert Files.size(folder.resolve("inner.zip")) == inner.length;
    delete(folder);
  }
}
