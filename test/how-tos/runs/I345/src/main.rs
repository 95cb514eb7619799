mod session_cookie;
use std::collections::HashSet;

use axum::body::Body;
use axum::http::{header, Request, Response, StatusCode};
use axum::routing::{get, post};
use axum::Router;
use axum_extra::extract::cookie::CookieJar;
use tower::ServiceExt;

async fn sign_in(jar: CookieJar) -> CookieJar {
    session_cookie::start(jar).0
}

async fn page(jar: CookieJar) -> StatusCode {
    if session_cookie::read(&jar).is_some() { StatusCode::OK } else { StatusCode::UNAUTHORIZED }
}

async fn sign_out(jar: CookieJar) -> CookieJar {
    session_cookie::end(jar)
}

async fn call(method: &str, path: &str, cookie: &str) -> Response<Body> {
    let app = Router::new().route("/sign-in", post(sign_in)).route("/", get(page)).route("/sign-out", post(sign_out));
    let request = Request::builder().method(method).uri(path).header(header::COOKIE, cookie);
    app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

fn set_cookie(response: &Response<Body>) -> String {
    let all: Vec<_> = response.headers().get_all(header::SET_COOKIE).iter().collect();
    assert_eq!(all.len(), 1);
    all[0].to_str().unwrap().to_owned()
}

fn attributes(cookie: &str) -> HashSet<&str> {
    cookie.split("; ").skip(1).collect()
}

#[tokio::main]
async fn main() {
    let mut values = HashSet::new();
    for _ in 0..20 {
        let cookie = set_cookie(&call("POST", "/sign-in", "").await);
        assert_eq!(attributes(&cookie), HashSet::from(["HttpOnly", "SameSite=Lax", "Secure", "Path=/"]));
        let pair = cookie.split(';').next().unwrap().to_owned();
        let value = pair.strip_prefix("__Host-session=").unwrap();
        assert_eq!(value.len(), 43);
        assert_eq!(call("GET", "/", &pair).await.status(), StatusCode::OK);
        assert!(values.insert(value.to_owned()));
    }
    let value = values.iter().next().unwrap();
    for cookie in [String::new(), format!("session={value}"), "__Host-session=".into(), format!("__Host-session={}", &value[1..])] {
        assert_eq!(call("GET", "/", &cookie).await.status(), StatusCode::UNAUTHORIZED, "{cookie}");
    }
    let ended = set_cookie(&call("POST", "/sign-out", &format!("__Host-session={value}")).await);
    assert!(ended.starts_with("__Host-session=; "), "{ended}");
    assert!(attributes(&ended).is_superset(&HashSet::from(["Max-Age=0", "Secure", "Path=/"])), "{ended}");
}
