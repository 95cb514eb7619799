mod tokens;
use axum::body::{to_bytes, Body};
use axum::http::{Request, StatusCode};
use axum::routing::get;
use axum::{middleware, Extension, Json, Router};
use base64::{engine::general_purpose::URL_SAFE_NO_PAD, Engine};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{encode, get_current_timestamp, Algorithm, EncodingKey, Header};
use serde_json::{json, Value};
use std::sync::Arc;
use tokens::{fetch_keys, require, Subject, Verifier};
use tower::ServiceExt;

fn jwk(name: &str, id: &str) -> Value {
    let der = std::fs::read(format!("{name}.der")).unwrap();
    let point = &der[der.len() - 64..];
    let [x, y] = [&point[..32], &point[32..]].map(|half| URL_SAFE_NO_PAD.encode(half));
    json!({ "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": id, "x": x, "y": y })
}

fn set(name: &str) -> JwkSet {
    serde_json::from_value(json!({ "keys": [jwk(name, "k1")] })).unwrap()
}

fn header() -> Header {
    Header { typ: Some("at+jwt".into()), kid: Some("k1".into()), ..Header::new(Algorithm::ES256) }
}

fn claims(changes: Value) -> Value {
    let mut claims = json!({
        "iss": "https://login.example.com", "aud": "https://api.example.com", "sub": "ann",
        "exp": get_current_timestamp() + 300,
    });
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => claims.as_object_mut().unwrap().remove(name),
            value => claims.as_object_mut().unwrap().insert(name.clone(), value.clone()),
        };
    }
    claims
}

fn sign(header: &Header, claims: &Value, name: &str) -> String {
    let key = EncodingKey::from_ec_pem(&std::fs::read(format!("{name}.key")).unwrap()).unwrap();
    encode(header, claims, &key).unwrap()
}

async fn call(verifier: &Arc<Verifier>, authorization: Option<&str>) -> (StatusCode, String) {
    let routes = Router::new()
        .route("/", get(|Extension(Subject(subject)): Extension<Subject>| async { subject }))
        .layer(middleware::from_fn_with_state(verifier.clone(), require));
    let mut request = Request::get("/");
    if let Some(value) = authorization {
        request = request.header("authorization", value);
    }
    let response = routes.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let status = response.status();
    (status, String::from_utf8(to_bytes(response.into_body(), 1000).await.unwrap().to_vec()).unwrap())
}

#[tokio::main]
async fn main() {
    // The issuer publishes its keys.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/jwks", listener.local_addr().unwrap());
    let published = json!({ "keys": [jwk("issuer", "k1"), { "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA" }] });
    let server = Router::new().route("/jwks", get(move || async { Json(published) }));
    tokio::spawn(async { axum::serve(listener, server).await });
    let keys = fetch_keys(&reqwest::Client::new(), &url).await.unwrap();
    assert!(fetch_keys(&reqwest::Client::new(), &url.replace("jwks", "missing")).await.is_err());
    let verifier = Arc::new(Verifier::new(keys));

    // The address that hostile headers name.
    let trap = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let trapped = format!("http://{}/", trap.local_addr().unwrap());
    let unused = tokio::spawn(async move { trap.accept().await.is_ok() });

    let good = sign(&header(), &claims(json!({})), "issuer");
    assert_eq!(call(&verifier, Some(&format!("Bearer {good}"))).await, (StatusCode::OK, "ann".into()));
    let now = get_current_timestamp();
    for accepted in [json!({ "nbf": now - 60 }), json!({ "aud": ["https://api.example.com", "x"] }), json!({ "exp": now - 10 })] {
        assert!(verifier.verify(&sign(&header(), &claims(accepted.clone()), "issuer")).is_some(), "{accepted}");
    }
    assert!(verifier.verify(&sign(&Header { typ: Some("application/at+JWT".into()), ..header() }, &claims(json!({})), "issuer")).is_some());

    let mut bad = vec![String::new(), "a.b.c".into(), good[..good.len() - 4].into()];
    for changes in [
        json!({ "iss": "https://evil.example" }), json!({ "iss": null }), json!({ "aud": "https://other.example.com" }),
        json!({ "aud": null }), json!({ "exp": null }), json!({ "exp": now - 60 }), json!({ "exp": "never" }),
        json!({ "sub": null }), json!({ "sub": "" }), json!({ "nbf": now + 86400 }),
        json!({ "nbf": (now + 86400).to_string() }),
    ] {
        bad.push(sign(&header(), &claims(changes), "issuer"));
    }
    for typ in [Some("JWT".to_owned()), None, Some("id+jwt".into())] {
        bad.push(sign(&Header { typ, ..header() }, &claims(json!({})), "issuer"));
    }
    for kid in [None, Some("k2".into()), Some(String::new())] {
        bad.push(sign(&Header { kid, ..header() }, &claims(json!({})), "issuer"));
    }
    bad.push(sign(&header(), &claims(json!({})), "other"));
    let own_key = serde_json::from_value(jwk("other", "k1")).unwrap();
    bad.push(sign(&Header { jwk: Some(own_key), ..header() }, &claims(json!({})), "other"));
    bad.push(sign(&Header { jku: Some(trapped.clone()), x5u: Some(trapped), ..header() }, &claims(json!({})), "other"));
    let public = EncodingKey::from_secret(&std::fs::read("issuer.pem").unwrap());
    bad.push(encode(&Header { alg: Algorithm::HS256, ..header() }, &claims(json!({})), &public).unwrap());
    for alg in ["none", "None", "NONE"] {
        let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let unsigned = format!("{}.{}.", part(json!({ "alg": alg, "typ": "at+jwt", "kid": "k1" })), part(claims(json!({}))));
        bad.push(unsigned);
    }
    for token in &bad {
        let answer = call(&verifier, Some(&format!("Bearer {token}"))).await;
        assert_eq!(answer, (StatusCode::UNAUTHORIZED, String::new()), "{token}");
    }
    for authorization in [None, Some(good.as_str()), Some("Basic YTpi"), Some("Bearer")] {
        assert_eq!(call(&verifier, authorization).await.0, StatusCode::UNAUTHORIZED, "{authorization:?}");
    }
    assert!(!unused.is_finished());

    verifier.replace(set("other"));
    assert_eq!(verifier.verify(&good), None);
    assert_eq!(verifier.verify(&sign(&header(), &claims(json!({})), "other")), Some(Subject("ann".into())));
    let _refreshes = tokens::refresh_keys;
}
