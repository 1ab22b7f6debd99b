//! Bytes to text.

/// The text that `bytes` spell: UTF-8, or else Latin-1, in which every byte is a character (old
/// code has accents in comments and strings).
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn latin_1_is_read_where_utf_8_fails() {
        assert_eq!(decode(b"c caf\xe9"), "c café");
        assert_eq!(decode("c café".as_bytes()), "c café");
    }
}
