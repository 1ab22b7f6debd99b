//! Statements that become loops.

use std::convert::Infallible;

use xaif_schema::inspect::show;
use xaif_schema::model::{Base, BoolOp, Place, ProcId, StmtKind};
use xaif_schema::verify;

use booster_build::{boolean, integer, new_variable, rewrite_blocks, value_of, whole};

const SOURCE: &str = "subroutine p(n, x)\n  implicit none\n  integer, intent(in) :: n\n  \
    real, intent(inout) :: x\n  if (n > 1) x = x*2\nend subroutine p\n";

/// Each assignment stands in `if (n > 0)` in a loop.
#[test]
fn a_statement_becomes_a_loop_around_an_if_and_the_one_line_if_opens() {
    let mut doc = booster_tests::document(SOURCE);
    let proc = ProcId::from_u32(0);
    let scope = doc.procs[proc].scope;
    let i = new_variable(&mut doc, scope, "i", Base::Integer(4), Place::default());
    let n = doc.procs[proc].args[0].symbol.expect("a dummy argument");
    let done: Result<(), Infallible> = rewrite_blocks(&mut doc, proc, |emitter, stmt| {
        if !matches!(emitter.doc.stmts[stmt].kind, StmtKind::Assign { .. }) {
            emitter.push(stmt);
            return Ok(());
        }
        let place = emitter.doc.stmts[stmt].place;
        let one = integer(emitter.doc, 1, place);
        let upper = whole(emitter.doc, n, place);
        let upper = value_of(emitter.doc, upper);
        emitter.open_do(i, (one, upper), false, place);
        let counter = whole(emitter.doc, i, place);
        let counter = value_of(emitter.doc, counter);
        let two = integer(emitter.doc, 2, place);
        let condition = boolean(emitter.doc, BoolOp::GreaterThan, &[counter, two]);
        emitter.open_if(condition, place);
        emitter.push(stmt);
        emitter.close_if();
        emitter.close_do();
        Ok(())
    });
    done.expect("infallible");
    assert!(verify::verify(&doc).is_empty(), "{:?}", verify::verify(&doc));
    let text = show::show(&doc);
    for line in ["v1       if (n > 1)\n", "do i = 1, n", "if (i > 2)\n", "x = x*2"] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}
