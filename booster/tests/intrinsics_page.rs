//! docs/intrinsics.md says what the catalogue says.

/// Bless with `OXAD_BLESS=1 cargo test -p booster-tests intrinsics`.
#[test]
fn the_page_of_intrinsics_is_the_catalogue() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/intrinsics.md");
    let expected = xaif_booster::rules::page();
    if std::env::var_os("OXAD_BLESS").is_some() {
        std::fs::write(path, &expected).expect("docs is writable");
    }
    let found = std::fs::read_to_string(path).expect("docs/intrinsics.md exists");
    assert!(found == expected, "docs/intrinsics.md is stale: bless it with OXAD_BLESS=1");
}
