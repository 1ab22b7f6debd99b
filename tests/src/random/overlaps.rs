//! Random programs in which the arguments of a call overlap: sections, elements that stand for those behind
//! them, rows and columns of one array, which is a local variable, in a module, in COMMON, a component,
//! equivalenced, or a dummy argument.
//!
//! What a procedure overwrites by one name is part of nothing that another name is associated with (Fortran
//! 2018, 15.5.2.13), nor, as compilers pass sections as copies that come back whole, of a section. What is only
//! read may be read by all names, while other elements are overwritten.

use std::collections::BTreeSet;

use super::dice::Dice;
use super::program::{HEAD, Node, Program, Ty, Unit};

/// How a dummy argument is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Scalar,
    Explicit,
    /// An argument tells the extent.
    Adjustable,
    /// `(*)`
    AssumedSize,
    /// `(:)`: the shape of what is passed.
    Passed,
}

/// How an actual argument stands for several elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A scalar dummy argument of the caller.
    Scalar,
    /// An element, for those behind it, too.
    Element,
    Section,
    Whole,
}

/// An array, or a dummy argument of a caller, that arguments are parts of.
#[derive(Clone)]
struct Array {
    name: String,
    rows: usize,
    /// 1 for a vector.
    columns: usize,
    /// Whether an element stands for those behind it.
    sequence: bool,
}

/// An actual argument.
#[derive(Clone)]
struct View {
    text: String,
    /// The elements of the array, from 0, that it stands for.
    at: Vec<usize>,
    form: Form,
}

/// What is done with elements, from 0.
#[derive(Clone, Default)]
struct Uses {
    reads: BTreeSet<usize>,
    writes: BTreeSet<usize>,
}

impl Uses {
    fn all(&self) -> impl Iterator<Item = usize> {
        self.reads.iter().chain(&self.writes).copied()
    }
}

struct Dummy {
    name: String,
    shape: Shape,
    extent: usize,
    uses: Uses,
}

/// What a call does.
struct Called {
    text: String,
    /// To the elements of each argument's array.
    uses: Vec<Uses>,
    global: Uses,
}

struct Generator {
    dice: Dice,
    units: Vec<Unit>,
    kernels: u32,
    /// An array of the module that procedures name themselves.
    global: Option<Array>,
}

/// The program of a seed; `size` is about the number of statements of a procedure.
pub fn generate(seed: u64, size: u32) -> Program {
    let mut generator =
        Generator { dice: Dice::new(seed), units: Vec::new(), kernels: 0, global: None };
    generator.program(seed, size)
}

impl Generator {
    fn program(&mut self, seed: u64, size: u32) -> Program {
        let (rows, columns) = match self.dice.chance(0.25) {
            true => (self.index(3, 5), self.index(3, 4)),
            false => (self.index(7, 12), 1),
        };
        let extents = if columns > 1 { format!("{rows}, {columns}") } else { rows.to_string() };
        let spec = format!("real(8) :: v({extents})");
        let place =
            self.dice.one(["local", "module", "common", "component", "equivalence", "dummy"]);
        let name = if place == "component" { "s%v" } else { "v" };
        let array = Array { name: name.into(), rows, columns, sequence: true };
        let mut module = Vec::new();
        let mut local = Vec::new();
        match place {
            "module" => {
                module.push(spec);
                self.global = (columns == 1 && self.dice.chance(0.6)).then(|| array.clone());
            }
            "common" => {
                local = vec![spec, "common /blk/ v".into()];
            }
            "component" => {
                module.extend(["type :: part".into(), "  real(8) :: w".into()]);
                module.extend([format!("  {spec}"), "end type".into()]);
                local.push("type(part) :: s".into());
            }
            "equivalence" => {
                local.push(format!("real(8) :: v({extents}), e({extents})"));
                local.push("equivalence (v, e)".into());
            }
            _ => local.push(spec),
        }
        let calls = self.calls(&array, place == "equivalence", size);
        let fill = fill(&array);
        let sums = sums(&array);
        let args = ["real(8), intent(inout) :: x(3)", "real(8), intent(inout) :: y(2)"];
        let args = args.map(str::to_owned);
        let mut spec = args.to_vec();
        spec.extend(local.iter().cloned());
        let mut body = fill;
        if place == "dummy" {
            let own = vec![local[0].replace("::", ", intent(inout) ::").replace(" ,", ",")];
            self.units.push(unit("inner", "subroutine inner(v)", own, calls));
            body.push(Node::Line("call inner(v)".into()));
        } else {
            body.extend(calls);
        }
        body.extend(sums);
        self.units.push(unit(HEAD, &format!("subroutine {HEAD}(x, y)"), spec, body));
        Program {
            seed,
            modular: true,
            module,
            units: std::mem::take(&mut self.units),
            args: vec![("x".into(), Ty::Real, vec![3]), ("y".into(), Ty::Real, vec![2])],
            mixed: false,
            may_be_refused: true,
            calls: 1,
        }
    }

    fn index(&mut self, low: usize, high: usize) -> usize {
        self.dice.number(low as u32, high.max(low) as u32) as usize
    }

    /// Calls of procedures that get parts of the array.
    fn calls(&mut self, array: &Array, equivalenced: bool, size: u32) -> Vec<Node> {
        let mut calls = Vec::new();
        for _ in 0..self.dice.number(1, 1 + size / 3) {
            for _ in 0..60 {
                let mut views: Vec<View> =
                    (0..self.index(2, 3)).map(|_| self.view(array)).collect();
                for view in &mut views {
                    if equivalenced && self.dice.chance(0.4) {
                        view.text.replace_range(..1, "e");
                    }
                }
                let owners = vec![0; views.len()];
                if let Some(called) = self.call(&views, &owners, 1) {
                    calls.push(Node::Line(called.text));
                    break;
                }
            }
        }
        calls
    }

    /// A part of an array.
    fn view(&mut self, array: &Array) -> View {
        let Array { name, rows, columns, sequence } = array.clone();
        let count = rows * columns;
        let form = self.dice.weighted(&[if sequence { 5.0 } else { 0.0 }, 3.0, 1.0]);
        if form == 2 {
            // What was passed by its shape may be a section.
            let form = if sequence { Form::Whole } else { Form::Section };
            return View { text: name, at: (0..count).collect(), form };
        }
        if form == 0 {
            let at = self.index(0, count - 1);
            let text = match columns {
                1 => format!("{name}({})", at + 1),
                _ => format!("{name}({}, {})", at % rows + 1, at / rows + 1),
            };
            return View { text, at: (at..count).collect(), form: Form::Element };
        }
        if columns > 1 && self.dice.chance(0.5) {
            let row = self.index(0, rows - 1);
            let at = (0..columns).map(|column| row + rows * column).collect();
            return View { text: format!("{name}({}, :)", row + 1), at, form: Form::Section };
        }
        let column = self.index(0, columns - 1);
        let low = self.index(0, rows - 1);
        let high = self.index(low, rows - 1);
        let (stride, mut at): (i32, Vec<usize>) = match self.dice.one([1, 1, 2, 3, -1]) {
            -1 => (-1, (low..=high).rev().collect()),
            stride => (stride, (low..=high).step_by(stride as usize).collect()),
        };
        let (first, last) = (at[0] + 1, at[at.len() - 1] + 1);
        let mut range = format!("{first}:{last}");
        if stride != 1 {
            range += &format!(":{stride}");
        }
        let text = match columns {
            1 => format!("{name}({range})"),
            _ => format!("{name}({range}, {})", column + 1),
        };
        at.iter_mut().for_each(|own| *own += rows * column);
        View { text, at, form: Form::Section }
    }

    /// A call of a new procedure with these arguments, whose arrays are told apart by `owners`, if that keeps the
    /// rule and overwrites something.
    fn call(&mut self, views: &[View], owners: &[usize], depth: u32) -> Option<Called> {
        let made = (self.units.len(), self.kernels);
        let mut dummies = Vec::new();
        for (view, name) in views.iter().zip(["a", "b", "c"]) {
            let shape = match view.form {
                Form::Scalar => Shape::Scalar,
                Form::Element => self.dice.one([
                    Shape::Scalar,
                    Shape::Explicit,
                    Shape::Adjustable,
                    Shape::AssumedSize,
                ]),
                // The whole may have two dimensions.
                Form::Whole => {
                    self.dice.one([Shape::Explicit, Shape::Adjustable, Shape::AssumedSize])
                }
                Form::Section => self.dice.one([
                    Shape::Explicit,
                    Shape::Adjustable,
                    Shape::AssumedSize,
                    Shape::Passed,
                ]),
            };
            let extent = match shape {
                Shape::Scalar => 1,
                Shape::Explicit | Shape::Adjustable => self.index(1, view.at.len().min(6)),
                Shape::AssumedSize | Shape::Passed => view.at.len(),
            };
            // `a(1)` is a way to say `a(*)` where it is passed to what is not known, as the tape is in
            // the text of an adjoint.
            let shape = match shape {
                Shape::Explicit if extent == 1 => Shape::Adjustable,
                shape => shape,
            };
            let name = name.to_owned();
            dummies.push(Dummy { name, shape, extent, uses: Uses::default() });
        }
        let (name, global) = self.kernel(&mut dummies, depth);
        // What the callee of a callee does to the array of the module counts where that is called.
        let by_name = if depth > 0 { global.clone() } else { Uses::default() };
        if !keeps_the_rule(&dummies, views, owners, &by_name) {
            self.units.truncate(made.0);
            self.kernels = made.1;
            return None;
        }
        let extents = dummies.iter().filter(|dummy| dummy.shape == Shape::Adjustable);
        let extents = extents.map(|dummy| dummy.extent.to_string());
        let actual: Vec<String> =
            views.iter().map(|view| view.text.clone()).chain(extents).collect();
        let elements =
            |own: &BTreeSet<usize>, view: &View| own.iter().map(|&at| view.at[at]).collect();
        let uses = dummies.iter().zip(views).map(|(dummy, view)| Uses {
            reads: elements(&dummy.uses.reads, view),
            writes: elements(&dummy.uses.writes, view),
        });
        let text = format!("call {name}({})", actual.join(", "));
        Some(Called { text, uses: uses.collect(), global })
    }

    /// A procedure with these dummy arguments; its name, and what it does to the array of the module.
    fn kernel(&mut self, dummies: &mut [Dummy], depth: u32) -> (String, Uses) {
        let mut global = Uses::default();
        let mut body = Vec::new();
        for _ in 0..self.dice.number(1, 3) {
            body.push(self.statement(dummies, &mut global));
        }
        if depth > 0
            && self.dice.chance(0.5)
            && let Some(call) = self.inner_call(dummies, &mut global, depth)
        {
            let at = if self.dice.chance(0.5) { 0 } else { body.len() };
            body.insert(at, Node::Line(call));
        }
        self.kernels += 1;
        let name = format!("k{}", self.kernels);
        let extents = dummies.iter().filter(|dummy| dummy.shape == Shape::Adjustable);
        let extents: Vec<String> = extents.map(|dummy| format!("n{}", dummy.name)).collect();
        let mut spec: Vec<String> =
            extents.iter().map(|extent| format!("integer, intent(in) :: {extent}")).collect();
        spec.extend(dummies.iter().map(declaration));
        let arguments: Vec<String> =
            dummies.iter().map(|dummy| dummy.name.clone()).chain(extents).collect();
        let open = format!("subroutine {name}({})", arguments.join(", "));
        self.units.push(unit(&name, &open, spec, body));
        (name, global)
    }

    /// A call with parts of the dummy arguments.
    fn inner_call(
        &mut self,
        dummies: &mut [Dummy],
        global: &mut Uses,
        depth: u32,
    ) -> Option<String> {
        for _ in 0..20 {
            let mut views = Vec::new();
            let mut owners = Vec::new();
            for _ in 0..self.index(2, 3) {
                let owner = self.index(0, dummies.len() - 1);
                let Dummy { name, shape, extent, .. } = &dummies[owner];
                let (name, rows) = (name.clone(), *extent);
                let sequence = *shape != Shape::Passed;
                let open = *shape == Shape::AssumedSize;
                let view = match shape {
                    Shape::Scalar => View { text: name, at: vec![0], form: Form::Scalar },
                    _ => self.view(&Array { name, rows, columns: 1, sequence }),
                };
                // The whole of an assumed-size array has no extent.
                if view.form != Form::Whole || !open {
                    views.push(view);
                    owners.push(owner);
                }
            }
            if views.len() < 2 {
                continue;
            }
            if let Some(called) = self.call(&views, &owners, depth - 1) {
                for (owner, uses) in owners.into_iter().zip(called.uses) {
                    dummies[owner].uses.reads.extend(uses.reads);
                    dummies[owner].uses.writes.extend(uses.writes);
                }
                global.reads.extend(called.global.reads);
                global.writes.extend(called.global.writes);
                return Some(called.text);
            }
        }
        None
    }

    /// One value that is read.
    fn value(&mut self, dummies: &mut [Dummy], global: &mut Uses) -> String {
        if let Some(array) = self.global.clone()
            && self.dice.chance(0.3)
        {
            let at = self.index(0, array.rows - 1);
            global.reads.insert(at);
            return format!("{}({})", array.name, at + 1);
        }
        let own = self.index(0, dummies.len() - 1);
        let at = self.index(0, dummies[own].extent - 1);
        dummies[own].uses.reads.insert(at);
        element(&dummies[own], at)
    }

    fn statement(&mut self, dummies: &mut [Dummy], global: &mut Uses) -> Node {
        let target = self.index(0, dummies.len() - 1);
        let arrays: Vec<usize> =
            (0..dummies.len()).filter(|&at| dummies[at].shape != Shape::Scalar).collect();
        match self.dice.weighted(&[4.0, 4.0, 2.0, 1.0]) {
            1 if !arrays.is_empty() && dummies[target].shape != Shape::Scalar => {
                self.round(dummies, target, &arrays, global)
            }
            2 if !arrays.is_empty() => self.total(dummies, target, &arrays),
            3 if self.global.is_some() => {
                let rows = self.global.as_ref().map_or(1, |array| array.rows);
                let at = self.index(0, rows - 1);
                let (one, other) = (self.value(dummies, global), self.value(dummies, global));
                global.writes.insert(at);
                Node::Line(format!("v({}) = 0.5d0*{one}*cos({other})", at + 1))
            }
            _ => {
                let at = self.index(0, dummies[target].extent - 1);
                let (one, other) = (self.value(dummies, global), self.value(dummies, global));
                dummies[target].uses.writes.insert(at);
                let own = element(&dummies[target], at);
                let (line, reads) = self.assignment(&own, &one, &other);
                if reads {
                    dummies[target].uses.reads.insert(at);
                }
                Node::Line(line)
            }
        }
    }

    /// An assignment to an element, and whether it reads that.
    fn assignment(&mut self, own: &str, one: &str, other: &str) -> (String, bool) {
        match self.dice.number(1, 3) {
            1 => (format!("{own} = 0.5d0*{one}*cos({other})"), false),
            2 => (format!("{own} = 0.5d0*cos({own})*{one} + 0.2d0*{other}"), true),
            _ => (format!("{own} = 0.7d0*{own} + 0.2d0*{one}*sin({other})"), true),
        }
    }

    /// A loop that overwrites some elements in a row.
    fn round(
        &mut self,
        dummies: &mut [Dummy],
        target: usize,
        arrays: &[usize],
        global: &mut Uses,
    ) -> Node {
        let extent = dummies[target].extent;
        let low = self.index(0, extent - 1);
        let high = self.index(low, extent - 1);
        let mut operands = Vec::new();
        for _ in 0..2 {
            let from = self.dice.any(arrays).unwrap_or(target);
            let length = high - low + 1;
            if length > dummies[from].extent {
                operands.push(self.value(dummies, global));
                continue;
            }
            let first = self.index(0, dummies[from].extent - length);
            dummies[from].uses.reads.extend(first..first + length);
            let name = &dummies[from].name;
            operands.push(match first as i64 - low as i64 {
                0 => format!("{name}(i)"),
                shift => format!("{name}(i{shift:+})"),
            });
        }
        let own = format!("{}(i)", dummies[target].name);
        dummies[target].uses.writes.extend(low..=high);
        let (line, reads) = self.assignment(&own, &operands[0], &operands[1]);
        if reads {
            dummies[target].uses.reads.extend(low..=high);
        }
        let header = format!("do i = {}, {}", low + 1, high + 1);
        Node::Block { arms: vec![(header, vec![Node::Line(line)])], close: "end do".into() }
    }

    /// A sum of products of elements, which goes to one element.
    fn total(&mut self, dummies: &mut [Dummy], target: usize, arrays: &[usize]) -> Node {
        let one = self.dice.any(arrays).unwrap_or(target);
        let other = self.dice.any(arrays).unwrap_or(target);
        let extent = dummies[one].extent.min(dummies[other].extent);
        let low = self.index(0, extent - 1);
        let high = self.index(low, extent - 1);
        dummies[one].uses.reads.extend(low..=high);
        dummies[other].uses.reads.extend(low..=high);
        let at = self.index(0, dummies[target].extent - 1);
        dummies[target].uses.writes.insert(at);
        dummies[target].uses.reads.insert(at);
        let own = element(&dummies[target], at);
        let header = format!("t = 0.1d0\ndo i = {}, {}", low + 1, high + 1);
        let line =
            format!("t = 0.5d0*t + 0.2d0*{}(i)*sin({}(i))", dummies[one].name, dummies[other].name);
        let close = format!("end do\n{own} = {own}*t + 0.1d0");
        Node::Block { arms: vec![(header, vec![Node::Line(line)])], close }
    }
}

/// Whether nothing that is overwritten by one name is associated with another, and something is.
fn keeps_the_rule(dummies: &[Dummy], views: &[View], owners: &[usize], global: &Uses) -> bool {
    let elements = |at: usize, own: &BTreeSet<usize>| -> BTreeSet<usize> {
        own.iter().map(|&own| views[at].at[own]).collect()
    };
    let associated = |at: usize| -> BTreeSet<usize> {
        let count = match views[at].form {
            Form::Section => views[at].at.len(),
            Form::Scalar | Form::Element | Form::Whole => dummies[at].extent,
        };
        views[at].at[..count].iter().copied().collect()
    };
    let by_name: BTreeSet<usize> = global.all().collect();
    let kept = (0..dummies.len()).all(|one| {
        let writes = elements(one, &dummies[one].uses.writes);
        let others =
            (0..dummies.len()).filter(|&other| other != one && owners[other] == owners[one]);
        writes.is_disjoint(&by_name)
            && global.writes.is_disjoint(&associated(one))
            && others.into_iter().all(|other| writes.is_disjoint(&associated(other)))
    });
    kept && dummies.iter().any(|dummy| !dummy.uses.writes.is_empty())
}

fn declaration(dummy: &Dummy) -> String {
    let Dummy { name, shape, extent, uses } = dummy;
    let intent = if uses.writes.is_empty() { "in" } else { "inout" };
    let extents = match shape {
        Shape::Scalar => String::new(),
        Shape::Explicit => format!("({extent})"),
        Shape::Adjustable => format!("(n{name})"),
        Shape::AssumedSize => "(*)".into(),
        Shape::Passed => "(:)".into(),
    };
    format!("real(8), intent({intent}) :: {name}{extents}")
}

fn element(dummy: &Dummy, at: usize) -> String {
    match dummy.shape {
        Shape::Scalar => dummy.name.clone(),
        _ => format!("{}({})", dummy.name, at + 1),
    }
}

fn unit(name: &str, open: &str, spec: Vec<String>, body: Vec<Node>) -> Unit {
    Unit {
        name: name.into(),
        open: open.into(),
        spec,
        vars: Vec::new(),
        extra: ["integer :: i", "integer :: j", "real(8) :: t"]
            .map(|line| (vec![line[line.len() - 1..].to_owned()], line.to_owned()))
            .into(),
        first: Vec::new(),
        body,
        inner: Vec::new(),
        close: "end subroutine".into(),
    }
}

/// A statement for all elements.
fn for_all(array: &Array, line: impl Fn(&str) -> Vec<String>) -> Node {
    let name = &array.name;
    let own = if array.columns > 1 { format!("{name}(i, j)") } else { format!("{name}(i)") };
    let body = line(&own).into_iter().map(Node::Line).collect();
    let rows = (format!("do i = 1, {}", array.rows), body);
    let rows = Node::Block { arms: vec![rows], close: "end do".into() };
    let columns = (format!("do j = 1, {}", array.columns), vec![rows]);
    Node::Block { arms: vec![columns], close: "end do".into() }
}

/// All elements depend on the inputs.
fn fill(array: &Array) -> Vec<Node> {
    vec![for_all(array, |own| {
        vec![format!("{own} = x(1 + mod(i + j, 3))*(0.3d0 + 0.1d0*i) + 0.05d0*j*x(1)")]
    })]
}

/// The outputs depend on all elements.
fn sums(array: &Array) -> Vec<Node> {
    let line = |own: &str| {
        vec![
            format!("y(1) = 0.9d0*y(1) + {own}*(0.1d0*i - 0.03d0*j)"),
            format!("y(2) = 0.9d0*y(2) + sin({own})*(0.2d0*j + 0.1d0*i)"),
        ]
    };
    vec![for_all(array, line)]
}
