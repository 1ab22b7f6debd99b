//! The pages of the documentation: their links lead somewhere, and the dialect is told whole.

use std::fs;

use oxad_tests::programs::workspace;

#[test]
fn links_between_pages_lead_to_files() {
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/README.md"] {
        let path = workspace().join(page);
        let text = fs::read_to_string(&path).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = path.with_file_name(link);
            assert!(link.starts_with("https:") || target.exists(), "{page}: {link}");
        }
    }
}

#[test]
fn the_page_of_the_dialect_names_every_element_of_the_schema() {
    let schema = fs::read_to_string(workspace().join("schema/oxad.xsd")).expect("the schema");
    let page = fs::read_to_string(workspace().join("docs/dialect.md")).expect("the page");
    let names: Vec<&str> =
        schema.split("element name=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(names.len() > 20, "the schema has elements");
    for name in names {
        assert!(page.contains(&format!("`ox:{name}`")), "docs/dialect.md does not name ox:{name}");
    }
}
