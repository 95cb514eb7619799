import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.util.List;
import javax.xml.transform.stream.StreamSource;
import org.xml.sax.helpers.DefaultHandler;

final class Check {
  interface Parser {
    String read(String xml) throws Exception;
  }

  private static InputStream in(String xml) {
    return new ByteArrayInputStream(xml.getBytes());
  }

  private static String staxText(String xml) throws Exception {
    var reader = SecureXml.stax().createXMLStreamReader(in(xml));
    var text = new StringBuilder();
    while (reader.hasNext()) if (reader.next() == reader.CHARACTERS) text.append(reader.getText());
    return text.toString();
  }

  public static void main(String[] arguments) throws Exception {
    var secret = Files.createTempFile("secret", ".txt");
    Files.writeString(secret, "hunter2");
    var deep = "<a>".repeat(200) + "</a>".repeat(200);
    var hostile = List.of(
        "<!DOCTYPE a [<!ENTITY e SYSTEM '" + secret.toUri() + "'>]><a>&e;</a>",
        "<!DOCTYPE a [<!ENTITY b 'hunter2'><!ENTITY c '&b;&b;'>]><a>&c;</a>",
        deep);
    List<Parser> parsers = List.of(
        xml -> SecureXml.parse(in(xml)).getDocumentElement().getTextContent(),
        xml -> {
          SecureXml.sax().parse(in(xml), new DefaultHandler());
          return "fine";
        },
        Check::staxText);
    for (var parser : parsers) {
      assert parser.read("<a>fine</a>").equals("fine");
      for (var xml : hostile) {
        boolean refused = false;
        try {
          parser.read(xml);
        } catch (Exception expected) {
          refused = true;
        }
        assert refused : xml;
      }
    }
    try {
      SecureXml.parse(in("<a>" + "x".repeat(10_000_001) + "</a>"));
      throw new AssertionError("A large document was read.");
    } catch (java.io.IOException expected) {
    }
    var sheet = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
        + "<xsl:include href='" + secret.toUri() + "'/></xsl:stylesheet>";
    try {
      SecureXml.transformers().newTemplates(new StreamSource(new StringReader(sheet)));
      throw new AssertionError("A stylesheet included a file.");
    } catch (javax.xml.transform.TransformerException expected) {
      assert expected.toString().contains("accessExternalStylesheet") : expected;
    }
    Files.delete(secret);
  }
}
