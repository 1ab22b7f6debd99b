//! Random programs in which structures, their components and sections of them are arguments and are assigned.
//!
//! What a statement refers to is drawn by type and extent: `o%v(2:4)`, `oo(3:1:-2)%p%r` and `ss%w(1)` are vectors,
//! `oo%p` is a vector of structures. Whatever is allocatable stays allocated with three elements.

use super::super::dice::Dice;
use super::super::program::{Node, Program, Unit, has_word};
use super::super::state::text;
use super::values::{assignment, condition, value};
use super::{block, declared, head_line, head_spec, line, program, unit};

const TYPES: &str = "type :: part
  real(8) :: r = 0.3d0
  integer :: n = 1
  real(8) :: w(3) = 0.2d0
end type
type :: whole
  real(8) :: a = 0.4d0
  integer :: k = 2
  real(8) :: v(4) = -0.3d0
  real(8) :: m(2, 3) = 0.1d0
  type(part) :: p
  type(part) :: q(2)
  real(8), allocatable :: g(:)
  type(part), allocatable :: c(:)
end type
type(whole) :: mo
type(part) :: mp(3)";

/// A type of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Real,
    Part,
    Whole,
}

/// A variable.
#[derive(Clone)]
struct Root {
    name: String,
    ty: Ty,
    /// The extent of a vector.
    extent: Option<usize>,
    writable: bool,
}

/// A dummy argument.
#[derive(Clone)]
struct Dummy {
    root: Root,
    intent: &'static str,
    /// `:`, `*`, or an extent.
    shape: String,
}

struct Procedure {
    name: String,
    dummies: Vec<Dummy>,
    /// Variables of the module that it refers to.
    uses: Vec<String>,
}

struct Generator {
    dice: Dice,
    procedures: Vec<Procedure>,
    size: u32,
}

/// The program of a seed; `size` is about the number of statements of a procedure.
pub fn generate(seed: u64, size: u32) -> Program {
    let dice = Dice::new(seed ^ 0x57c7);
    Generator { dice, procedures: Vec::new(), size }.program(seed)
}

fn root(name: &str, ty: Ty, extent: Option<usize>) -> Root {
    Root { name: name.into(), ty, extent, writable: true }
}

/// A variable or a part of one, and the variable.
#[derive(Clone)]
struct Path {
    text: String,
    base: String,
}

type Scope = [Root];

impl Generator {
    fn program(mut self, seed: u64) -> Program {
        let mut units = functions();
        for number in 1..=self.dice.number(2, 4) {
            units.push(self.procedure(number));
        }
        units.push(self.head());
        program(seed, true, TYPES.lines().map(str::to_owned).collect(), units)
    }

    fn index(&mut self, extent: usize) -> String {
        self.dice.number(1, extent as u32).to_string()
    }

    /// A section of a vector, and its extent.
    fn range(&mut self, extent: usize) -> (String, usize) {
        match (self.dice.number(0, 3), extent) {
            (0, _) => (format!("1:{extent}:2"), extent.div_ceil(2)),
            (1, _) => (format!("{extent}:1:-1"), extent),
            (2, 2..) => (format!("2:{extent}"), extent - 1),
            (3, 3..) => ("1:2".into(), 2),
            _ => (format!(":{extent}"), extent),
        }
    }

    /// A component of a structure, by type: its name and its extent.
    fn component(&mut self, of: Ty, ty: Ty, vector: bool) -> Option<(String, Option<usize>)> {
        let (text, extent) = match (of, ty, vector) {
            (Ty::Whole, Ty::Real, false) => {
                let (i, j) = (self.index(2), self.index(3));
                match self.dice.number(0, 4) {
                    0 => (format!("v({})", self.index(4)), None),
                    1 => (format!("m({i}, {j})"), None),
                    2 => (format!("g({j})"), None),
                    _ => ("a".into(), None),
                }
            }
            (Ty::Whole, Ty::Real, true) => match self.dice.number(0, 6) {
                0 => (format!("m({}, :)", self.index(2)), Some(3)),
                1 => (format!("m(:, {})", self.index(3)), Some(2)),
                2 => ("g".into(), Some(3)),
                3 | 4 => {
                    let (range, extent) = self.range(4);
                    (format!("v({range})"), Some(extent))
                }
                5 => {
                    let (range, extent) = self.range(3);
                    (format!("g({range})"), Some(extent))
                }
                _ => ("v".into(), Some(4)),
            },
            (Ty::Whole, Ty::Part, false) => match self.dice.number(0, 2) {
                0 => ("p".into(), None),
                1 => (format!("q({})", self.index(2)), None),
                _ => (format!("c({})", self.index(3)), None),
            },
            (Ty::Whole, Ty::Part, true) => match self.dice.number(0, 2) {
                0 => ("q".into(), Some(2)),
                1 => ("c".into(), Some(3)),
                _ => {
                    let (range, extent) = self.range(3);
                    (format!("c({range})"), Some(extent))
                }
            },
            (Ty::Part, Ty::Real, false) => match self.dice.chance(0.5) {
                true => ("r".into(), None),
                false => (format!("w({})", self.index(3)), None),
            },
            (Ty::Part, Ty::Real, true) => match self.dice.chance(0.5) {
                true => ("w".into(), Some(3)),
                false => {
                    let (range, extent) = self.range(3);
                    (format!("w({range})"), Some(extent))
                }
            },
            _ => return None,
        };
        Some((text, extent))
    }

    /// Any scalar of a type.
    fn scalar(&mut self, scope: &Scope, ty: Ty, writable: bool) -> Option<Path> {
        for _ in 0..30 {
            let Some(root) = self.dice.any(scope) else { continue };
            if writable && !root.writable {
                continue;
            }
            let mut text = match root.extent {
                Some(extent) => format!("{}({})", root.name, self.index(extent)),
                None => root.name.clone(),
            };
            let mut own = root.ty;
            while own != ty {
                let next = if own == Ty::Whole && (ty == Ty::Part || self.dice.chance(0.4)) {
                    Ty::Part
                } else {
                    ty
                };
                let Some((name, _)) = self.component(own, next, false) else { break };
                text = format!("{text}%{name}");
                own = next;
            }
            if own == ty {
                return Some(Path { text, base: root.name });
            }
        }
        None
    }

    /// A vector of a type, and its extent.
    fn vector(&mut self, scope: &Scope, ty: Ty, writable: bool) -> Option<(Path, usize)> {
        for _ in 0..40 {
            let Some(root) = self.dice.any(scope) else { continue };
            if writable && !root.writable {
                continue;
            }
            let (mut text, mut extent) = match root.extent {
                Some(extent) if self.dice.chance(0.6) => match self.dice.chance(0.5) {
                    true => (root.name.clone(), Some(extent)),
                    false => {
                        let (range, extent) = self.range(extent);
                        (format!("{}({range})", root.name), Some(extent))
                    }
                },
                Some(extent) => (format!("{}({})", root.name, self.index(extent)), None),
                None => (root.name.clone(), None),
            };
            let mut own = root.ty;
            while own != ty {
                let next = if own == Ty::Whole && (ty == Ty::Part || self.dice.chance(0.4)) {
                    Ty::Part
                } else {
                    ty
                };
                let last = next == ty;
                let wants = extent.is_none() && (last || self.dice.chance(0.5));
                let Some((name, more)) = self.component(own, next, wants) else { break };
                // Behind an array no component is allocatable.
                let allocatable = name.starts_with(['g', 'c']);
                if extent.is_some() && allocatable {
                    break;
                }
                text = format!("{text}%{name}");
                own = next;
                extent = extent.or(more);
            }
            if let (true, Some(extent)) = (own == ty, extent) {
                return Some((Path { text, base: root.name }, extent));
            }
        }
        None
    }

    /// A vector of an extent.
    fn vector_of(
        &mut self,
        scope: &Scope,
        ty: Ty,
        extent: usize,
        writable: bool,
        taken: &[String],
    ) -> Option<Path> {
        for _ in 0..12 {
            let (path, own) = self.vector(scope, ty, writable)?;
            if own == extent && !taken.contains(&path.base) {
                return Some(path);
            }
        }
        None
    }

    /// Real scalars that are read.
    fn leaves(&mut self, scope: &Scope) -> Vec<String> {
        let mut leaves = Vec::new();
        for _ in 0..3 {
            leaves.extend(self.scalar(scope, Ty::Real, false).map(|path| path.text));
        }
        if let (true, Some((path, _))) =
            (self.dice.chance(0.3), self.vector(scope, Ty::Real, false))
        {
            leaves.push(format!("sum({})", path.text));
        }
        if let (true, Some(path)) = (self.dice.chance(0.3), self.scalar(scope, Ty::Part, false)) {
            leaves.push(format!("norm({})", path.text));
        }
        leaves
    }

    /// A structure as a value.
    fn made(&mut self, scope: &Scope) -> String {
        let leaves = self.leaves(scope);
        let one = value(&mut self.dice, &leaves, 1);
        let other = value(&mut self.dice, &leaves, 1);
        match self.dice.number(0, 3) {
            0 => format!("part({one}, 2, [{other}, 0.3d0, {one}])"),
            1 => format!("part({one}, 1, {other})"),
            2 => format!("part(r={one})"),
            _ => format!("fresh({one})"),
        }
    }

    fn statements(&mut self, scope: &Scope, depth: u32, count: u32) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..count {
            for _ in 0..10 {
                if let Some(found) = self.statement(scope, depth) {
                    nodes.extend(found);
                    break;
                }
            }
        }
        nodes
    }

    fn statement(&mut self, scope: &Scope, depth: u32) -> Option<Vec<Node>> {
        let deep = if depth > 0 { 1.0 } else { 0.0 };
        let weights = [3.0, 3.0, 2.0, 2.0, 1.0, 6.0, 1.0, deep, deep, 0.5 * deep, 0.7];
        let text = match self.dice.weighted(&weights) {
            0 => {
                let target = self.scalar(scope, Ty::Real, true)?;
                let leaves = self.leaves(scope);
                assignment(&mut self.dice, &target.text, &leaves)
            }
            1 => {
                let (target, extent) = self.vector(scope, Ty::Real, true)?;
                let other = self.vector_of(scope, Ty::Real, extent, false, &[])?;
                let leaves = self.leaves(scope);
                let factor = value(&mut self.dice, &leaves, 1);
                match self.dice.number(0, 2) {
                    0 => format!("{} = 0.8d0*{}*cos({factor})", target.text, other.text),
                    1 => {
                        format!(
                            "{0} = 0.5d0*{0} + 0.3d0*sin({1})*{factor}",
                            target.text, other.text
                        )
                    }
                    _ => format!("where ({} > 0.1d0) {} = sin({factor})", other.text, target.text),
                }
            }
            2 => {
                let target = self.scalar(scope, Ty::Part, true)?;
                let source = match self.dice.chance(0.5) {
                    true => self.made(scope),
                    false => self.scalar(scope, Ty::Part, false)?.text,
                };
                format!("{} = {source}", target.text)
            }
            3 => {
                let (target, extent) = self.vector(scope, Ty::Part, true)?;
                let source = match self.dice.number(0, 2) {
                    0 => self.made(scope),
                    _ => self.vector_of(scope, Ty::Part, extent, false, &[])?.text,
                };
                format!("{} = {source}", target.text)
            }
            4 => {
                let target = self.scalar(scope, Ty::Whole, true)?;
                let source = self.scalar(scope, Ty::Whole, false)?;
                if target.text == source.text {
                    return None;
                }
                format!("{} = {}", target.text, source.text)
            }
            5 => return self.call(scope),
            6 => {
                let whole = self.scalar(scope, Ty::Whole, true)?.text;
                let leaves = self.leaves(scope);
                let one = value(&mut self.dice, &leaves, 1);
                match self.dice.number(0, 3) {
                    0 => format!("{whole}%g = [{one}, 0.4d0, {one}*0.5d0]"),
                    1 => format!("{whole}%g = {whole}%g(3:1:-1)*cos({one})"),
                    2 => format!("{whole}%c = {whole}%c([3, 1, 2])"),
                    _ => format!("{whole}%c = [{}, {whole}%c(1:2)]", self.made(scope)),
                }
            }
            7 => {
                let leaves = self.leaves(scope);
                let header = format!("if ({}) then", condition(&mut self.dice, &leaves));
                let mut arms = vec![(header, self.statements(scope, depth - 1, 2))];
                if self.dice.chance(0.5) {
                    arms.push(("else".into(), self.statements(scope, depth - 1, 1)));
                }
                return Some(vec![Node::Block { arms, close: "end if".into() }]);
            }
            8 => {
                let body = self.statements(scope, depth - 1, 2);
                return Some(vec![block(format!("do i{depth} = 1, 2"), body, "end do")]);
            }
            9 => {
                let (path, _) = self.vector(scope, Ty::Real, true)?;
                let leaves = self.leaves(scope);
                let factor = value(&mut self.dice, &leaves, 1);
                let inside = line(format!("z = z*cos({factor}) + 0.1d0"));
                return Some(vec![block(
                    format!("associate (z => {})", path.text),
                    vec![inside],
                    "end associate",
                )]);
            }
            _ => {
                let (target, extent) = self.vector(scope, Ty::Part, true)?;
                let own = self.vector_of(scope, Ty::Real, extent, false, &[])?;
                format!("{} = fresh({})", target.text, own.text)
            }
        };
        Some(vec![line(text)])
    }

    fn call(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let count = self.procedures.len();
        let at = self.dice.number(0, count.saturating_sub(1) as u32) as usize;
        let callee = self.procedures.get(at)?;
        let (name, dummies) = (callee.name.clone(), callee.dummies.clone());
        let mut taken = callee.uses.clone();
        let mut actual = Vec::new();
        for dummy in dummies {
            let writable = dummy.intent != "in";
            let path = match dummy.root.extent {
                Some(extent) => self.vector_of(scope, dummy.root.ty, extent, writable, &taken)?,
                None => {
                    let mut found = None;
                    for _ in 0..12 {
                        let path = self.scalar(scope, dummy.root.ty, writable)?;
                        if !taken.contains(&path.base) {
                            found = Some(path);
                            break;
                        }
                    }
                    found?
                }
            };
            taken.push(path.base);
            actual.push(path.text);
        }
        Some(vec![line(format!("call {name}({})", actual.join(", ")))])
    }

    fn dummy(&mut self, name: &str) -> Dummy {
        let ty = self.dice.one([Ty::Real, Ty::Real, Ty::Real, Ty::Part, Ty::Part, Ty::Whole]);
        let extent = match (ty, self.dice.chance(0.65)) {
            (Ty::Real, true) => Some(self.dice.one([2, 3, 3, 4])),
            (Ty::Part | Ty::Whole, true) => Some(self.dice.one([2, 3])),
            (_, false) => None,
        };
        let intent = self.dice.one(["in", "out", "out", "inout", "inout"]);
        let shape = match extent {
            Some(extent) => match self.dice.number(0, 2) {
                0 => extent.to_string(),
                // The default values of an assumed-size array are those of nobody knows how many elements.
                1 if ty == Ty::Real => "*".into(),
                _ => ":".into(),
            },
            None => String::new(),
        };
        Dummy { root: Root { writable: intent != "in", ..root(name, ty, extent) }, intent, shape }
    }

    /// Statements that give a dummy argument, INTENT(OUT), what it is read with.
    fn first_values(&mut self, dummy: &Dummy, leaves: &[String]) -> Vec<Node> {
        let Root { name, ty, extent, .. } = &dummy.root;
        let one = value(&mut self.dice, leaves, 1);
        match (ty, extent) {
            (Ty::Real, None) => vec![line(format!("{name} = {one}"))],
            (Ty::Real, Some(extent)) => {
                let section =
                    if dummy.shape == "*" { format!("(:{extent})") } else { String::new() };
                vec![line(format!("{name}{section} = {one}"))]
            }
            // The default values are first values.
            (Ty::Part, _) => Vec::new(),
            (Ty::Whole, None) => allocated(name, &one),
            (Ty::Whole, Some(extent)) => {
                (1..=*extent).flat_map(|at| allocated(&format!("{name}({at})"), &one)).collect()
            }
        }
    }

    fn procedure(&mut self, number: u32) -> Unit {
        let names = ["d1", "d2", "d3"];
        let count = self.dice.number(1, 3) as usize;
        let dummies: Vec<Dummy> = names[..count].iter().map(|name| self.dummy(name)).collect();
        let mut scope: Vec<Root> = vec![root("t", Ty::Real, None)];
        for dummy in &dummies {
            let mut own = dummy.root.clone();
            // The whole of an assumed-size array has no extent.
            if dummy.shape == "*" {
                own = Root { extent: None, name: format!("{}(1)", own.name), ..own };
            }
            scope.push(own);
        }
        let global = self.dice.chance(0.3);
        if global {
            scope.push(match self.dice.chance(0.5) {
                true => root("mo", Ty::Whole, None),
                false => root("mp", Ty::Part, Some(3)),
            });
        }
        let read: Vec<String> = dummies
            .iter()
            .filter(|dummy| dummy.intent != "out" && dummy.root.ty == Ty::Real)
            .map(|dummy| match dummy.root.extent {
                Some(_) => format!("{}(2)", dummy.root.name),
                None => dummy.root.name.clone(),
            })
            .collect();
        let mut body = vec![line("t = 0.3d0")];
        for dummy in dummies.iter().filter(|dummy| dummy.intent == "out") {
            body.extend(self.first_values(dummy, &read));
        }
        let count = self.dice.number(2, 2 + self.size / 2);
        body.extend(self.statements(&scope, 1, count));
        let name = format!("k{number}");
        let own: String = text(&body);
        let mut uses: Vec<String> = ["mo", "mp"]
            .into_iter()
            .filter(|name| has_word(&own, name))
            .map(str::to_owned)
            .collect();
        for callee in &self.procedures {
            if has_word(&own, &callee.name) {
                uses.extend(callee.uses.iter().cloned());
            }
        }
        let arguments: Vec<&str> = dummies.iter().map(|dummy| dummy.root.name.as_str()).collect();
        let open = format!("subroutine {name}({})", arguments.join(", "));
        let spec = dummies.iter().map(declaration).collect();
        self.procedures.push(Procedure { name, dummies, uses });
        unit(&open, spec, locals(), body)
    }

    fn head(&mut self) -> Unit {
        let mut scope: Vec<Root> = vec![
            root("s1", Ty::Real, None),
            root("s2", Ty::Real, None),
            root("b", Ty::Real, Some(4)),
        ];
        let mut body: Vec<Node> =
            ["s1 = 0.4d0*x(1)", "s2 = x(2)*x(3)", "b = [x, 0.3d0]"].map(line).into();
        for (name, ty, extent) in [
            ("o", Ty::Whole, None),
            ("oo", Ty::Whole, Some(3)),
            ("s", Ty::Part, None),
            ("ss", Ty::Part, Some(4)),
            ("mo", Ty::Whole, None),
            ("mp", Ty::Part, Some(3)),
        ] {
            if self.dice.chance(if name.starts_with('m') { 1.0 } else { 0.75 }) {
                scope.push(root(name, ty, extent));
                let elements: Vec<String> = match extent {
                    Some(extent) => (1..=extent).map(|at| format!("{name}({at})")).collect(),
                    None => vec![name.to_owned()],
                };
                let from = self.dice.one(["x(1)", "x(2)", "x(3)"]);
                for (at, element) in elements.iter().enumerate() {
                    match ty {
                        Ty::Whole => {
                            body.extend(filled(element, from));
                            body.push(line(format!("{element}%p%w = {from}*0.{}d0", at + 3)));
                        }
                        _ => body.push(line(format!(
                            "{element} = part(0.{}d0*{from}, 1, x*0.5d0)",
                            at + 2
                        ))),
                    }
                }
            }
        }
        let count = self.dice.number(2, self.size.max(3));
        body.extend(self.statements(&scope, 2, count));
        body.push(line("y = [0.3d0*y(1) + s1, s2*0.7d0 + sum(b)]"));
        for Root { name, ty, extent, .. } in &scope {
            let sum = |text: &str| match extent {
                Some(_) => format!("sum({text})"),
                None => text.to_owned(),
            };
            let add = |text: String| line(format!("y(1) = 0.8d0*y(1) + {text}"));
            let more = |text: String| line(format!("y(2) = sin(y(2)) + {text}"));
            match ty {
                Ty::Real => {}
                Ty::Part => {
                    body.push(add(sum(&format!("{name}%r"))));
                    body.push(more(sum(&format!("{name}%w(2)"))));
                }
                Ty::Whole => {
                    let first = if extent.is_some() { format!("{name}(2)") } else { name.clone() };
                    body.push(add(sum(&format!("{name}%a"))));
                    body.push(more(format!("sum({first}%v) + sum({first}%m(2, :))")));
                    body.push(add(format!("sum({first}%g)*0.4d0 + sum({first}%q%r)")));
                    body.push(more(format!("sum({first}%c%w(3)) + {first}%p%w(1)")));
                }
            }
        }
        let mut extra = locals();
        for (names, text) in [
            (["s1"], "real(8) :: s1"),
            (["s2"], "real(8) :: s2"),
            (["b"], "real(8) :: b(4)"),
            (["o"], "type(whole) :: o"),
            (["oo"], "type(whole) :: oo(3)"),
            (["s"], "type(part) :: s"),
            (["ss"], "type(part) :: ss(4)"),
        ] {
            extra.push(declared(&names, text));
        }
        unit(&head_line(), head_spec(), extra, body)
    }
}

fn declaration(dummy: &Dummy) -> String {
    let Dummy { root: Root { name, ty, .. }, intent, shape } = dummy;
    let ty = match ty {
        Ty::Real => "real(8)",
        Ty::Part => "type(part)",
        Ty::Whole => "type(whole)",
    };
    let shape = if shape.is_empty() { String::new() } else { format!("({shape})") };
    format!("{ty}, intent({intent}) :: {name}{shape}")
}

/// What is unallocated becomes allocated.
fn allocated(name: &str, value: &str) -> Vec<Node> {
    [format!("allocate({name}%g(3), {name}%c(3))"), format!("{name}%g = {value}")].map(line).into()
}

/// An object of the head, which may have been allocated by the last call.
fn filled(name: &str, from: &str) -> Vec<Node> {
    [
        format!("{name}%a = 0.3d0*{from}"),
        format!("{name}%v = [x, 0.4d0*{from}]"),
        format!("{name}%m = 0.2d0*{from}"),
        format!("{name}%g = [0.5d0, {from}, 0.3d0*x(1)]"),
        format!("{name}%q = part(0.2d0*x(2), 1, {from})"),
        format!("{name}%c = [part({from}), part(0.4d0), part(x(3))]"),
    ]
    .map(line)
    .into()
}

fn functions() -> Vec<Unit> {
    let norm = unit(
        "elemental function norm(d) result(r)",
        ["type(part), intent(in) :: d", "real(8) :: r"].map(str::to_owned).into(),
        Vec::new(),
        vec![line("r = sin(d%r) + 0.3d0*sum(d%w*d%w(3:1:-1))")],
    );
    let fresh = unit(
        "elemental function fresh(u) result(r)",
        ["real(8), intent(in) :: u", "type(part) :: r"].map(str::to_owned).into(),
        Vec::new(),
        ["r%r = cos(u)", "r%w(2) = 0.5d0*u"].map(line).into(),
    );
    vec![norm, fresh]
}

fn locals() -> Vec<(Vec<String>, String)> {
    vec![
        declared(&["t"], "real(8) :: t"),
        declared(&["i1"], "integer :: i1"),
        declared(&["i2"], "integer :: i2"),
    ]
}
