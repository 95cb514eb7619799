mod photos;
use axum::body::{to_bytes, Body};
use axum::http::Request;
use image::{DynamicImage, GenericImageView, ImageFormat, Rgb, RgbImage};
use std::fs;
use std::io::Cursor;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tower::ServiceExt;

const FOLDER: &str = "photos";

/// Red on the left, blue on the right.
fn picture(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let colour = |x, _| if x < width / 2 { Rgb([255, 0, 0]) } else { Rgb([0, 0, 255]) };
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(RgbImage::from_fn(width, height, colour)).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A JPEG with a segment behind its start.
fn with_segment(jpeg: &[u8], marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, marker], &length, content, &jpeg[2..]].concat()
}

fn crc(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}

/// A PNG whose header has another size.
fn resized(png: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut header = [b"IHDR", &width.to_be_bytes()[..], &height.to_be_bytes(), &png[24..29]].concat();
    header.extend(crc(&header.clone()).to_be_bytes());
    [&png[..12], &header, &png[33..]].concat()
}

async fn upload(files: &[(&str, &[u8])]) -> (u16, Vec<String>) {
    let mut body = Vec::new();
    for (name, bytes) in files {
        let head = format!("--b\r\ncontent-disposition: form-data; name=\"f\"; filename=\"{name}\"\r\ncontent-type: image/png\r\n\r\n");
        body.extend([head.as_bytes(), bytes, b"\r\n"].concat());
    }
    body.extend(b"--b--\r\n");
    let request = Request::post("/photos").header("content-type", "multipart/form-data; boundary=b");
    let response = photos::routes(FOLDER.into()).oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let text = String::from_utf8(to_bytes(response.into_body(), 10_000).await.unwrap().to_vec()).unwrap();
    (status, text.split('"').filter(|part| part.len() > 1).map(str::to_owned).collect())
}

fn stored() -> usize {
    fs::read_dir(FOLDER).unwrap().count()
}

#[tokio::main]
async fn main() {
    fs::create_dir(FOLDER).unwrap();
    let (png, jpeg) = (picture(ImageFormat::Png, 40, 20), picture(ImageFormat::Jpeg, 40, 20));

    let script = b"<?php system($_GET['c']); ?>";
    let polyglot = [png.as_slice(), script].concat();
    let commented = with_segment(&jpeg, 0xfe, b"GPS 48.1 11.5");
    let exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let rotated = with_segment(&jpeg, 0xe1, exif);
    let accepted: [(&str, &[u8]); 7] = [
        ("a.png", &png), ("b.JPG", &jpeg), ("../../x.png", &polyglot), ("x.php.png", &png), ("c.jpeg", &commented),
        ("d.jpg", &rotated), ("/tmp/e.png", &png),
    ];
    let (status, names) = upload(&accepted).await;
    assert_eq!((status, names.len(), stored()), (200, 7, 7));
    let mut distinct = names.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 7);
    for (name, (original, _)) in names.iter().zip(accepted) {
        let ending = if original.ends_with("png") { ".png" } else { ".jpg" };
        assert!(name.len() == 28 && name.ends_with(ending) && name[..24].bytes().all(|b| b.is_ascii_alphanumeric()), "{name}");
        let file = Path::new(FOLDER).join(name);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o137, 0);
        let bytes = fs::read(&file).unwrap();
        let contains = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
        assert!(!contains(b"<?php") && !contains(b"GPS") && !contains(b"Exif"), "{original}");
        let view = image::load_from_memory(&bytes).unwrap();
        let red = |x, y| { let pixel = view.get_pixel(x, y); pixel[0] > 200 && pixel[2] < 60 };
        match original {
            // Turned right by a quarter: red is at the top.
            "d.jpg" => assert!(view.dimensions() == (20, 40) && red(10, 5) && !red(10, 35)),
            _ => assert!(view.dimensions() == (40, 20) && red(5, 10) && !red(35, 10), "{original}"),
        }
    }

    let html = b"<script>alert(1)</script>".as_slice();
    let huge = resized(&png, 50_000, 50_000);
    let wide = resized(&png, 25_000_001, 1);
    for (name, bytes) in [
        ("a.png", jpeg.as_slice()), ("a.jpg", png.as_slice()), ("a.png", html), ("a.svg", html), ("a.php", png.as_slice()),
        ("a.png.php", png.as_slice()), ("png", png.as_slice()), ("", png.as_slice()), ("a.png", &png[..40]), ("a.png", b""),
        ("a.png", huge.as_slice()), ("a.png", wide.as_slice()),
    ] {
        assert_eq!(upload(&[("good.png", &png), (name, bytes)]).await, (415, vec![]), "{name} {:?}", &bytes[..bytes.len().min(4)]);
        assert_eq!(stored(), 7);
    }
    let large = [png.as_slice(), &vec![0; 10_000_001 - png.len()]].concat();
    assert_eq!(upload(&[("good.png", &png), ("a.png", &large)]).await, (413, vec![]));
    assert_eq!(upload(&[("a.png", &large[..10_000_000])]).await.0, 200);
    assert_eq!(upload(&vec![("a.png", png.as_slice()); 11]).await, (413, vec![]));
    assert_eq!(stored(), 8);
    assert_eq!(upload(&vec![("a.png", png.as_slice()); 10]).await.0, 200);
    assert_eq!(stored(), 18);
    // Pictures of one colour, with exactly as many pixels as allowed, and with more.
    let black = |height| {
        let mut bytes = Cursor::new(Vec::new());
        RgbImage::new(5_000, height).write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    };
    assert_eq!(upload(&[("a.png", &black(5_000))]).await.0, 200);
    assert_eq!(upload(&[("a.png", &black(5_001))]).await.0, 415);
}
