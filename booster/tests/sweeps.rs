//! The verifier compares the sweeps of an adjoint: an operation of the tape that is missing or stands elsewhere is found.

use booster_tests::adjoint::{differentiated_by, split};
use booster_tests::document;
use xaif_booster::transform::adjoint::{Options, adjoint};
use xaif_schema::diag::Code;
use xaif_schema::model::{ArgValue, Base, Body, Document, StmtId, StmtKind, VertexKind};
use xaif_schema::verify::verify;

/// Loops, branches of which the number is recorded, selections by type, calls in both modes, and blocks.
const SOURCE: &str = "
module m
  implicit none
contains
  subroutine inner(a, k)
    real(8), intent(inout) :: a(:)
    integer, intent(in) :: k
    integer :: i
    do i = 1, size(a)
      a(i) = a(i)*sin(a(i))
      if (a(i) > 1) then
        a(i) = a(i)**k
      else if (a(i) < 0) then
        a(i) = exp(a(i))*a(i)
      end if
    end do
  end subroutine
  subroutine head(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y
    real(8), allocatable :: b(:)
    integer :: i
    do while (y < 10)
      y = y*y + 1
      b = [x, y]
      call inner(b, i)
      x = x*b(1)
    end do
    if (y > 20) then
      call inner(x, 2)
      y = y*x(1)
    end if
    y = y*sum(x)
  end subroutine
end module
";

fn derived(options: &Options) -> Document {
    let (doc, _) = differentiated_by(SOURCE, options).expect("an adjoint");
    doc
}

/// The operations of the tape, with the blocks in which they stand.
fn operations(doc: &Document) -> Vec<StmtId> {
    let blocks = doc.procs.values().filter_map(|proc| match &proc.body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    let stmts =
        blocks.flat_map(|cfg| cfg.vertices.values()).filter_map(|vertex| match &vertex.kind {
            VertexKind::BasicBlock { stmts, .. } => Some(stmts),
            _ => None,
        });
    // Where the value of a condition is missing, the branches cannot be told to be the same.
    let is_wanted = |stmt: &StmtId| match &doc.stmts[*stmt].kind {
        StmtKind::InlinableCall(call) => match call.args[0].value {
            ArgValue::Expr(arg) => !matches!(doc.exprs[arg].ty.base, Base::Logical(_)),
            ArgValue::AlternateReturn(_) => false,
        },
        _ => false,
    };
    stmts.flatten().copied().filter(is_wanted).collect()
}

fn blocks_mut(doc: &mut Document) -> impl Iterator<Item = &mut Vec<StmtId>> {
    let graphs = doc.procs.values_mut().filter_map(|proc| match &mut proc.body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    graphs.flat_map(|cfg| cfg.vertices.values_mut()).filter_map(|vertex| match &mut vertex.kind {
        VertexKind::BasicBlock { stmts, .. } => Some(stmts),
        _ => None,
    })
}

fn is_found(doc: &Document) -> bool {
    verify(doc).iter().any(|one| one.code == Code::UNPAIRED_TAPE)
}

#[test]
fn every_operation_that_is_missing_is_found() {
    for options in [Options::default(), split()] {
        let doc = derived(&options);
        assert!(!is_found(&doc), "{:?}", verify(&doc));
        let operations = operations(&doc);
        assert!(operations.len() > 20, "{}", operations.len());
        for gone in operations {
            let mut broken = doc.clone();
            blocks_mut(&mut broken).for_each(|stmts| stmts.retain(|&stmt| stmt != gone));
            assert!(is_found(&broken), "{gone:?}: {:?}", doc.stmts[gone].kind);
        }
    }
}

#[test]
fn operations_in_another_order_are_found() {
    let doc = derived(&split());
    let mut exchanged = 0;
    let count = blocks_mut(&mut doc.clone()).count();
    for block in 0..count {
        let mut broken = doc.clone();
        let is_tape = |stmt: StmtId| matches!(doc.stmts[stmt].kind, StmtKind::InlinableCall(_));
        // Bounds may be taken back into variables of the stage: who they are of is not compared.
        let kind = |stmt: StmtId| match &doc.stmts[stmt].kind {
            StmtKind::InlinableCall(call) => match call.args[0].value {
                ArgValue::Expr(arg) => format!("{} {:?}", call.name, doc.exprs[arg].ty),
                ArgValue::AlternateReturn(_) => String::new(),
            },
            _ => String::new(),
        };
        let Some(stmts) = blocks_mut(&mut broken).nth(block) else { continue };
        let pair = stmts.windows(2).position(|pair| {
            is_tape(pair[0]) && is_tape(pair[1]) && kind(pair[0]) != kind(pair[1])
        });
        let Some(at) = pair else { continue };
        stmts.swap(at, at + 1);
        exchanged += 1;
        assert!(is_found(&broken), "block {block}");
    }
    assert!(exchanged > 0);
}

#[test]
fn a_call_of_the_wrong_half_is_found() {
    let mut doc = document(SOURCE);
    adjoint(&mut doc, &split()).expect("an adjoint");
    let is_backward = |doc: &Document, stmt: StmtId| {
        matches!(&doc.stmts[stmt].kind, StmtKind::Call(call)
            if doc.name(call.callee.symbol) == "inner_bwd")
    };
    let calls: Vec<StmtId> = doc.stmts.keys().filter(|&stmt| is_backward(&doc, stmt)).collect();
    assert!(!calls.is_empty());
    for gone in calls {
        let mut broken = doc.clone();
        blocks_mut(&mut broken).for_each(|stmts| stmts.retain(|&stmt| stmt != gone));
        assert!(is_found(&broken), "{gone:?}");
    }
}

#[test]
fn a_document_that_does_not_tell_variables_of_stages_is_compared_without_them() {
    for options in [Options::default(), split()] {
        let mut doc = derived(&options);
        doc.symbols.values_mut().for_each(|symbol| symbol.temp = None);
        assert!(!is_found(&doc), "{:?}", verify(&doc));
        for gone in operations(&doc) {
            let mut broken = doc.clone();
            blocks_mut(&mut broken).for_each(|stmts| stmts.retain(|&stmt| stmt != gone));
            assert!(is_found(&broken), "{gone:?}: {:?}", doc.stmts[gone].kind);
        }
    }
}
