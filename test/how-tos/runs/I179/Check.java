import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;

final class Check {
  public static void main(String[] arguments) throws Exception {
    var xml = "<users><user name='ann' active='true' id='1'/><user name='bob' active='false' id='2'/>"
        + "<user name=\"o'neil\" active='true' id='3'/></users>";
    var users = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes()));
    assert UserLookup.idOf(users, "ann").equals(Optional.of("1"));
    assert UserLookup.idOf(users, "o'neil").equals(Optional.of("3"));
    for (var name : List.of("bob", "' or '1'='1", "x' or true() or 'a'='b", "\" or \"\"=\"", "ann' or @name='bob", "*", ""))
      assert UserLookup.idOf(users, name).isEmpty() : name;
  }
}
