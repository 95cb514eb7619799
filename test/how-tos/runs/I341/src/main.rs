mod tokens;
use std::collections::HashSet;
use std::time::{Duration, Instant};
use tokens::{token, ShortCode};

fn main() {
    let mut seen = HashSet::new();
    for _ in 0..1_000_000 {
        let made = token();
        assert_eq!(made.len(), 43);
        assert!(made.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_'));
        assert!(seen.insert(made));
    }

    let now = Instant::now();
    let codes: HashSet<String> = (0..1_000).map(|_| ShortCode::new(now).reveal().to_owned()).collect();
    assert!(codes.len() > 990 && codes.iter().all(|c| c.len() == 8 && c.bytes().all(|c| c.is_ascii_digit())));
    assert!(codes.iter().filter(|c| c.starts_with('0')).count() > 50, "leading zeros are kept");

    let mut once = ShortCode::new(now);
    let right = once.reveal().to_owned();
    assert!(once.accept(&right, now + Duration::from_secs(599)));
    assert!(!once.accept(&right, now));

    let mut guessed = ShortCode::new(now);
    let right = guessed.reveal().to_owned();
    for wrong in ["", "1", "wrong", "123456789", "\0"] {
        assert!(!guessed.accept(wrong, now));
    }
    assert!(!guessed.accept(&right, now));

    let mut fifth = ShortCode::new(now);
    let right = fifth.reveal().to_owned();
    for _ in 0..4 {
        assert!(!fifth.accept("wrong", now));
    }
    assert!(fifth.accept(&right, now));

    let mut old = ShortCode::new(now);
    let right = old.reveal().to_owned();
    assert!(!old.accept(&right, now + Duration::from_secs(660)));
}
