mod pages;
use pages::Receipt;

fn main() {
    let ordinary = Receipt { customer: "Ann", items: &["a book", "a pen"] };
    let (page, mail) = (ordinary.page().unwrap(), ordinary.mail().unwrap());
    assert!(page.contains("<h1>Thank you, Ann</h1>") && page.contains("<li>a book</li><li>a pen</li>"), "{page}");
    assert!(mail.contains("Thank you, Ann.") && mail.contains("- a book\n- a pen\n"), "{mail}");
    for input in [
        "{{ 7*7 }}", "{{7*7}}", "{% for x in range(9) %}x{% endfor %}", "${7*7}", "<%= 7*7 %>", "#{7*7}", "{{ customer }}",
        "{# comment #}", "{% include 'receipt.txt' %}",
    ] {
        let receipt = Receipt { customer: input, items: &[input] };
        let (page, mail) = (receipt.page().unwrap(), receipt.mail().unwrap());
        assert!(!page.contains("49") && !mail.contains("49"), "{page} {mail}");
        assert_eq!(mail.matches(input).count(), 2, "{mail}");
        let encoded = input.replace('<', "&lt;").replace('>', "&gt;").replace('\'', "&#x27;").replace("/", "&#x2f;");
        assert_eq!(page.matches(&encoded).count(), 2, "{page}");
    }
    let hostile = Receipt { customer: "<img src=x onerror=alert(1)>", items: &[] };
    assert!(!hostile.page().unwrap().contains("<img"));
}
