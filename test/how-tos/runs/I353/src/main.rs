mod safe_xml;
use safe_xml::{read, XmlError};
use serde::Deserialize;

#[derive(Debug, Deserialize, PartialEq)]
struct Order {
    title: String,
}

fn order(document: &str) -> Result<Order, XmlError> {
    read(document.as_bytes())
}

fn nested(levels: usize) -> String {
    let inside = levels - 2;
    format!("<order><title>t</title><x>{}{}</x></order>", "<e>".repeat(inside), "</e>".repeat(inside))
}

fn main() {
    let title = |text: &str| Ok(Order { title: text.into() });
    assert_eq!(
        order("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- an order -->\n<order><title>a &lt; b &#x26; c</title></order>\n"),
        title("a < b & c")
    );
    assert_eq!(order(&nested(100)), title("t"));
    assert_eq!(order(&nested(101)), Err(XmlError::TooDeep));
    assert_eq!(order(&nested(20_000)), Err(XmlError::TooDeep));

    let with = |dtd: &str, body: &str| format!("<?xml version=\"1.0\"?>{dtd}<order><title>{body}</title></order>");
    for dtd in [
        "<!DOCTYPE order>",
        "<!doctype order>",
        "<!DOCTYPE order [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
        "<!DOCTYPE order [<!ENTITY x SYSTEM \"http://127.0.0.1/\">]>",
        "<!DOCTYPE order SYSTEM \"http://127.0.0.1/x.dtd\">",
        "<!DOCTYPE order [<!ENTITY % p SYSTEM \"http://127.0.0.1/\"> %p;]>",
        "<!DOCTYPE order [<!ENTITY a \"aaaa\"><!ENTITY x \"&a;&a;&a;&a;\">]>",
    ] {
        assert_eq!(order(&with(dtd, "&x;")), Err(XmlError::Dtd), "{dtd}");
        assert_eq!(order(&(with("", "t") + dtd)), Err(XmlError::Dtd), "{dtd}");
    }
    for invalid in [
        with("", "&undefined;"),
        with("", "t") + "<order/>",
        with("", "t") + "<order></order>",
        with("", "t") + "text",
        with("", "t") + "<![CDATA[t]]>",
        "text".to_owned() + &with("", "t"),
        "<order><title>t</title>".into(),
        "<order><title>t</order></title>".into(),
        "<order/></order>".into(),
        String::new(),
    ] {
        assert!(matches!(order(&invalid), Err(XmlError::Invalid(_))), "{invalid}: {:?}", order(&invalid));
    }
    let utf16: Vec<u8> = with("", "t").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for start in [&[][..], &[0xff, 0xfe]] {
        assert!(matches!(read::<Order>(&[start, &utf16].concat()), Err(XmlError::Invalid(_))));
    }

    assert_eq!(order(&with("", &"a".repeat(11_000_000))), Err(XmlError::TooLarge));
    assert_eq!(order(&with("", &"a".repeat(9_900_000))).unwrap().title.len(), 9_900_000);
    // References stay text: nothing is loaded.
    let text = "<order xmlns:xi=\"http://www.w3.org/2001/XInclude\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"
        xsi:schemaLocation=\"a http://127.0.0.1/a.xsd\"><xi:include href=\"file:///etc/passwd\"/><title>t</title></order>";
    assert_eq!(order(text), title("t"));
}
