mod service;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Sends a head, and returns the connection.
async fn open(address: &str, length: usize) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /orders HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

async fn status(stream: &mut TcpStream) -> String {
    let mut line = [0; 12];
    stream.read_exact(&mut line).await.unwrap();
    String::from_utf8_lossy(&line[9..]).into_owned()
}

async fn send(address: &str, body: &str) -> String {
    let mut stream = open(address, body.len()).await;
    let _ = stream.write_all(body.as_bytes()).await;
    status(&mut stream).await
}

fn resident_kib() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

const ORDER: &str = r#"{"title":"abc","quantity":2}"#;

#[tokio::main]
async fn main() {
    let _published = service::main;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address: &'static str = listener.local_addr().unwrap().to_string().leak();
    tokio::spawn(async { axum::serve(listener, service::app()).await });

    assert_eq!(send(address, ORDER).await, "200");
    let padded = |bytes: usize| ORDER.to_owned() + &" ".repeat(bytes - ORDER.len());
    assert_eq!(send(address, &padded(100 * 1024)).await, "200");
    assert_eq!(send(address, &padded(100 * 1024 + 1)).await, "413");
    let long = "a".repeat(100);
    assert_eq!(send(address, &format!(r#"{{"title":"{long}","quantity":1000}}"#)).await, "200");
    for invalid in [
        r#"{"title":"abc","quantity":2,"price":1}"#.to_owned(),
        r#"{"title":"abc","quantity":0}"#.into(),
        r#"{"title":"abc","quantity":1001}"#.into(),
        r#"{"title":"abc","quantity":-1}"#.into(),
        r#"{"title":"","quantity":2}"#.into(),
        format!(r#"{{"title":"{long}a","quantity":2}}"#),
        r#"{"title":"abc"}"#.into(),
    ] {
        assert_eq!(send(address, &invalid).await, "422", "{invalid}");
    }

    // 600 bodies that do not arrive: some requests are refused at once, the others after 15 seconds.
    let before = resident_kib();
    let begin = Instant::now();
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..600 {
        calls.spawn(async move {
            let mut stream = open(address, 90 * 1024).await;
            let begin = Instant::now();
            let writes = async {
                loop {
                    let _ = stream.write_all(b" ").await;
                    let mut line = [0; 12];
                    if let Ok(read) = tokio::time::timeout(Duration::from_secs(1), stream.read_exact(&mut line)).await {
                        read.unwrap();
                        return String::from_utf8_lossy(&line[9..]).into_owned();
                    }
                }
            };
            (writes.await, begin.elapsed())
        });
    }
    let results = calls.join_all().await;
    let count = |status: &str| results.iter().filter(|result| result.0 == status).count();
    assert_eq!(count("503") + count("408"), 600, "{results:?}");
    assert!(count("503") >= 88, "{} requests were refused", count("503"));
    assert!(count("408") >= 400, "{} requests ended by the timeout", count("408"));
    for (status, took) in &results {
        assert!(status != "408" || *took > Duration::from_secs(10), "408 after {took:?}");
    }
    assert!((14..60).contains(&begin.elapsed().as_secs()));
    assert!(resident_kib() < before + 100_000, "{before} and then {}", resident_kib());
    assert_eq!(send(address, ORDER).await, "200");
}
