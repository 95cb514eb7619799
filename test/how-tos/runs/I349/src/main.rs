mod page;
use askama::Template;
use page::{Link, Profile};

fn render(name: &str, website: &str) -> String {
    Profile { name, website: Link::parse(website) }.render().unwrap()
}

fn main() {
    let plain = render("Ann", "https://example.com/?a=1&b=2");
    assert!(plain.contains("<h1 title='Ann'>Ann</h1>"), "{plain}");
    let encoded = ["&amp;", "&#38;", "&#x26;"].map(|and| format!("href=\"https://example.com/?a=1{and}b=2\""));
    assert!(encoded.iter().any(|link| plain.contains(link)), "{plain}");
    for name in ["\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "</title><script>alert(1)</script>", "{{ 7*7 }}"] {
        let page = render(name, "https://example.com/");
        for sign in ['<', '>', '"', '\''] {
            let count = |text: &str| text.matches(sign).count();
            assert_eq!(count(&page), count(&plain), "{sign} in {page}");
        }
    }
    assert!(render("Tom & Jerry", "").contains(">Tom &"));
    for website in ["https://\"onmouseover=alert(1)", "https://example.com/\"><script>alert(1)</script>"] {
        let page = render("Ann", website);
        assert!(!page.contains("<script>alert") && page.matches('"').count() <= plain.matches('"').count(), "{page}");
    }
    for link in ["http://example.com/", "https://example.com/", "mailto:ann@example.com"] {
        assert!(Link::parse(link).is_some(), "{link}");
    }
    for link in [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", " javascript:alert(1)", "data:text/html,x",
        "vbscript:x", "//evil.example", "/path", "",
    ] {
        assert!(Link::parse(link).is_none(), "{link}");
        assert!(!render("Ann", link).contains("<a "), "{link}");
    }
}
