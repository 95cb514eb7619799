mod fetch;
use fetch::{image, FetchError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::{rustls, TlsAcceptor};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
static REACHED: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn acceptor() -> TlsAcceptor {
    let pem = |name: &str| std::io::BufReader::new(std::fs::File::open(name).unwrap());
    let chain = rustls_pemfile::certs(&mut pem("server.pem")).map(Result::unwrap).collect();
    let key = rustls_pemfile::private_key(&mut pem("server.key")).unwrap().unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    TlsAcceptor::from(Arc::new(config.with_no_client_auth().with_single_cert(chain, key).unwrap()))
}

async fn serve(listener: tokio::net::TcpListener) {
    let acceptor = acceptor();
    loop {
        let (socket, _) = listener.accept().await.unwrap();
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            let local = socket.local_addr().unwrap();
            let Ok(mut stream) = acceptor.accept(socket).await else { return };
            let mut request = [0; 4000];
            let size = stream.read(&mut request).await.unwrap_or(0);
            let text = String::from_utf8_lossy(&request[..size]);
            let path = text.split(' ').nth(1).unwrap_or("").to_owned();
            REACHED.lock().unwrap().push(format!("{}{path}", local.ip()));
            let moved = |to: &str| format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n").into_bytes();
            let ok = |kind: &str, body: &[u8]| {
                let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
                [head.as_bytes(), body].concat()
            };
            let answer = match path.as_str() {
                "/moved" => moved("/image.png"),
                "/circle" => moved("/circle"),
                "/nowhere" => b"HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n".to_vec(),
                "/missing" => b"HTTP/1.1 404 Not Found\r\ncontent-type: image/png\r\ncontent-length: 0\r\n\r\n".to_vec(),
                "/page" => ok("text/html", PNG),
                "/large" => ok("image/png", &vec![0; 6_000_000]),
                "/slow" => ok("image/png", b"x"),
                to if to.starts_with("/to=") => moved(&to[4..]),
                _ => ok("image/png", PNG),
            };
            let _ = stream.write_all(&answer).await;
            let _ = stream.flush().await;
            while path == "/slow" && stream.write_all(b"x").await.is_ok() && stream.flush().await.is_ok() {
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            let _ = stream.shutdown().await;
        });
    }
}

#[tokio::main]
async fn main() {
    for address in ["0.0.0.0:443", "[::1]:443", "[fd00::7]:443"] {
        tokio::spawn(serve(tokio::net::TcpListener::bind(address).await.unwrap()));
    }
    for path in ["image.png", "moved"] {
        assert_eq!(image(&format!("https://images.example/{path}")).await.unwrap(), PNG, "{path}");
    }
    assert_eq!(image("https://8.8.4.4/").await.map_err(|error| matches!(error, FetchError::Network(_))), Err(true));
    REACHED.lock().unwrap().clear();

    let addresses = [
        "127.0.0.1", "2130706433", "0x7f.1", "127.1", "0.0.0.0", "10.1.2.3", "100.64.0.1", "172.16.0.1", "192.168.1.1",
        "169.254.169.254", "192.0.2.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[::ffff:10.1.2.3]",
        "[::ffff:7f00:1]", "[fd00::7]", "[fe80::1]", "[2002:a01:203::1]", "[2001::1]", "[2001:db8::1]", "[3fff::1]",
        "[64:ff9b::a01:203]", "localhost", "LOCALHOST", "loopback.example", "internal.example", "metadata.example",
        "unique-local.example", "both.example",
    ];
    let refused = [
        "http://images.example/image.png", "file:///etc/passwd", "https://images.example:22/", "https://a@images.example/",
        "https://a:b@images.example/", "https://:b@images.example/", "data:image/png,x", "//images.example/image.png", "",
    ];
    for host in addresses {
        let result = image(&format!("https://{host}/")).await;
        assert!(matches!(result, Err(FetchError::Address)), "{host}: {result:?}");
    }
    for address in refused {
        let result = image(address).await;
        assert!(matches!(result, Err(FetchError::Url)), "{address}: {result:?}");
    }
    assert_eq!(*REACHED.lock().unwrap(), Vec::<String>::new());

    for host in addresses {
        let result = image(&format!("https://images.example/to=https://{host}/")).await;
        assert!(matches!(result, Err(FetchError::Address)), "{host}: {result:?}");
    }
    for address in &refused[..5] {
        let result = image(&format!("https://images.example/to={address}")).await;
        assert!(matches!(result, Err(FetchError::Url)), "{address}: {result:?}");
    }
    let result = image("https://wrong-certificate.example/").await;
    assert!(matches!(&result, Err(FetchError::Network(error)) if format!("{error:?}").contains("NotValidForName")), "{result:?}");
    let of = |path: &str| format!("https://images.example/{path}");
    assert!(matches!(image(&of("circle")).await, Err(FetchError::Redirects)));
    assert!(matches!(image(&of("nowhere")).await, Err(FetchError::Url)));
    assert!(matches!(image(&of("page")).await, Err(FetchError::NotAnImage)));
    assert!(matches!(image(&of("missing")).await, Err(FetchError::NotAnImage)));
    assert!(matches!(image(&of("large")).await, Err(FetchError::TooLarge)));
    let begin = Instant::now();
    assert!(matches!(image(&of("slow")).await, Err(FetchError::Timeout)));
    assert!((9..50).contains(&begin.elapsed().as_secs()));
    for place in REACHED.lock().unwrap().iter() {
        assert!(place.starts_with("8.8.4.4/"), "{place}");
    }
}
