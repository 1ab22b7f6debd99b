//! docs/elimination/graphs.md tells the heuristics as the table has them. `OXAD_BLESS=1` writes it.

use std::fmt::Write as _;
use std::path::Path;

use elimination::HEURISTICS;

const BEGIN: &str = "<!-- heuristics -->\n";
const END: &str = "<!-- end -->";

#[test]
fn the_page_tells_every_heuristic() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/elimination/graphs.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(BEGIN).expect("the place of the table");
    let (_, after) = rest.split_once(END).expect("its end");
    let mut table = String::from("| name | at length | keeps |\n|---|---|---|\n");
    for row in HEURISTICS {
        let text = row.text.replace('|', "\\|");
        writeln!(table, "| `{}` | `{}` | {text} |", row.name, row.long).expect("written");
    }
    let expected = format!("{before}{BEGIN}{table}{END}{after}");
    if std::env::var_os("OXAD_BLESS").is_some() {
        std::fs::write(&path, &expected).expect("written");
        return;
    }
    assert!(
        page == expected,
        "docs/elimination/graphs.md differs from HEURISTICS; OXAD_BLESS=1 writes it"
    );
}
