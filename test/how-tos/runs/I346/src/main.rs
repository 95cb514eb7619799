mod same_origin;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use axum::routing::{any, get, post};
use axum::Router;
use tower::ServiceExt;

const OWN: &str = "https://app.example.com";

async fn call(method: &str, path: &str, headers: &[(&str, &str)]) -> StatusCode {
    let routes = Router::new()
        .route("/orders", any(|| async { "changed" }))
        .route("/sign-in", post(|| async { "signed in" }))
        .route("/socket", get(|| async { "opened" }))
        .fallback(|| async { "fallback" });
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    same_origin::protect(routes, OWN).oneshot(request.body(Body::empty()).unwrap()).await.unwrap().status()
}

#[tokio::main]
async fn main() {
    let site = "sec-fetch-site";
    let own: [&[(&str, &str)]; 3] = [&[(site, "same-origin"), ("origin", OWN)], &[(site, "same-origin")], &[("origin", OWN)]];
    let foreign: [&[(&str, &str)]; 13] = [
        &[],
        &[(site, "cross-site")],
        &[(site, "same-site")],
        &[(site, "none")],
        &[(site, "cross-site"), ("origin", OWN)],
        &[(site, "same-origin"), ("origin", "https://evil.example")],
        &[("origin", "https://evil.example")],
        &[("origin", "https://static.example.com")],
        &[("origin", "https://app.example.com:8443")],
        &[("origin", "http://app.example.com")],
        &[("origin", "https://app.example.com.evil.example")],
        &[("origin", "null")],
        &[("origin", OWN), ("origin", "https://evil.example")],
    ];
    for method in ["POST", "PUT", "PATCH", "DELETE", "CONNECT", "INVENTED"] {
        for headers in own {
            assert_eq!(call(method, "/orders", headers).await, StatusCode::OK, "{method} {headers:?}");
        }
        for headers in foreign {
            for path in ["/orders", "/unknown"] {
                assert_eq!(call(method, path, headers).await, StatusCode::FORBIDDEN, "{method} {path} {headers:?}");
            }
        }
    }
    for headers in foreign {
        assert_eq!(call("POST", "/sign-in", headers).await, StatusCode::FORBIDDEN, "{headers:?}");
        assert_eq!(call("GET", "/orders", headers).await, StatusCode::OK, "{headers:?}");
        let handshake = [headers, &[("upgrade", "websocket"), ("connection", "Upgrade")]].concat();
        assert_eq!(call("GET", "/socket", &handshake).await, StatusCode::FORBIDDEN, "{handshake:?}");
    }
    let handshake = [("origin", OWN), ("upgrade", "websocket"), ("connection", "Upgrade")];
    assert_eq!(call("GET", "/socket", &handshake).await, StatusCode::OK);
}
