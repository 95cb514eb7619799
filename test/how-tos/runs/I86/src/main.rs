mod orders;
use orders::{newest, search, OrderView, Sort};
use sqlx::PgPool;
use std::time::{Duration, Instant};

fn ids(found: sqlx::Result<Vec<OrderView>>) -> Vec<i64> {
    found.unwrap().iter().map(|order| order.id).collect()
}

#[tokio::main]
async fn main() {
    let pool = PgPool::connect(&std::env::var("DATABASE_URL").unwrap()).await.unwrap();
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(ids(newest(&pool, 1, &texts(&["open", "paid"]), 10).await), [3, 2, 1]);
    assert_eq!(ids(newest(&pool, 1, &texts(&["open"]), 10).await), [3, 1]);
    assert_eq!(ids(newest(&pool, 1, &texts(&["open"]), 0).await), [3]);
    assert_eq!(ids(newest(&pool, 1, &[], 10).await), [0; 0]);
    assert_eq!(ids(search(&pool, 1, None, Sort::Created).await), [1, 2, 3]);
    assert_eq!(ids(search(&pool, 1, None, Sort::Total).await), [2, 3, 1]);
    assert_eq!(ids(search(&pool, 1, Some("book"), Sort::Total).await), [1]);
    let found = search(&pool, 1, Some("O'Brien'--"), Sort::Created).await.unwrap();
    assert_eq!((found.len(), found[0].title.as_str(), found[0].total_cents), (1, "O'Brien'--", 100));
    for hostile in ["' or 1=1--", "'; SELECT pg_sleep(5)--", "'||(SELECT pg_sleep(5))||'", "{open,paid}"] {
        let begin = Instant::now();
        assert_eq!(ids(search(&pool, 1, Some(hostile), Sort::Created).await), [0; 0], "{hostile}");
        assert_eq!(ids(newest(&pool, 1, &texts(&[hostile]), 10).await), [0; 0], "{hostile}");
        assert!(begin.elapsed() < Duration::from_secs(4), "{hostile}");
    }
}
