import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class Check {
  private static final String ID = "0123456789abcdef".repeat(2);

  private static String pdf(String text) {
    var content = "BT /F 12 Tf 10 80 Td (" + text + ") Tj ET";
    return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        + "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        + "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R"
        + "/Resources<</Font<</F 5 0 R>>>>>>endobj\n"
        + "4 0 obj<</Length " + content.length() + ">>stream\n" + content + "\nendstream endobj\n"
        + "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF";
  }

  public static void main(String[] arguments) throws Exception {
    Files.writeString(Path.of("uploads", ID + ".pdf"), pdf("Invoice 4711"));
    assert PdfText.of(ID).strip().equals("Invoice 4711") : PdfText.of(ID);
    for (var id : List.of("-help", ";id", ID + "\n", "$(id)", "`id`", ID + ";id", "../" + ID, "", ID.toUpperCase())) {
      try {
        PdfText.of(id);
        throw new AssertionError(id + " was converted.");
      } catch (IllegalArgumentException expected) {
      }
    }
    try {
      PdfText.of("f".repeat(32));
      throw new AssertionError("A file that does not exist was converted.");
    } catch (IOException expected) {
      assert expected.getMessage().equals("pdftotext failed.") : expected;
    }
    try (var left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assert left.noneMatch(file -> file.getFileName().toString().matches("text\\d+\\.txt")) : "a temporary file is left";
    }
  }
}
