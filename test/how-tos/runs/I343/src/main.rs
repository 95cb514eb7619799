mod history;
use history::{subjects, Branch};
use std::path::PathBuf;

fn main() {
    let repository = PathBuf::from(std::env::args().nth(1).unwrap());
    let list = |name: &str| Branch::parse(name).map(|branch| subjects(&repository, &branch));
    assert_eq!(list("main").unwrap().unwrap(), ["fix $(id); \"done\"", "first"]);
    assert!(list("release/1.0").unwrap().is_err(), "there is no such branch");
    let here = std::env::current_dir().unwrap();
    let option = format!("--output={}/written", here.display());
    let long = "x".repeat(65);
    for name in [
        option.as_str(), "--all", "-h", "main;id", "main --all", "$(id)", "`id`", "main|id", "main\nid", "main\0", "main..other",
        "main^", "main~1", "@", "", long.as_str(),
    ] {
        assert!(list(name).is_none(), "{name:?}");
    }
}
