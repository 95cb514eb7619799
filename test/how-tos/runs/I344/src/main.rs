mod sealing;
use sealing::{CannotOpen, Sealer};

fn main() {
    let first = Sealer::new(&[(1, [7; 32])]).unwrap();
    let (a, b) = (first.seal("users.iban:1", b"secret").unwrap(), first.seal("users.iban:1", b"secret").unwrap());
    assert_ne!(a, b);
    assert_ne!(a[1..13], b[1..13], "the nonces differ");
    assert!(!a.windows(6).any(|part| part == b"secret"));
    for sealed in [&a, &b] {
        assert_eq!(first.open("users.iban:1", sealed).unwrap(), b"secret");
    }
    let empty = first.seal("x", b"").unwrap();
    assert_eq!(first.open("x", &empty).unwrap(), b"");
    for bit in 0..a.len() * 8 {
        let mut changed = a.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(first.open("users.iban:1", &changed), Err(CannotOpen), "bit {bit}");
    }
    for length in 0..a.len() {
        assert_eq!(first.open("users.iban:1", &a[..length]), Err(CannotOpen), "{length} bytes");
    }
    for context in ["users.iban:2", "users.name:1", ""] {
        assert_eq!(first.open(context, &a), Err(CannotOpen));
    }
    let stranger = Sealer::new(&[(1, [8; 32])]).unwrap();
    assert_eq!(stranger.open("users.iban:1", &a), Err(CannotOpen));

    let both = Sealer::new(&[(2, [9; 32]), (1, [7; 32])]).unwrap();
    assert_eq!(both.open("users.iban:1", &a).unwrap(), b"secret");
    let newer = both.seal("users.iban:1", b"secret").unwrap();
    assert_eq!(newer[0], 2);
    // The number of the key is authenticated too: here both numbers have the same key.
    let same = Sealer::new(&[(1, [7; 32]), (3, [7; 32])]).unwrap();
    let mut renamed = a.clone();
    renamed[0] = 3;
    assert_eq!(same.open("users.iban:1", &renamed), Err(CannotOpen));
    let only = Sealer::new(&[(2, [9; 32])]).unwrap();
    assert_eq!(only.open("users.iban:1", &newer).unwrap(), b"secret");
    assert_eq!(only.open("users.iban:1", &a), Err(CannotOpen));
    assert!(Sealer::new(&[]).is_none());
    assert!(Sealer::new(&[(1, [7; 32]), (1, [8; 32])]).is_none());
}
