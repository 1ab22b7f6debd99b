//! Reading and writing are inverse to each other.
//!
//! `data/genuine.xaif` has every spelling of XAIF 1.0 documents that the writer would choose
//! otherwise; `data/own.xaif` is a document of our dialect with one of nearly everything.

use quick_xml::Reader;
use quick_xml::events::Event;
use xaif_schema::model::*;
use xaif_schema::{verify, xml};

const GENUINE: &str = include_str!("data/genuine.xaif");
const OWN: &str = include_str!("data/own.xaif");

fn read(text: &str) -> Document {
    xml::read(text.as_bytes(), "test.xaif").unwrap_or_else(|found| panic!("{found:#?}"))
}

fn write(doc: &Document) -> String {
    xml::to_string(doc).expect("writes")
}

/// Elements and their attributes in order, white space, comments and the order of attributes aside.
fn events(text: &str) -> Vec<String> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut events = Vec::new();
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(tag) => {
                let mut attributes: Vec<String> = tag
                    .attributes()
                    .map(|a| a.expect("attribute"))
                    .map(|a| {
                        format!(
                            "{}={}",
                            a.key.0,
                            a.normalized_value(quick_xml::XmlVersion::Implicit1_0).expect("value")
                        )
                    })
                    .collect();
                attributes.sort();
                events.push(format!("{} {attributes:?}", tag.name().0));
            }
            Event::End(_) => events.push("end".into()),
            Event::Eof => return events,
            _ => (),
        }
    }
}

#[test]
fn a_genuine_document_is_written_with_the_same_elements_and_attributes() {
    let again = write(&read(GENUINE));
    for (before, after) in events(GENUINE).into_iter().zip(events(&again)) {
        assert_eq!(before, after);
    }
    assert_eq!(events(GENUINE).len(), events(&again).len());
}

#[test]
fn a_genuine_document_is_the_same_model_when_read_again() {
    let doc = read(GENUINE);
    assert_eq!(doc, read(&write(&doc)));
}

#[test]
fn a_genuine_document_stays_free_of_our_namespace() {
    assert!(!write(&read(GENUINE)).contains(xml::OX));
}

#[test]
fn a_genuine_document_keeps_all_invariants() {
    assert_eq!(verify::verify(&read(GENUINE)), Default::default());
}

#[test]
fn the_model_holds_what_a_genuine_document_says() {
    let doc = read(GENUINE);
    assert_eq!(doc.program_name.as_deref(), Some("***features***"));
    let head = doc.procs.values().next().expect("a procedure");
    assert_eq!(doc.symbols[head.symbol].id, "head");
    assert_eq!((head.args.len(), head.args[1].intent), (2, Some(Intent::In)));
    assert_eq!(head.effects.modified.as_ref().map(Vec::len), Some(2));
    assert_eq!(head.effects.read, None);
    let Body::Flow(cfg) = &head.body else { panic!("a body") };
    assert_eq!(cfg.structured, Some(false));
    let conditions: Vec<Option<i64>> = cfg.edges.values().map(|edge| edge.condition).collect();
    assert_eq!(conditions[7..10], [Some(1), Some(-2), None]);
    let assigned = doc.stmts.values().find_map(|stmt| match stmt.kind {
        StmtKind::Assign { rhs, .. } => Some((rhs, stmt.place.line, stmt.do_chain)),
        _ => None,
    });
    let (rhs, line, chain) = assigned.expect("an assignment");
    assert_eq!((line, chain), (12, Some(1)));
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[rhs].kind else { panic!("a root") };
    assert_eq!(&**name, "mul_scal_scal");
    let positions: Vec<u16> = operands.iter().map(|operand| operand.position).collect();
    assert_eq!(positions, [2, 1], "operands stand in the order of the edges");
}

#[test]
fn a_stale_spelling_is_not_written() {
    let mut doc = read(GENUINE);
    let symbol = doc.symbols.keys().nth(3).expect("x");
    assert_eq!(doc.symbols[symbol].id, "x");
    assert!(write(&doc).contains("active=\"1\""));
    doc.symbols[symbol].active = Some(false);
    let text = write(&doc);
    assert!(!text.contains("active=\"1\""));
    assert_eq!(read(&text).symbols[symbol].active, Some(false));
}

#[test]
fn what_a_stage_adds_to_a_genuine_document_is_numbered_apart() {
    let mut doc = read(GENUINE);
    let place = Place { file: None, line: 99, column: 0 };
    let scope = ScopeId::from_u32(1);
    let head = doc.procs.keys().next().expect("a procedure");
    let marker = Marker {
        verb: Verb::Continue,
        text: vec![Piece::Text("continue".into())],
        operands: Vec::new(),
        pessimistic: false,
        annotation: None,
    };
    let kind = StmtKind::Marker(Box::new(marker));
    let stmt = doc.stmts.push(Stmt {
        kind,
        place,
        id: None,
        do_chain: None,
        label: None,
        recorded: None,
        properties: Vec::new(),
        joint: false,
        recompute: false,
        adjoint_live: true,
        checkpoints: None,
        local_jacobian: None,
    });
    let Body::Flow(cfg) = &mut doc.procs[head].body else { panic!("a body") };
    let kind = VertexKind::BasicBlock { scope, stmts: vec![stmt] };
    let vertex = cfg.push(Vertex { kind, place, id: None, recorded: None });
    cfg.connect(vertex, vertex);
    let again = read(&write(&doc));
    let Body::Flow(cfg) = &again.procs[head].body else { panic!("a body") };
    let edge = cfg.edges.values().last().expect("an edge");
    assert_eq!((edge.source, edge.target), (vertex, vertex));
}

#[test]
fn our_own_document_is_written_byte_for_byte() {
    assert_eq!(write(&read(OWN)), OWN);
}

#[test]
fn our_own_document_leaves_no_notes_on_spelling() {
    let doc = read(OWN);
    assert_eq!(doc.as_read, AsRead::default());
    assert_eq!(doc, read(&write(&doc)));
}

#[test]
fn our_own_document_keeps_all_invariants() {
    assert_eq!(verify::verify(&read(OWN)), Default::default());
}

#[test]
fn a_sum_of_ten_thousand_terms_nests_nothing() {
    let mut doc = read(OWN);
    let stmt = doc
        .stmts
        .iter()
        .find_map(|(id, stmt)| matches!(stmt.kind, StmtKind::Assign { .. }).then_some(id))
        .expect("an assignment");
    let ty = Ty::scalar(Base::Real(8));
    let place = Place::default();
    let constant = |doc: &mut Document| {
        let class = ConstantClass::Real;
        let kind = ConstantKind::None;
        let constant = Constant { class, fe_type: None, text: "1.0".into(), kind };
        let kind = ExprKind::Constant(constant);
        doc.exprs.push(Expr { kind, ty, place, parens: false })
    };
    let mut sum = constant(&mut doc);
    for _ in 0..10_000 {
        let one = constant(&mut doc);
        let operand = |position, expr| Operand { position, keyword: false, expr };
        let operands = [operand(1, sum), operand(2, one)].into_iter().collect();
        let kind = ExprKind::Intrinsic { name: "add_scal_scal".into(), spelling: None, operands };
        sum = doc.exprs.push(Expr { kind, ty, place, parens: false });
    }
    if let StmtKind::Assign { rhs, .. } = &mut doc.stmts[stmt].kind {
        *rhs = sum;
    }
    let text = write(&doc);
    assert_eq!(write(&read(&text)), text);
    assert_eq!(verify::verify(&doc), Default::default());
}

/// `a(a(a(…1…)))` as the right-hand side of the first assignment.
fn nested_subscripts(depth: usize) -> Document {
    let mut doc = read(OWN);
    let (place, ty) = (Place::default(), Ty::scalar(Base::Integer(4)));
    let base = SymbolId::from_u32(0);
    let kind = ExprKind::Opaque("1".into());
    let mut index = doc.exprs.push(Expr { kind, ty, place, parens: false });
    for _ in 0..depth {
        let mut reference = Reference::whole(base, ty, place);
        reference.parts.push(Part::Elements(vec![Subscript::Index(index)]));
        let kind = ExprKind::Ref(doc.refs.push(reference));
        index = doc.exprs.push(Expr { kind, ty, place, parens: false });
    }
    let assigned = doc.stmts.values_mut().find_map(|stmt| match &mut stmt.kind {
        StmtKind::Assign { rhs, .. } => Some(rhs),
        _ => None,
    });
    *assigned.expect("an assignment") = index;
    doc
}

#[test]
fn eighty_nested_subscripts_are_written_and_read() {
    let text = write(&nested_subscripts(80));
    assert_eq!(write(&read(&text)), text);
}

#[test]
fn too_many_nested_subscripts_are_an_error_of_the_writer_not_a_crash() {
    let error = xml::to_string(&nested_subscripts(100_000)).expect_err("too deep");
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
}

#[test]
fn characters_that_xml_cannot_hold_come_back_as_they_were() {
    for text in
        ["a\u{c}b", "\u{1}", "tab\tnew\nline\r", "\u{F0001}\u{F0022}x", "\u{FFFE}é<&>\"'", " "]
    {
        let mut doc = Document::new();
        doc.program_name = Some(text.into());
        doc.history.push(StageRun {
            stage: text.into(),
            version: String::new(),
            options: text.into(),
        });
        assert_eq!(read(&write(&doc)), doc, "{text:?}");
    }
}
