mod orders;
use axum::body::{to_bytes, Body};
use axum::http::Request;
use orders::{routes, Article, Shop, Step, Store};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{json, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tower::ServiceExt;

const PRICES: [u64; 3] = [999, 1, 120_000];
const STOCK: u32 = 150;

fn shop() -> Store {
    let article = |(id, price_cents): (usize, &u64)| (id as u32, Article { price_cents: *price_cents, in_stock: STOCK });
    Arc::new(Mutex::new(Shop { articles: PRICES.iter().enumerate().map(article).collect(), orders: Vec::new() }))
}

async fn call(store: &Store, path: &str, body: &str) -> (u16, Value) {
    let request = Request::post(path).header("content-type", "application/json").body(Body::from(body.to_owned()));
    let response = routes(store.clone()).oneshot(request.unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), 100_000).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

fn consistent(store: &Store) {
    let shop = store.lock().unwrap();
    for (id, price) in PRICES.iter().enumerate() {
        let _ = price;
        let live = shop.orders.iter().filter(|order| order.step != Step::Cancelled);
        let ordered: u32 = live.flat_map(|order| &order.items).filter(|item| item.0 == id as u32).map(|item| item.1).sum();
        assert_eq!(shop.articles[&(id as u32)].in_stock + ordered, STOCK);
    }
    for order in &shop.orders {
        let total: u64 = order.items.iter().map(|(id, count)| PRICES[*id as usize] * u64::from(*count)).sum();
        assert_eq!(order.total_cents, total);
        assert!(order.items.iter().all(|(_, count)| (1..=100).contains(count)));
    }
}

async fn examples() {
    let store = shop();
    let item = |article: Value, quantity: Value| json!({ "article": article, "quantity": quantity });
    let two = json!({ "items": [item(json!(0), json!(2)), item(json!(2), json!(1))] });
    let (status, order) = call(&store, "/orders", &two.to_string()).await;
    assert_eq!((status, order), (200, json!({ "id": 0, "step": "Placed", "total_cents": 121_998 })));
    for action in ["ship", "refund", ""] {
        assert!(call(&store, &format!("/orders/0/{action}"), "").await.0 >= 400, "{action}");
    }
    for (action, step) in [("pay", "Paid"), ("ship", "Shipped")] {
        assert_eq!(call(&store, &format!("/orders/0/{action}"), "").await.1["step"], step);
        for wrong in ["pay", "cancel"] {
            assert_eq!(call(&store, &format!("/orders/0/{wrong}"), "").await.0, 409, "{action} {wrong}");
        }
    }
    assert_eq!(call(&store, "/orders/0/ship", "").await.0, 409);
    assert_eq!(call(&store, "/orders/1/pay", "").await.0, 404);

    let good = item(json!(0), json!(1));
    let mut invalid = vec![json!({}), json!([]), json!({ "items": [] }), json!({ "items": "x" }), json!({ "items": [good, good] })];
    invalid.push(json!({ "items": [good], "total": 1 }));
    invalid.push(json!({ "items": [{ "article": 0, "quantity": 1, "price": 1 }] }));
    invalid.push(json!({ "items": (0..51).map(|id| item(json!(id), json!(1))).collect::<Vec<_>>() }));
    for quantity in [json!(0), json!(101), json!(-1), json!(1.5), json!("1"), json!(null), json!(4_294_967_297_u64)] {
        invalid.push(json!({ "items": [item(json!(0), quantity)] }));
    }
    invalid.push(json!({ "items": [item(json!(3), json!(1))] }));
    for body in invalid {
        assert_eq!(call(&store, "/orders", &body.to_string()).await.0, 422, "{body}");
    }
    let full = json!({ "items": [item(json!(1), json!(100))] }).to_string();
    assert_eq!(call(&store, "/orders", &full).await.0, 200);
    assert_eq!(call(&store, "/orders", &full).await.0, 409);
    let spaces = " ".repeat(16 * 1024);
    assert_eq!(call(&store, "/orders", &format!("{full}{spaces}")).await.0, 413);
    assert_eq!(store.lock().unwrap().orders.len(), 2);
    consistent(&store);
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(examples());
    let place = prop::collection::vec((0..4_u32, prop_oneof![Just(0), Just(1), Just(100), Just(101), 0..103_u32]), 0..3)
        .prop_map(|items| {
            let items: Vec<_> = items.iter().map(|(article, quantity)| json!({ "article": article, "quantity": quantity })).collect();
            ("/orders".to_owned(), json!({ "items": items }).to_string())
        });
    let act = (0..4_usize, prop::sample::select(vec!["pay", "ship", "cancel"]))
        .prop_map(|(id, action)| (format!("/orders/{id}/{action}"), String::new()));
    let requests = prop::collection::vec(prop_oneof![place, act], 1..30);
    let mut runner = TestRunner::new(Config { cases: 100, failure_persistence: None, ..Config::default() });
    runner
        .run(&requests, |requests| {
            let store = shop();
            let mut steps: HashMap<usize, Vec<Step>> = HashMap::new();
            for (path, body) in requests {
                runtime.block_on(call(&store, &path, &body));
                consistent(&store);
                for order in &store.lock().unwrap().orders {
                    let seen = steps.entry(order.id).or_default();
                    if seen.last() != Some(&order.step) {
                        seen.push(order.step);
                    }
                }
            }
            let complete = [Step::Placed, Step::Paid, Step::Shipped];
            for seen in steps.values() {
                assert!(complete.starts_with(seen) || *seen == [Step::Placed, Step::Cancelled], "{seen:?}");
            }
            Ok(())
        })
        .unwrap();
}
