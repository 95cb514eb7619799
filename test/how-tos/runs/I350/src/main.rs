mod webhooks;
use std::collections::HashSet;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::Body;
use axum::http::Request;
use base64::{engine::general_purpose::STANDARD, Engine};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use tower::ServiceExt;
use webhooks::{route, Paid, Receiver};

static SEEN: Mutex<Option<HashSet<String>>> = Mutex::new(None);
static ORDERS: Mutex<Vec<u64>> = Mutex::new(Vec::new());

const CURRENT: &[u8] = b"the current secret of this sender";
const NEXT: &[u8] = b"the next secret of the same sender";
const BODY: &str = r#"{"order":7}"#;

fn handle(id: &str, event: Paid) -> bool {
    let is_new = SEEN.lock().unwrap().get_or_insert_default().insert(id.to_owned());
    if is_new {
        ORDERS.lock().unwrap().push(event.order);
    }
    is_new
}

fn sign(secret: &[u8], id: &str, timestamp: &str, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).unwrap();
    mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

fn at(offset: i64) -> String {
    (SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64 + offset).to_string()
}

async fn send(id: &str, timestamp: &str, signature: Option<&str>, body: &str) -> u16 {
    let receiver = Receiver { secrets: vec![CURRENT.to_vec(), NEXT.to_vec()], handle };
    let mut request = Request::post("/hooks/pay").header("webhook-id", id).header("webhook-timestamp", timestamp);
    if let Some(signature) = signature {
        request = request.header("webhook-signature", signature);
    }
    let request = request.body(Body::from(body.to_owned())).unwrap();
    route("/hooks/pay", receiver).oneshot(request).await.unwrap().status().as_u16()
}

#[tokio::main]
async fn main() {
    let now = at(0);
    let good = sign(CURRENT, "m1", &now, BODY);
    assert_eq!(send("m1", &now, Some(&good), r#"{"order":8}"#).await, 401);
    assert_eq!(send("m2", &now, Some(&good), BODY).await, 401);
    for offset in [-360, 360, i64::MAX / 2] {
        let other = offset.checked_add(0).map(|o| if o > 1_000_000 { "99999999999999999999".to_owned() } else { at(o) }).unwrap();
        assert_eq!(send("m1", &other, Some(&sign(CURRENT, "m1", &other, BODY)), BODY).await, 401, "{other}");
    }
    assert_eq!(send("m1", "soon", Some(&sign(CURRENT, "m1", "soon", BODY)), BODY).await, 401);
    let short = format!("v1,{}", STANDARD.encode(&STANDARD.decode(&good[3..]).unwrap()[..16]));
    let renamed = good.replace("v1,", "v1a,");
    for signature in ["", "v1,", "v1,!!", short.as_str(), renamed.as_str(), &sign(b"another sender", "m1", &now, BODY)] {
        assert_eq!(send("m1", &now, Some(signature), BODY).await, 401, "{signature}");
    }
    assert_eq!(send("m1", &now, None, BODY).await, 401);
    assert_eq!(send("", &now, Some(&sign(CURRENT, "", &now, BODY)), BODY).await, 401);
    assert!(ORDERS.lock().unwrap().is_empty());

    assert_eq!(send("m1", &now, Some(&good), BODY).await, 204);
    assert_eq!(send("m1", &now, Some(&good), BODY).await, 204);
    assert_eq!(*ORDERS.lock().unwrap(), [7]);
    let both = format!("v1,AAAA {}", sign(NEXT, "m3", &now, BODY));
    assert_eq!(send("m3", &now, Some(&both), BODY).await, 204);
    assert_eq!(*ORDERS.lock().unwrap(), [7, 7]);
    assert_eq!(send("m4", &now, Some(&sign(CURRENT, "m4", &now, "[]x")), "[]x").await, 400);
    let large = " ".repeat(256 * 1024 + 1);
    assert_eq!(send("m5", &now, Some(&sign(CURRENT, "m5", &now, &large)), &large).await, 413);
    assert_eq!(*ORDERS.lock().unwrap(), [7, 7]);
}
