//! What is no XAIF document is refused: by a code, with line and column, and by nothing worse.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::xml;

const GENUINE: &str = include_str!("data/genuine.xaif");
const OWN: &str = include_str!("data/own.xaif");

fn refused(bytes: &[u8]) -> Diagnostic {
    match xml::read(bytes, "test.xaif") {
        Ok(_) => panic!("the document was read"),
        Err(found) => found.into_iter().next().expect("a diagnostic"),
    }
}

/// `text` is refused by `code`, with a line and a column.
fn check(text: &str, code: Code) -> Diagnostic {
    let found = refused(text.as_bytes());
    assert_eq!(found.code, code, "{found}");
    let spot = found.spot.as_ref().expect("a spot");
    assert!(spot.line > 0 && spot.column > 0, "{found}");
    found
}

/// The XAIF 1.0 document with `from` replaced is refused by `code`, at the line of `from`.
fn broken(from: &str, to: &str, code: Code) {
    assert!(GENUINE.contains(from), "{from}");
    check(&GENUINE.replacen(from, to, 1), code);
}

#[test]
fn the_place_is_that_of_the_fault() {
    let text = GENUINE.replacen("type=\"integer\" feType=\"\"", "type=\"number\"", 1);
    let found = check(&text, Code::BAD_VALUE);
    let line = text.lines().position(|line| line.contains("\"number\"")).expect("there") + 1;
    let column =
        text.lines().nth(line - 1).and_then(|l| l.find("type=\"number\"")).expect("there") + 1;
    let spot = found.spot.expect("a spot");
    assert_eq!((spot.line as usize, spot.column as usize), (line, column));
}

#[test]
fn malformed_xml() {
    check("", Code::MISSING_ELEMENT);
    check("no xml at all", Code::TEXT_CONTENT);
    broken("<xaif:SymbolTable>", "<xaif:SymbolTable", Code::NOT_XML);
    broken("</xaif:SymbolTable>", "</xaif:Symboltable>", Code::NOT_XML);
    broken("kind=\"subroutine\"", "kind=subroutine", Code::NOT_XML);
    broken("kind=\"subroutine\"", "kind=\"subroutine\" kind=\"variable\"", Code::NOT_XML);
    check(&GENUINE.replace("</xaif:CallGraph>", "</xaif:CallGraph><more/>"), Code::NOT_XML);
    broken("<xaif:AliasSet key=\"0\"/>", "text", Code::TEXT_CONTENT);
}

#[test]
fn truncations_are_refused() {
    for text in [GENUINE, OWN] {
        let end = text.trim_end().len();
        for cut in (0..end).step_by(end / 200).filter(|&cut| text.is_char_boundary(cut)) {
            assert!(xml::read(&text.as_bytes()[..cut], "cut").is_err(), "{cut}");
        }
    }
}

#[test]
fn a_byte_that_is_changed_is_read_or_refused_without_a_panic() {
    let mut bytes = GENUINE.as_bytes().to_vec();
    for i in (0..bytes.len()).step_by(17) {
        let before = bytes[i];
        for byte in [b'<', b'"', b'0', b'&', 0xff] {
            bytes[i] = byte;
            let _ = xml::read(&bytes, "changed");
        }
        bytes[i] = before;
    }
}

#[test]
fn text_that_is_not_utf8() {
    let mut bytes = GENUINE.as_bytes().to_vec();
    let at = GENUINE.find("features***").expect("there");
    bytes[at] = 0xe9;
    let found = refused(&bytes);
    assert_eq!((found.code, found.spot.map(|spot| spot.line)), (Code::NOT_UTF8, Some(6)));
    check(&GENUINE.replace("UTF-8", "LATIN1").replace("blue", "blé"), Code::NOT_UTF8);
}

#[test]
fn a_document_that_declares_an_extension_of_ascii_and_is_ascii_is_read() {
    assert!(xml::read(GENUINE.replace("UTF-8", "LATIN1").as_bytes(), "latin").is_ok());
}

#[test]
fn an_entity_bomb_is_refused_before_it_goes_off() {
    let bomb =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;&b;\">]>\n";
    let text = GENUINE.replacen("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", bomb, 1);
    assert_eq!(check(&text, Code::DOCTYPE).spot.map(|spot| spot.line), Some(2));
    broken("{PU_Id#1}", "&bomb;", Code::UNKNOWN_ENTITY);
}

#[test]
fn namespaces() {
    broken("http://www.mcs.anl.gov/XAIF\"", "http://example.org/other\"", Code::WRONG_NAMESPACE);
    broken("<xaif:Entry vertex_id=\"10\"/>", "<other:Entry/>", Code::WRONG_NAMESPACE);
    check("<a:CallGraph xmlns:ox=\"https://oxad.dev/xaif/2026\"/>", Code::WRONG_DIALECT);
    check("<CallGraph/>", Code::WRONG_NAMESPACE);
    check("<html xmlns=\"http://www.w3.org/1999/xhtml\"/>", Code::WRONG_NAMESPACE);
}

#[test]
fn the_default_namespace_may_be_that_of_xaif() {
    let text = GENUINE.replace("xmlns:xaif", "xmlns").replace("xaif:", "");
    let same =
        xml::read(GENUINE.as_bytes(), "a").and_then(|a| Ok((a, xml::read(text.as_bytes(), "b")?)));
    let (a, b) = same.expect("both are read");
    assert_eq!(a, b);
}

#[test]
fn elements_and_attributes_that_nobody_knows() {
    broken(
        "<xaif:Entry vertex_id=\"10\"/>",
        "<xaif:Entrance vertex_id=\"10\"/>",
        Code::UNKNOWN_ELEMENT,
    );
    broken(
        "<xaif:Entry vertex_id=\"10\"/>",
        "<xaif:Entry vertex_id=\"10\" colour=\"red\"/>",
        Code::UNKNOWN_ATTRIBUTE,
    );
    broken("<xaif:SymbolTable/>", "", Code::MISSING_ELEMENT);
    broken("symbol_id=\"head\" kind", "kind", Code::MISSING_ATTRIBUTE);
    broken("position=\"1\" symbol_id", "position=\"x\" symbol_id", Code::BAD_VALUE);
    broken("name=\"less_than\"", "name=\"lesser_than\"", Code::BAD_VALUE);
}

#[test]
fn ids_that_are_missing_or_used_twice() {
    broken("<xaif:Scope vertex_id=\"3\">", "<xaif:Scope vertex_id=\"7\">", Code::DUPLICATE_ID);
    broken("symbol_id=\"i\" type", "symbol_id=\"a\" type", Code::DUPLICATE_ID);
    broken("<xaif:Exit vertex_id=\"25\"/>", "<xaif:Exit vertex_id=\"24\"/>", Code::DUPLICATE_ID);
    broken("statement_id=\"s2\"", "statement_id=\"s1\"", Code::DUPLICATE_ID);
    broken("vertex_id=\"4\" name=\"mul", "vertex_id=\"2\" name=\"mul", Code::DUPLICATE_ID);
    broken(
        "<xaif:ControlFlowEdge edge_id=\"z\"",
        "<xaif:ControlFlowEdge edge_id=\"9\"",
        Code::DUPLICATE_ID,
    );
    broken(
        "vertex_id=\"8\" symbol_id=\"sub\"",
        "vertex_id=\"9\" symbol_id=\"sub\"",
        Code::DUPLICATE_ID,
    );
    broken("statement_id=\"s1\" ", "", Code::MISSING_ATTRIBUTE);
    broken("<xaif:ControlFlowEdge edge_id=\"z\"", "<xaif:ControlFlowEdge", Code::MISSING_ATTRIBUTE);
}

#[test]
fn edges_and_references_that_lead_nowhere() {
    broken("source=\"24\" target=\"25\"", "source=\"24\" target=\"26\"", Code::DANGLING_EDGE);
    broken("source=\"9\" target=\"8\"", "source=\"9\" target=\"80\"", Code::DANGLING_EDGE);
    broken("source=\"4\" target=\"3\"", "source=\"4\" target=\"30\"", Code::DANGLING_EDGE);
    broken("source=\"f\" target=\"4\"", "source=\"g\" target=\"4\"", Code::DANGLING_EDGE);
    broken(
        "edge_id=\"e\" source=\"1\" target=\"2\"",
        "edge_id=\"e\" source=\"1\" target=\"3\"",
        Code::DANGLING_EDGE,
    );
    broken(
        "controlflowgraph_scope_id=\"7\"",
        "controlflowgraph_scope_id=\"70\"",
        Code::UNKNOWN_REFERENCE,
    );
    broken(
        "scope_id=\"7\" symbol_id=\"x\" annotation",
        "scope_id=\"7\" symbol_id=\"y\" annotation",
        Code::UNKNOWN_REFERENCE,
    );
    assert!(OWN.contains("at=\"1:"));
    check(&OWN.replacen("at=\"1:", "at=\"7:", 1), Code::UNKNOWN_REFERENCE);
}

#[test]
fn scopes_that_are_no_tree() {
    broken("source=\"7\" target=\"1\"", "source=\"7\" target=\"7\"", Code::SCOPE_TREE);
    broken("source=\"3\" target=\"1\"", "source=\"3\" target=\"4\"", Code::SCOPE_TREE);
    broken("<xaif:ScopeEdge edge_id=\"1\" source=\"7\" target=\"1\"/>", "", Code::SCOPE_TREE);
    broken("source=\"4\" target=\"3\"", "source=\"3\" target=\"4\"", Code::SCOPE_TREE);
}

#[test]
fn graphs_that_are_no_expressions() {
    let into_a_leaf = "source=\"f\" target=\"1\"";
    broken("source=\"f\" target=\"4\"", into_a_leaf, Code::EXPRESSION_GRAPH);
    let circle = "edge_id=\"1\" source=\"4\" target=\"2\" position";
    broken("edge_id=\"1\" source=\"1\" target=\"2\" position", circle, Code::EXPRESSION_GRAPH);
    let second_root =
        "<xaif:ExpressionEdge edge_id=\"3\" source=\"2\" target=\"4\" position=\"1\"/>";
    broken(second_root, "", Code::EXPRESSION_GRAPH);
}

#[test]
fn absurd_nesting() {
    let deep = "<xaif:Index>".repeat(1_000_000);
    broken("<xaif:Index>", &deep, Code::UNKNOWN_ELEMENT);
    let one = "<xaif:VariableReference vertex_id=\"1\"><xaif:SymbolReference vertex_id=\"1\" scope_id=\"7\" symbol_id=\"a\"/><xaif:ArrayElementReference vertex_id=\"2\"><xaif:Index>";
    broken("<xaif:Index>", &format!("<xaif:Index>{}", one.repeat(100_000)), Code::XML_TOO_DEEP);
}

#[test]
fn a_catalogue_of_intrinsics_is_refused_by_its_own_code() {
    let text = "<c:InlinableIntrinsicDefinitions xmlns:c=\"http://www.mcs.anl.gov/XAIFInlinableIntrinsics\"/>";
    check(text, Code::CATALOGUE);
}

/// Our own document with `from` replaced is refused by the value of an attribute, in one line.
fn bad_value(from: &str, to: &str) {
    assert!(OWN.contains(from), "{from}");
    let found = check(&OWN.replacen(from, to, 1), Code::BAD_VALUE);
    assert!(!found.message.contains(['\n', '\r']), "{found}");
}

#[test]
fn a_constant_is_a_literal_of_its_type() {
    let (double, integer) = ("type=\"double\" value=\"1.0d0\"", "type=\"integer\" value=\"0\"");
    bad_value(double, "type=\"double\" value=\"1.0d0); call f(x\"");
    bad_value(double, "type=\"double\" value=\"huge(1d0)\"");
    bad_value(double, "type=\"string\" value=\"'a'; stop 'b'\"");
    bad_value(double, "type=\"string\" value=\"'a&#10;b'\"");
    bad_value(integer, "type=\"integer\" value=\"0; stop\"");
    bad_value(integer, "type=\"integer\" value=\"1.0\"");
    bad_value(integer, "type=\"bool\" value=\".true..or.f(x)\"");
    bad_value(integer, "type=\"integer\" ox:class=\"boz\" value=\"z'1'; stop\"");
    bad_value(integer, "type=\"integer\" ox:class=\"hollerith\" value=\"1ha; stop\"");
    broken(
        "type=\"integer\" feType=\"I4\" value=\"1\"",
        "type=\"integer\" value=\"1) f(\"",
        Code::BAD_VALUE,
    );
}

#[test]
fn a_text_that_is_copied_is_what_it_is_meant_to_be() {
    bad_value("text=\" a trailing comment\"", "text=\" a&#13;call f()\"");
    bad_value("text=\" a trailing comment\"", "text=\" a&#10;call f()\"");
    bad_value("operator=\".dot.\"", "operator=\".dot.); stop\"");
    bad_value("ox:name=\"outer\"", "ox:name=\"outer: stop;\"");
    bad_value("name=\"x\" symbol=\"12:x\"", "name=\"x; stop\" symbol=\"12:x\"");
    bad_value("<ox:Name name=\"base\"/>", "<ox:Name name=\"base; stop\"/>");
    bad_value("name=\"blk\" role=\"common-block\"", "name=\"b/ x; stop\" role=\"common-block\"");
}
