mod folder;
use folder::Folder;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::process::Command;

fn main() {
    fs::create_dir_all("base/sub").unwrap();
    fs::create_dir("other").unwrap();
    for (name, text) in [("base/a.txt", "a"), ("base/sub/b.txt", "b"), ("base/.hidden", "h"), ("outside.txt", "secret"), ("other/c.txt", "secret")] {
        fs::write(name, text).unwrap();
    }
    let here = std::env::current_dir().unwrap();
    symlink(here.join("outside.txt"), "base/link").unwrap();
    symlink("../outside.txt", "base/relative").unwrap();
    symlink(here.join("other"), "base/folder").unwrap();
    symlink("a.txt", "base/inside").unwrap();
    assert!(Command::new("mkfifo").arg("base/pipe").status().unwrap().success());
    let folder = Folder::new("base".as_ref()).unwrap();

    let text = |name: &str| folder.read(name).map(|mut file| {
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        text
    });
    assert_eq!(text("a.txt").unwrap(), "a");
    assert_eq!(text("sub/b.txt").unwrap(), "b");
    let long = "x".repeat(65);
    for name in [
        "missing.txt", "../outside.txt", "sub/../../outside.txt", "..%2foutside.txt", "%252e%252e/outside.txt",
        "..\\outside.txt", "/etc/passwd", "C:\\x", "", ".hidden", ".", "..", "a.txt/", "//a.txt", "a\0.txt", "a.txt\0",
        long.as_str(), "sub", "pipe", "link", "relative", "folder/c.txt", "inside",
    ] {
        assert!(folder.read(name).is_err(), "{name:?}");
    }

    folder.create("sub/new.txt").unwrap().write_all(b"new").unwrap();
    assert_eq!(text("sub/new.txt").unwrap(), "new");
    for name in ["a.txt", "../new.txt", "folder/new.txt", "link", "/tmp/how-to-new.txt"] {
        assert!(folder.create(name).is_err(), "{name:?}");
    }
    assert_eq!(fs::read_to_string("base/a.txt").unwrap(), "a");
    assert_eq!(fs::read_to_string("outside.txt").unwrap(), "secret");
    assert!(!fs::exists("new.txt").unwrap() && !fs::exists("other/new.txt").unwrap());
}
