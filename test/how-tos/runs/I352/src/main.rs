mod access;
mod orders;
use access::{Caller, Permission};
use axum::body::{to_bytes, Body};
use axum::http::Request;
use axum::Extension;
use tower::ServiceExt;

async fn call(method: &str, path: &str, caller: Option<Caller>) -> (u16, String) {
    let mut routes = orders::routes();
    if let Some(caller) = caller {
        assert_eq!(caller.id, 1);
        routes = routes.layer(Extension(caller));
    }
    let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
    let response = routes.oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    (status, String::from_utf8(to_bytes(response.into_body(), 1000).await.unwrap().to_vec()).unwrap())
}

#[tokio::main]
async fn main() {
    let none = || Some(Caller::new(1, []));
    let read = || Some(Caller::new(1, [Permission::OrdersRead]));
    let write = || Some(Caller::new(1, [Permission::OrdersWrite]));
    let all = || Some(Caller::new(1, [Permission::OrdersRead, Permission::OrdersWrite]));
    for path in ["/orders/7", "/orders/%37"] {
        assert_eq!(call("GET", path, read()).await, (200, "order 7".into()));
        assert_eq!(call("HEAD", path, read()).await.0, 200);
        assert_eq!(call("DELETE", path, write()).await, (200, "cancelled 7".into()));
        for method in ["GET", "HEAD", "DELETE"] {
            assert_eq!(call(method, path, None).await, (401, String::new()), "{method}");
            assert_eq!(call(method, path, none()).await, (403, String::new()), "{method}");
            assert_eq!(call(method, path, all()).await.0, 200, "{method}");
        }
        assert_eq!(call("GET", path, write()).await, (403, String::new()));
        assert_eq!(call("HEAD", path, write()).await, (403, String::new()));
        assert_eq!(call("DELETE", path, read()).await, (403, String::new()));
    }
    for caller in [None, none(), all()] {
        for path in ["/orders/7/", "//orders/7", "/orders", "/ORDERS/7"] {
            assert_eq!(call("GET", path, caller.clone()).await, (404, String::new()), "{path}");
        }
        for method in ["POST", "PUT", "get", "INVENTED"] {
            assert_eq!(call(method, "/orders/7", caller.clone()).await, (405, String::new()), "{method}");
        }
    }
}
