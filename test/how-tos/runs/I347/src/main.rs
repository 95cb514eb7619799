mod database;
mod invoices;
use invoices::{Caller, Invoice, Invoices};

#[tokio::main]
async fn main() {
    let pool = database::with_tables().await;
    let (ann, bob) = (Invoices::of(&pool, Caller { user_id: 1 }), Invoices::of(&pool, Caller { user_id: 2 }));
    let mine = || Invoice { id: 10, title: "first".into(), address_id: 100 };
    assert_eq!(ann.find(10).await.unwrap(), Some(mine()));

    assert_eq!(bob.find(10).await.unwrap(), None);
    assert_eq!(bob.find(99).await.unwrap(), None);
    assert!(!bob.set_address(10, 200).await.unwrap());
    assert!(!bob.delete(10).await.unwrap());
    assert!(!ann.set_address(10, 200).await.unwrap(), "the address of Bob");
    assert!(!ann.set_address(99, 101).await.unwrap());
    assert_eq!(ann.find(10).await.unwrap(), Some(mine()));

    assert!(ann.set_address(10, 101).await.unwrap());
    assert_eq!(ann.find(10).await.unwrap().unwrap().address_id, 101);
    assert_eq!(bob.find(20).await.unwrap().unwrap().address_id, 200);
    assert!(ann.delete(10).await.unwrap());
    assert_eq!(ann.find(10).await.unwrap(), None);
    assert!(!ann.delete(10).await.unwrap());
}
