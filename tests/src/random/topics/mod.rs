//! Random programs about one property each: structures as arguments, procedures that C calls, cycles of calls, and
//! procedures with several entries.

pub mod cycles;
pub mod entries;
pub mod from_c;
pub mod interoperable;
pub mod structures;
mod values;

use super::program::{HEAD, Node, Program, Ty, Unit};

/// A procedure without internal ones.
fn unit(open: &str, spec: Vec<String>, extra: Vec<(Vec<String>, String)>, body: Vec<Node>) -> Unit {
    let words: Vec<&str> = open.split([' ', '(']).collect();
    let at = words.iter().position(|word| matches!(*word, "subroutine" | "function"));
    let at = at.unwrap_or_default();
    let kind = words.get(at).copied().unwrap_or_default();
    let name = words.get(at + 1).copied().unwrap_or_default();
    Unit {
        name: name.into(),
        open: open.into(),
        spec,
        vars: Vec::new(),
        extra,
        first: Vec::new(),
        body,
        inner: Vec::new(),
        close: format!("end {kind} {name}"),
    }
}

/// A declaration that is printed where one of the names is used.
fn declared(names: &[&str], line: impl Into<String>) -> (Vec<String>, String) {
    (names.iter().map(|&name| name.to_owned()).collect(), line.into())
}

fn line(text: impl Into<String>) -> Node {
    Node::Line(text.into())
}

fn block(header: impl Into<String>, body: Vec<Node>, close: &str) -> Node {
    Node::Block { arms: vec![(header.into(), body)], close: close.into() }
}

/// The specification of `p(x, y)`.
fn head_spec() -> Vec<String> {
    ["real(8), intent(inout) :: x(3)", "real(8), intent(inout) :: y(2)"].map(str::to_owned).into()
}

/// A program whose head is `p(x, y)`.
fn program(seed: u64, modular: bool, module: Vec<String>, units: Vec<Unit>) -> Program {
    Program {
        seed,
        modular,
        module,
        units,
        args: vec![("x".into(), Ty::Real, vec![3]), ("y".into(), Ty::Real, vec![2])],
        mixed: false,
        may_be_refused: true,
        calls: 1,
    }
}

/// The first line of the head.
fn head_line() -> String {
    format!("subroutine {HEAD}(x, y)")
}
