mod passwords;
use argon2::password_hash::{rand_core::OsRng, PasswordHasher, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use passwords::{hash, verify, Verdict};

fn made_with(algorithm: Algorithm, memory: u32, passes: u32, password: &str) -> String {
    let hasher = Argon2::new(algorithm, Version::V0x13, Params::new(memory, passes, 1, None).unwrap());
    hasher.hash_password(password.as_bytes(), &SaltString::generate(&mut OsRng)).unwrap().to_string()
}

fn main() {
    let password = "correct horse Battery";
    let (first, second) = (hash(password).unwrap(), hash(password).unwrap());
    assert_ne!(first, second);
    for stored in [&first, &second] {
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        let salt = stored.split('$').nth(4).unwrap();
        assert_eq!(salt.len(), 22, "16 bytes of salt");
        assert_eq!(verify(password, stored), Ok(Verdict::Right));
    }
    for wrong in ["correct horse battery", "correct horse Batterz", "correct horse Battery ", " correct horse Battery", ""] {
        assert_eq!(verify(wrong, &first), Ok(Verdict::Wrong), "{wrong:?}");
    }
    let long = "x".repeat(199);
    let stored = hash(&format!("{long}a")).unwrap();
    assert_eq!(verify(&format!("{long}a"), &stored), Ok(Verdict::Right));
    assert_eq!(verify(&format!("{long}b"), &stored), Ok(Verdict::Wrong));

    for old in [
        made_with(Algorithm::Argon2id, 8192, 2, password),
        made_with(Algorithm::Argon2id, 19456, 1, password),
        made_with(Algorithm::Argon2i, 19456, 2, password),
    ] {
        assert_eq!(verify(password, &old), Ok(Verdict::RightButOutdated), "{old}");
        assert_eq!(verify("another", &old), Ok(Verdict::Wrong));
    }
    for length in [0, 10, 25, 40, 60, 80, first.len() - 1] {
        assert!(!matches!(verify(password, &first[..length]), Ok(Verdict::Right | Verdict::RightButOutdated)), "{length}");
    }
    assert!(verify(password, "damaged").is_err());
}
