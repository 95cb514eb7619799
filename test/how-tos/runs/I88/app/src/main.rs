use decoder::Decoder;

fn main() {
    let mode = std::env::var("DECODER").unwrap_or_default();
    let Some(mut decoder) = Decoder::new() else {
        assert_eq!(mode, "null");
        return;
    };
    assert_ne!(mode, "null");
    let mut output = [0; 4];
    if mode == "lie" {
        assert!(decoder.decode(b"abc", &mut output).is_err());
        assert!(decoder.decode(b"abc", &mut []).is_err());
        return;
    }
    for _ in 0..1000 {
        assert_eq!(decoder.decode(b"abc", &mut output).unwrap(), 3);
        assert_eq!(&output, b"cba\0");
    }
    assert!(decoder.decode(b"", &mut output).is_err());
    assert!(decoder.decode(b"abcde", &mut output).is_err());
    let mut large = vec![0; 64 * 1024 * 1024 + 1];
    let input = vec![1; 64 * 1024 * 1024 + 1];
    assert_eq!(decoder.decode(&input[1..], &mut large).unwrap(), 64 * 1024 * 1024);
    assert!(decoder.decode(&input, &mut large).is_err());
}
