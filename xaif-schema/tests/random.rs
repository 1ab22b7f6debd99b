//! Random documents: whatever the model can hold is written, read and shown without a loss.

#[path = "random/documents.rs"]
mod documents;

use documents::document;
use proptest::prelude::*;
use xaif_schema::inspect::dot::dot;
use xaif_schema::inspect::graphs::Graphs;
use xaif_schema::inspect::show::{ShowOptions, show_with};
use xaif_schema::model::Document;
use xaif_schema::{verify, xml};

/// All that a document says but for the numbers of its entities.
fn shown(doc: &Document) -> String {
    show_with(doc, &ShowOptions { ids: false, ..ShowOptions::full() })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_document_is_the_same_when_it_has_been_written_and_read(
        bytes in proptest::collection::vec(any::<u8>(), 0..4000)
    ) {
        let doc = document(&bytes);
        let text = xml::to_string(&doc).expect("it is written");
        let again = xml::read(text.as_bytes(), "random.xaif");
        let again = again.map_err(|found| TestCaseError::fail(format!("{found:#?}\n{text}")))?;
        prop_assert_eq!(xml::to_string(&again).expect("it is written again"), text);
        prop_assert_eq!(shown(&again), shown(&doc));
    }

    #[test]
    fn a_document_made_by_the_rules_keeps_all_invariants(
        bytes in proptest::collection::vec(any::<u8>(), 0..4000)
    ) {
        let doc = document(&bytes);
        prop_assert_eq!(verify::verify(&doc), Default::default());
        prop_assert!(dot(&Graphs::new(&doc).all()).starts_with("digraph"));
    }
}

#[test]
fn the_random_documents_have_every_kind_of_element() {
    let mut state = 1u32;
    let mut bytes = vec![0; 900];
    let texts: Vec<String> = (0..240)
        .map(|_| {
            for byte in &mut bytes {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *byte = (state >> 24) as u8;
            }
            xml::to_string(&document(&bytes)).expect("it is written")
        })
        .collect();
    let missing: Vec<&str> = ELEMENTS
        .split_whitespace()
        .filter(|e| !texts.iter().any(|t| t.contains(&format!("<{e}"))))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

/// What expressions, references, statements and flow graphs are made of.
const ELEMENTS: &str = "
    xaif:Constant xaif:VariableReference xaif:Intrinsic xaif:BooleanOperation xaif:FunctionCall
    ox:BooleanOperation ox:ArrayConstructor ox:ImpliedDo ox:StructureConstructor ox:Procedure
    ox:Opaque xaif:ArrayElementReference xaif:IndexTriplet xaif:Bound xaif:Stride ox:Component
    ox:Substring ox:Inquiry ox:Deref
    xaif:Assignment ox:DefinedAssignment ox:PointerAssignment xaif:SubroutineCall
    ox:AlternateReturn xaif:InlinableSubroutineCall xaif:DerivativePropagator xaif:SetDeriv
    xaif:SetNegDeriv xaif:IncDeriv xaif:DecDeriv xaif:Sax xaif:Saxpy xaif:ZeroDeriv ox:Where
    ox:Forall ox:Allocate ox:Deallocate ox:Nullify ox:OpenScope ox:CloseScope xaif:Marker ox:Piece
    ox:Operand ox:Comment
    xaif:Entry ox:EntryPoint xaif:Exit xaif:BasicBlock xaif:Branch xaif:EndBranch xaif:ForLoop
    xaif:PreLoop xaif:PostLoop ox:ConcurrentLoop xaif:EndLoop xaif:Goto xaif:Label ox:Guard
    ox:Range ox:Type
";
