mod profiles;
use std::sync::{Arc, Mutex};

use axum::body::{to_bytes, Body};
use axum::http::{Request, StatusCode};
use profiles::{routes, Account, Store};
use tower::ServiceExt;

async fn call(store: &Store, method: &str, body: &str) -> (StatusCode, String) {
    let request = Request::builder().method(method).uri("/profile").header("content-type", "application/json");
    let response = routes(store.clone()).oneshot(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
    let status = response.status();
    (status, String::from_utf8(to_bytes(response.into_body(), 10_000).await.unwrap().to_vec()).unwrap())
}

#[tokio::main]
async fn main() {
    let before = Account {
        id: 7, display_name: "Bob".into(), newsletter: false, is_admin: false, password_hash: "$argon2id$secret".into(),
    };
    let store: Store = Arc::new(Mutex::new(before.clone()));
    for body in [
        r#"{"display_name":"Ann","newsletter":true,"id":8}"#,
        r#"{"display_name":"Ann","newsletter":true,"is_admin":true}"#,
        r#"{"display_name":"Ann","newsletter":true,"password_hash":"x"}"#,
        r#"{"display_name":"Ann","newsletter":true,"invented":1}"#,
        r#"{"display_name":"Ann","newsletter":true,"newsletter":false}"#,
        r#"{"display_name":"Ann"}"#,
        r#"{"display_name":"","newsletter":true}"#,
    ] {
        assert_eq!(call(&store, "PUT", body).await.0, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        assert_eq!(*store.lock().unwrap(), before, "{body}");
    }
    let seen = r#"{"id":7,"display_name":"Bob","newsletter":false}"#;
    assert_eq!(call(&store, "GET", "").await, (StatusCode::OK, seen.to_owned()));
    let seen = r#"{"id":7,"display_name":"Ann","newsletter":true}"#;
    let change = r#"{"display_name":"Ann","newsletter":true}"#;
    assert_eq!(call(&store, "PUT", change).await, (StatusCode::OK, seen.to_owned()));
    let after = Account { display_name: "Ann".into(), newsletter: true, ..before };
    assert_eq!(*store.lock().unwrap(), after);
}
