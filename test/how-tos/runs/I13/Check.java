import java.util.HashSet;

final class Check {
  public static void main(String[] arguments) {
    var tokens = new HashSet<String>();
    for (int n = 0; n < 1_000; n++) tokens.add(Tokens.newToken());
    assert tokens.size() == 1_000;
    assert tokens.stream().allMatch(token -> token.matches("[\\w-]{43}"));

    var codes = new HashSet<String>();
    for (int n = 0; n < 1_000; n++) codes.add(new Tokens.ShortCode().code());
    assert codes.size() > 990 && codes.stream().allMatch(code -> code.matches("[0-9]{8}"));

    var once = new Tokens.ShortCode();
    assert once.accept(once.code());
    assert !once.accept(once.code());
    var guessed = new Tokens.ShortCode();
    for (int n = 0; n < 5; n++) assert !guessed.accept("wrong");
    assert !guessed.accept(guessed.code());
  }
}
