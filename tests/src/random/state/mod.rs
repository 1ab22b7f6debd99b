//! Random programs about properties that are state: allocation, bounds, association, dynamic type, length.
//!
//! Procedures change and read variables of the module and of their host, and call each other in sequence, in
//! branches and in loops. Each statement keeps what the next one needs: allocatable variables are allocated and
//! not empty, values stay small. A pointer may be disassociated; what reads it asks first.

mod blocks;
mod expr;
mod library;
mod objects;
mod places;
mod pointers;
mod procedures;
mod vectors;

use super::dice::Dice;
use super::program::{HEAD, Node, Program, Ty, Unit, has_word};
use places::{Places, Scope};
use procedures::Procedure;

/// What makes one program.
struct Generator {
    dice: Dice,
    /// The procedures that statements may call.
    callable: Vec<Procedure>,
    /// The number in the next name.
    names: u32,
    size: u32,
    /// Whether variables keep what the last call of the head has left in them.
    lasting: bool,
}

/// The program of a seed; `size` is about the number of statements of a procedure.
pub fn generate(seed: u64, size: u32) -> Program {
    let dice = Dice::new(seed ^ 0x57a7e);
    Generator { dice, callable: Vec::new(), names: 0, size, lasting: false }.program(seed)
}

/// The same, but variables get their first values in the first call of the head only, and there are COMMON blocks,
/// SAVE and structures with pointer components.
pub fn generate_lasting(seed: u64, size: u32) -> Program {
    let dice = Dice::new(seed ^ 0x1a57);
    Generator { dice, callable: Vec::new(), names: 0, size, lasting: true }.program(seed)
}

impl Generator {
    fn program(&mut self, seed: u64) -> Program {
        let places = Places::choose(&mut self.dice, self.lasting);
        let shared = places.module_scope();
        let mut units = library::procedures(&places);
        for _ in 0..self.dice.number(1, 3) {
            units.push(self.procedure(&shared, false));
        }
        let mut scope = places.head_scope();
        let inner: Vec<Unit> = (0..self.dice.number(0, 2))
            .map(|_| self.procedure(&scope.without_arguments(), true))
            .collect();
        let mut body = places.first_values();
        let statements = self.statements(&scope, 2, self.size);
        body.extend(statements);
        scope.scalars.retain(|name| !name.starts_with('x'));
        body.extend(places.sums(&scope));
        let args = ["real(8), intent(inout) :: x(3)", "real(8), intent(inout) :: y(2)"];
        units.push(Unit {
            name: HEAD.into(),
            open: format!("subroutine {HEAD}(x, y)"),
            spec: args.map(str::to_owned).to_vec(),
            vars: places.host_variables(),
            extra: self.locals(),
            first: Vec::new(),
            body,
            inner,
            close: format!("end subroutine {HEAD}"),
        });
        Program {
            seed,
            modular: true,
            module: places.module_text(),
            units,
            args: vec![("x".into(), Ty::Real, vec![3]), ("y".into(), Ty::Real, vec![2])],
            mixed: false,
            may_be_refused: true,
            calls: if self.lasting { 3 } else { 1 },
        }
    }

    /// Local variables that statements of any procedure may need.
    fn locals(&self) -> Vec<(Vec<String>, String)> {
        let mut all = counters();
        if self.lasting {
            all.push((vec!["kept".into()], "real(8), save :: kept = 0.3d0".into()));
        }
        all
    }

    /// A name that no other has.
    fn name(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }
}

/// Local variables that statements of any procedure may need, and a statement function.
fn counters() -> Vec<(Vec<String>, String)> {
    let mut all: Vec<(Vec<String>, String)> = ["i1", "i2", "i3", "j"]
        .map(|name| (vec![name.to_owned()], format!("integer :: {name}")))
        .into();
    for (name, line) in [
        ("t", "real(8) :: t"),
        ("moved", "real(8), allocatable :: moved(:)"),
        ("part", "real(8), allocatable :: part(:)"),
        ("item", "class(base), allocatable :: item"),
        ("bend", "real(8) :: bend, bent"),
        ("bend", "bend(bent) = bent*sin(0.7d0*bent)"),
    ] {
        all.push((vec![name.to_owned()], line.to_owned()));
    }
    all
}

/// A construct with one body.
fn block(header: impl Into<String>, body: Vec<Node>, close: &str) -> Node {
    Node::Block { arms: vec![(header.into(), body)], close: close.into() }
}

/// Statements, each a line.
fn lines<const N: usize>(lines: [String; N]) -> Vec<Node> {
    lines.into_iter().map(Node::Line).collect()
}

/// All text of nodes, with which names are looked for.
pub(super) fn text(nodes: &[Node]) -> String {
    let mut all = String::new();
    for node in nodes {
        match node {
            Node::Line(line) => all.push_str(line),
            Node::Block { arms, close } => {
                for (header, body) in arms {
                    all.push_str(header);
                    all.push('\n');
                    all.push_str(&text(body));
                }
                all.push_str(close);
            }
        }
        all.push('\n');
    }
    all
}

/// Whether the text names the variable.
fn names(text: &str, variable: &str) -> bool {
    has_word(text, variable)
}
