//! Specifications are read as they are meant, and what is wrong in them is told with its place.

use xaif_schema::diag::{Code, Spot};
use xaif_schema::model::{Document, StmtKind, SymbolId};

use booster_facts::externals::*;

const FILE: &str = "spec.toml";

fn parsed(text: &str) -> Externals {
    Externals::parse(FILE, text).expect("a specification")
}

/// The specification of a procedure.
fn specified<'e>(externals: &'e Externals, name: &str) -> &'e External {
    externals.iter().find(|external| external.name == name).expect("a procedure")
}

/// Code and `line:column` of each message.
fn refused(text: &str) -> Vec<(Code, String)> {
    let found = Externals::parse(FILE, text).expect_err("it is refused");
    let place = |spot: &Option<Spot>| spot.as_ref().map(|s| format!("{}:{}", s.line, s.column));
    found.iter().map(|d| (d.code, place(&d.spot).unwrap_or_default())).collect()
}

fn argument(index: usize) -> Input {
    Slot::Argument(index).into()
}

/// The TOML blocks of the page for users.
fn example() -> String {
    let page = include_str!("../../../docs/externals.md");
    let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.collect()
}

#[test]
fn the_example_of_the_page_is_a_specification_and_means_what_the_page_says() {
    let externals = parsed(&example());
    let names: Vec<&str> = externals.iter().map(|external| external.name.as_str()).collect();
    assert_eq!(names, ["advance", "daxpy", "ddot", "dgemm", "timers::start"]);
    let daxpy = specified(&externals, "daxpy");
    let y = daxpy.argument(5).expect("y");
    assert!(y.read && y.written);
    assert_eq!(y.depends, [1, 2, 4].map(argument));
    assert_eq!(daxpy.globals, Some(Vec::new()), "pure");
    let tangent = daxpy.tangent.as_ref().expect("a tangent");
    assert_eq!(
        (tangent.name.as_str(), &tangent.with_derivative),
        ("daxpy_d", &Some(vec![1, 2, 4]))
    );
    let advance = specified(&externals, "advance");
    let state = advance.effect(Slot::Global(0)).expect("the block");
    let all = [argument(0), Slot::Global(0).into(), Slot::Global(1).into()];
    assert_eq!((state.name.as_str(), &state.depends[..]), ("/state/", &all[..]));
    let now = advance.effect(Slot::Global(1)).expect("the variable");
    assert_eq!(now.depends, [argument(0), Slot::Global(1).into()]);
    let ddot = specified(&externals, "ddot").result.as_ref().expect("a function");
    assert_eq!(ddot.depends, [argument(1), argument(3)]);
}

#[test]
fn globals_are_unknown_unless_listed_or_pure() {
    assert_eq!(specified(&parsed("[procedure.p]\n"), "p").globals, None);
    assert_eq!(specified(&parsed("[procedure.p]\nglobals = []\n"), "p").globals, Some(Vec::new()));
    assert_eq!(specified(&parsed("[procedure.p]\npure = true\n"), "p").globals, Some(Vec::new()));
}

#[test]
fn what_is_no_toml_is_refused_where_it_stands() {
    assert_eq!(refused("[procedure.p]\npure = maybe\n"), [(Code::EXTERNALS_FORM, "2:8".into())]);
}

#[test]
fn an_unknown_key_is_refused_where_it_stands() {
    assert_eq!(refused("[procedure.p]\nimpure = true\n"), [(Code::EXTERNALS_FORM, "2:1".into())]);
}

#[test]
fn an_unknown_word_for_the_access_is_refused_where_it_stands() {
    let text = "[procedure.p]\narguments = [\n  { name = 'x', access = 'use' },\n]\n";
    assert_eq!(refused(text), [(Code::EXTERNALS_FORM, "3:26".into())]);
}

#[test]
fn a_dependence_on_a_name_that_does_not_exist_is_refused() {
    let text = "[procedure.p]\narguments = [\n{ name = 'y', access = 'write', depends = ['x'] }]\n";
    assert_eq!(refused(text), [(Code::EXTERNALS_NAME, "3:44".into())]);
}

#[test]
fn a_dependence_on_what_is_not_read_is_refused() {
    let text = "[procedure.p]\narguments = [\n{ name = 'y', access = 'write', depends = ['y'] }]\n";
    assert_eq!(refused(text), [(Code::EXTERNALS_CONTRADICTION, "3:44".into())]);
}

#[test]
fn a_dependence_of_what_is_not_written_is_refused() {
    let text = "[procedure.p]\narguments = [{ name = 'y', access = 'read', depends = [] }]\n";
    assert_eq!(refused(text), [(Code::EXTERNALS_CONTRADICTION, "2:23".into())]);
}

#[test]
fn a_pure_procedure_that_writes_a_global_is_refused() {
    let text = "[procedure.p]\npure = true\nglobals = [{ name = '/c/', access = 'write' }]\n";
    assert_eq!(refused(text), [(Code::EXTERNALS_CONTRADICTION, "3:21".into())]);
}

#[test]
fn names_that_differ_in_case_only_are_the_same_name() {
    let text = "[procedure.p]\n[procedure.P]\n";
    assert_eq!(refused(text), [(Code::EXTERNALS_NAME, "1:12".into())]);
    let text = "[procedure.p]\narguments = [\n{ name = 'x', access = 'read' },\n\
                { name = 'X', access = 'read' }]\n";
    assert_eq!(refused(text), [(Code::EXTERNALS_NAME, "4:10".into())]);
}

#[test]
fn a_global_is_a_block_or_a_variable_of_a_module() {
    let text = "[procedure.p]\nglobals = [{ name = 'x', access = 'read' }]\n";
    assert_eq!(refused(text), [(Code::EXTERNALS_NAME, "2:21".into())]);
}

/// The symbols that the statements of `text` call, in order.
fn called(doc: &Document) -> Vec<SymbolId> {
    let callee = |kind: &StmtKind| match kind {
        StmtKind::Call(call) => Some(call.callee.symbol),
        _ => None,
    };
    doc.stmts.values().filter_map(|stmt| callee(&stmt.kind)).collect()
}

#[test]
fn a_specification_is_found_for_what_has_no_body_and_for_nothing_else() {
    let doc = booster_tests::document(
        "subroutine s(x, p)\n  use timers\n  implicit none\n  real :: x\n  external :: p, q\n\
           \n  call q(x)\n  call p(x)\n  call r(x)\n  call Known(x)\n  call unknown(x)\n\
           contains\n  subroutine r(x)\n    real :: x\n  end subroutine\nend subroutine\n\
           subroutine known(x)\n  real :: x\nend subroutine\n",
    );
    let text: String = ["p", "q", "r", "known"].map(|n| format!("[procedure.{n}]\n")).concat();
    let externals = parsed(&text);
    let found: Vec<(&str, bool)> = called(&doc)
        .into_iter()
        .map(|symbol| (doc.name(symbol), externals.find(&doc, symbol).is_some()))
        .collect();
    let expected = [("q", true), ("p", false), ("r", false), ("known", false), ("unknown", false)];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((name, is), (wanted, expected)) in found.into_iter().zip(expected) {
        assert_eq!((name.to_lowercase().as_str(), is), (wanted, expected));
    }
}
