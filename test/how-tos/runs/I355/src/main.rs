mod clients;
use reqwest::Client;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::{rustls, TlsAcceptor};

fn acceptor(name: &str) -> TlsAcceptor {
    let pem = |ending: &str| std::io::BufReader::new(std::fs::File::open(format!("{name}.{ending}")).unwrap());
    let chain = rustls_pemfile::certs(&mut pem("pem")).map(Result::unwrap).collect();
    let key = rustls_pemfile::private_key(&mut pem("key")).unwrap().unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    TlsAcceptor::from(Arc::new(config.with_no_client_auth().with_single_cert(chain, key).unwrap()))
}

/// Answers each connection, and returns the address.
async fn server(name: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let tls = acceptor(name);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let Ok(mut stream) = tls.accept(socket).await else { continue };
            let _ = stream.read(&mut [0; 4000]).await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok").await;
            let _ = stream.shutdown().await;
        }
    });
    format!("https://localhost:{port}/")
}

async fn plain() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.read(&mut [0; 4000]).await;
            let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok").await;
        }
    });
    format!("http://localhost:{port}/")
}

async fn answers(client: &Client, address: &str) -> bool {
    match client.get(address).send().await {
        Ok(response) => response.text().await.unwrap() == "ok",
        Err(_) => false,
    }
}

#[tokio::main]
async fn main() {
    let services = clients::for_services(&std::fs::read("ca.pem").unwrap()).unwrap();
    let internet = clients::for_internet().unwrap();
    let good = server("good").await;
    assert!(answers(&services, &good).await);
    assert!(!answers(&internet, &good).await);
    let public = server("other-authority").await;
    assert!(answers(&internet, &public).await);
    assert!(!answers(&services, &public).await);
    for name in ["expired", "other-name", "self-signed"] {
        let address = server(name).await;
        assert!(!answers(&services, &address).await, "{name}");
        assert!(!answers(&internet, &address).await, "{name}");
    }
    // The certificate has the name, and not the address.
    assert!(!answers(&services, &good.replace("localhost", "127.0.0.1")).await);
    let plain = plain().await;
    assert!(!answers(&services, &plain).await && !answers(&internet, &plain).await);
    match clients::for_services(b"not a certificate") {
        Ok(nobody) => assert!(!answers(&nobody, &good).await && !answers(&nobody, &public).await),
        Err(error) => assert!(error.is_builder()),
    }
}
