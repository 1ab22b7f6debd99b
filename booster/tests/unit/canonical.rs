//! With activity facts only what is active is hoisted, and what is hoisted keeps its facts; what can
//! neither stay nor be hoisted is refused with its place.

use xaif_schema::diag::Code;
use xaif_schema::inspect::show;
use xaif_schema::model::{ArgValue, Document, ExprKind, RefId, StmtKind};
use xaif_schema::verify;

use booster_canonical::canonicalize;
use booster_tests::document;

/// A module around `body`, with a function `f` of a real and one `shift` that changes a variable.
fn module(body: &str) -> Document {
    document(&format!(
        "module m\n  implicit none\n  real :: state = 0.0\ncontains\n\
         real function f(x)\n  real, intent(in) :: x\n  f = x*x\nend function\n\
         logical function shift(x)\n  real, intent(in) :: x\n  state = state + x\n  \
         shift = state > 1.0\nend function\n\
         pure real function g(x)\n  real, intent(in) :: x\n  g = x*x\nend function\n{body}\nend module\n"
    ))
}

fn canonical(mut doc: Document) -> Document {
    canonicalize(&mut doc).expect("a canonical form");
    let found = verify::verify(&doc);
    assert!(found.is_empty(), "{found:?}");
    doc
}

/// Code and line of each message.
fn refused(mut doc: Document) -> Vec<(Code, u32)> {
    let found = canonicalize(&mut doc).expect_err("it is refused");
    found.iter().map(|d| (d.code, d.spot.as_ref().map_or(0, |spot| spot.line))).collect()
}

/// The line on which `body` begins in the source of [`module`].
const BODY: u32 = 18;

/// What activity analysis would say: every procedure active, references and calls for which
/// `is_active` holds active, all others not.
fn analysed(doc: &mut Document, is_active: impl Fn(&str) -> bool) {
    for proc in doc.procs.keys().collect::<Vec<_>>() {
        doc.procs[proc].active = Some(true);
    }
    for reference in doc.refs.keys().collect::<Vec<RefId>>() {
        let active = is_active(doc.name(doc.refs[reference].base));
        doc.refs[reference].active = Some(active);
    }
    for expr in doc.exprs.keys().collect::<Vec<_>>() {
        let name = match &doc.exprs[expr].kind {
            ExprKind::Call(call) => doc.name(call.callee.symbol).to_owned(),
            _ => continue,
        };
        if let ExprKind::Call(call) = &mut doc.exprs[expr].kind {
            call.active = Some(is_active(&name));
        }
    }
}

#[test]
fn only_active_calls_are_hoisted_and_temporaries_are_active() {
    let mut doc = module(
        "subroutine s(x, y, p)\n  real :: x, y, p\n  y = f(x)*y + g(p)*2.0 + maxval([p, 1.0])\n\
         end subroutine",
    );
    analysed(&mut doc, |name| ["x", "y", "f"].contains(&name));
    let doc = canonical(doc);
    let text = show::show(&doc);
    assert!(text.contains("f_1~ = f(x~)"), "{text}");
    assert!(text.contains("y~ = f_1~*y~ + g(p)*2.0 + maxval([p, 1.0])"), "{text}");
    let temporary = doc.symbols.iter().find(|(_, symbol)| symbol.id == "f_1").expect("f_1");
    assert_eq!(temporary.1.active, Some(true));
    let uses: Vec<Option<bool>> = doc
        .refs
        .values()
        .filter(|reference| reference.base == temporary.0)
        .map(|reference| reference.active)
        .collect();
    assert_eq!(uses, [Some(true), Some(true)]);
    let calls: Vec<Option<bool>> = doc
        .stmts
        .values()
        .filter_map(|stmt| match stmt.kind {
            StmtKind::Assign { rhs, .. } => match &doc.exprs[rhs].kind {
                ExprKind::Call(call) => Some(call.active),
                _ => None,
            },
            _ => None,
        })
        .collect();
    assert_eq!(calls, [Some(true)], "the call keeps what is known of it");
}

#[test]
fn a_passive_procedure_is_left_alone() {
    let mut doc = module("subroutine s(x, y)\n  real :: x, y\n  y = f(x) + 1.0\nend subroutine");
    analysed(&mut doc, |_| true);
    for proc in doc.procs.keys().collect::<Vec<_>>() {
        doc.procs[proc].active = Some(false);
    }
    let before = show::show(&doc);
    assert_eq!(show::show(&canonical(doc)), before);
}

#[test]
fn a_call_that_cannot_matter_is_told_to_be_passive() {
    let doc = module(
        "subroutine s(x, y)\n  real :: x, y\n  integer :: i\n  do while (f(x) > y)\n    y = y + 1.0\n\
         end do\n  print *, (f(x + real(i)), i = 1, 3)\nend subroutine",
    );
    let doc = canonical(doc);
    let told: Vec<Option<bool>> = doc
        .exprs
        .values()
        .filter_map(|node| match &node.kind {
            ExprKind::Call(call) => Some(call.active),
            _ => None,
        })
        .collect();
    assert_eq!(told, [Some(false), Some(false)]);
    assert!(show::show(&doc).contains("while (f(x) > y)"));
}

#[test]
fn chains_of_statements_are_dropped_where_statements_are_added() {
    let mut doc = module("subroutine s(x, y)\n  real :: x, y\n  y = f(x) + 1.0\nend subroutine");
    doc.du_ud.sets.push(xaif_schema::model::StmtSet { key: 1, ..Default::default() });
    for reference in doc.refs.keys().collect::<Vec<_>>() {
        doc.refs[reference].du_ud = Some(1);
    }
    let doc = canonical(doc);
    assert!(doc.du_ud.sets.is_empty());
    assert!(doc.refs.values().all(|reference| reference.du_ud.is_none()));
}

#[test]
fn a_call_that_changes_state_in_an_output_list_with_an_index_is_refused() {
    let doc = module(
        "subroutine s(x)\n  real :: x(3)\n  integer :: i\n  print *, (shift(x(i)), i = 1, 3)\n\
         end subroutine",
    );
    assert_eq!(refused(doc), [(Code::CANNOT_HOIST, BODY + 3)]);
}

#[test]
fn an_active_call_in_a_nested_where_is_made_for_the_elements_of_both_masks() {
    let doc = canonical(module(
        "subroutine s(x)\n  real :: x(3)\n  where (x > 0.0)\n    x = 2.0*x\n    \
         where (x > 1.0) x = h(x)\n  end where\ncontains\n  elemental real function h(z)\n    \
         real, intent(in) :: z\n    h = z\n  end function\nend subroutine",
    ));
    let text = show::show(&doc);
    let (_, under_the_mask) = text.split_once("if (mask_2(i))").expect("an IF");
    assert!(under_the_mask.contains("h(x(i))") && !text.contains("h(x)"), "{text}");
}

#[test]
fn a_polymorphic_value_is_refused() {
    let doc = document(
        "module m\n  type t\n    real :: a\n  end type\ncontains\n\
         function make(x) result(r)\n  real :: x\n  class(t), allocatable :: r\n  \
         r = t(x)\nend function\nsubroutine use_it(v)\n  class(t) :: v\nend subroutine\n\
         subroutine s(x)\n  real :: x\n  call use_it(make(x))\nend subroutine\nend module\n",
    );
    assert_eq!(refused(doc), [(Code::NO_TEMPORARY, 16)]);
}

#[test]
fn a_deep_nest_of_calls_is_refused() {
    let mut doc = module("subroutine s(x)\n  real :: x\n  x = g(x)\nend subroutine");
    let assign = doc.stmts.keys().next_back().expect("the assignment");
    let StmtKind::Assign { mut rhs, lhs, .. } = doc.stmts[assign].kind else {
        panic!("no assignment");
    };
    for _ in 0..1200 {
        let mut outer = doc.exprs[rhs].clone();
        if let ExprKind::Call(call) = &mut outer.kind {
            call.args[0].value = ArgValue::Expr(rhs);
        }
        rhs = doc.exprs.push(outer);
    }
    doc.stmts[assign].kind = StmtKind::Assign { lhs, rhs, defined: None };
    assert_eq!(refused(doc), [(Code::CANONICAL_TOO_DEEP, BODY + 2)]);
}

#[test]
fn a_block_that_is_shorter_in_a_module_is_refused_where_a_variable_goes_beyond_its_end() {
    let source = |own: &str| {
        format!(
            "module m\n  real :: a(2)\n  common /blk/ a\nend module\n\
             subroutine s(x)\n  use m\n  real :: x\n  call t(x)\n  x = a(1)\nend subroutine\n\
             subroutine t(x)\n  real :: x, {own}\n  common /blk/ q\n  q(1) = x\nend subroutine\n"
        )
    };
    assert_eq!(refused(document(&source("q(4)"))), [(Code::COMMON_LENGTH, 2)]);
    let mut doc = document(&source("q(2)"));
    assert!(canonicalize(&mut doc).is_ok());
}
