//! The variables whose properties change: of the module, of the host, and components of both.

use super::super::dice::Dice;
use super::super::program::{Node, Ty, Var};
use super::{block, lines};

/// What statements of a procedure may name.
#[derive(Clone, Default)]
pub(super) struct Scope {
    /// Real scalars.
    pub(super) scalars: Vec<String>,
    /// Of these, what must not be overwritten.
    pub(super) constant: Vec<String>,
    /// Allocatable vectors.
    pub(super) vectors: Vec<String>,
    /// Pointers, each with the array that it may point into.
    pub(super) pointers: Vec<(String, String)>,
    /// Polymorphic allocatable objects.
    pub(super) objects: Vec<String>,
    /// Deferred-length characters.
    pub(super) texts: Vec<String>,
    /// Structures with allocatable components.
    pub(super) boxes: Vec<String>,
}

impl Scope {
    /// The same without the arguments of the head.
    pub(super) fn without_arguments(&self) -> Scope {
        let mut scope = self.clone();
        scope.scalars.retain(|name| !name.starts_with('x'));
        scope
    }
}

/// One variable.
struct Place {
    name: &'static str,
    kind: Kind,
    /// Whether it keeps what the last call of the head has left in it.
    lasting: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Scalar,
    Vector,
    Pointer(&'static str),
    Object,
    Text,
    Boxes,
    /// Structures with pointer components; whether they are allocatable.
    Cells(bool),
    /// A scalar of a COMMON block.
    Common,
}

/// The variables of a program.
pub(super) struct Places {
    module: Vec<Place>,
    host: Vec<Place>,
}

impl Places {
    /// Some of each kind.
    pub(super) fn choose(dice: &mut Dice, lasting: bool) -> Places {
        let kinds = [0.6, 0.45, 0.25, 0.4];
        // Adjoints of saved variables of procedures are often refused.
        let saved = lasting && dice.chance(0.3);
        let mut chosen = |names: [(&'static str, Kind); 5], lasting: bool| -> Vec<Place> {
            let mut places = Vec::new();
            for (at, (name, kind)) in names.into_iter().enumerate() {
                if at == 0 || dice.chance(kinds[at - 1]) {
                    places.push(Place { name, kind, lasting });
                }
            }
            places
        };
        let mut module = chosen(
            [
                ("ga", Kind::Vector),
                ("gp", Kind::Pointer("gt")),
                ("gc", Kind::Object),
                ("gw", Kind::Text),
                ("gq", Kind::Boxes),
            ],
            lasting,
        );
        let mut host = chosen(
            [
                ("ha", Kind::Vector),
                ("hp", Kind::Pointer("ht")),
                ("hc", Kind::Object),
                ("hw", Kind::Text),
                ("hq", Kind::Boxes),
            ],
            saved,
        );
        let place = |name, kind| Place { name, kind, lasting };
        module.extend(["gs", "gu"].map(|name| place(name, Kind::Scalar)));
        host.extend(["hs", "hu"].map(|name| Place { lasting: saved, ..place(name, Kind::Scalar) }));
        if dice.chance(0.5) {
            module.push(place("gb", Kind::Vector));
        }
        if lasting {
            if dice.chance(0.6) {
                module.push(place("gd", Kind::Cells(dice.chance(0.5))));
            }
            if dice.chance(0.5) {
                module.push(place("gk", Kind::Common));
            }
            if dice.chance(0.3) {
                host.push(Place { lasting: saved, ..place("hd", Kind::Cells(dice.chance(0.5))) });
            }
            if dice.chance(0.5) {
                host.push(place("hk", Kind::Common));
            }
        }
        Places { module, host }
    }

    /// Whether any variable needs the types.
    pub(super) fn has_types(&self) -> bool {
        let typed =
            |place: &Place| matches!(place.kind, Kind::Object | Kind::Boxes | Kind::Cells(_));
        self.module.iter().chain(&self.host).any(typed)
    }

    /// What procedures of the module see.
    pub(super) fn module_scope(&self) -> Scope {
        let mut scope = Scope::default();
        self.module.iter().for_each(|place| place.enter(&mut scope));
        scope
    }

    /// What the head sees.
    pub(super) fn head_scope(&self) -> Scope {
        let mut scope = self.module_scope();
        self.host.iter().for_each(|place| place.enter(&mut scope));
        scope.constant = ["x(1)", "x(2)", "x(3)"].map(str::to_owned).to_vec();
        scope.scalars.extend(scope.constant.clone());
        scope
    }

    /// The text of the module before its procedures.
    pub(super) fn module_text(&self) -> Vec<String> {
        let types = if self.has_types() { TYPES } else { "" };
        let mut text: Vec<String> = types.lines().map(str::to_owned).collect();
        text.extend(self.module.iter().flat_map(Place::declarations));
        if self.module.iter().any(|place| place.lasting) {
            text.push("logical :: ready = .false.".into());
        }
        text
    }

    /// The variables of the head.
    pub(super) fn host_variables(&self) -> Vec<Var> {
        let mut vars = Vec::new();
        for place in &self.host {
            for line in place.declarations() {
                let name = line.split(":: ").nth(1).unwrap_or_default();
                let name = name.split([' ', '(']).next().unwrap_or_default().to_owned();
                let first = name == place.name && !place.lasting;
                let init = if first { place.first_value() } else { Vec::new() };
                vars.push(host(name, line, init));
            }
        }
        vars
    }

    /// The variables of the module get values that depend on the inputs; those that are lasting, and those of the
    /// host among them, in the first call alone.
    pub(super) fn first_values(&self) -> Vec<Node> {
        let of_host = self.host.iter().filter(|place| place.lasting);
        let all = self.module.iter().chain(of_host).flat_map(Place::first_value);
        let all: Vec<Node> = all.map(Node::Line).collect();
        if !self.module.iter().any(|place| place.lasting) {
            return all;
        }
        let all = all.into_iter().chain([Node::Line("ready = .true.".into())]).collect();
        vec![block("if (.not. ready) then", all, "end if")]
    }

    /// The outputs depend on all variables and on their properties.
    pub(super) fn sums(&self, scope: &super::Scope) -> Vec<Node> {
        let add = |value: String| Node::Line(format!("y(1) = 0.7d0*y(1) + {value}"));
        let more = |value: String| Node::Line(format!("y(2) = sin(y(2)) + {value}"));
        let mut nodes = lines(["y(1) = 0.1d0*x(1)".into(), "y(2) = 0.2d0*x(2)".into()]);
        for (at, name) in scope.scalars.iter().enumerate() {
            nodes.push(if at % 2 == 0 { add(name.clone()) } else { more(name.clone()) });
        }
        for name in &scope.vectors {
            nodes.push(add(format!("sum({name})/size({name})")));
            nodes.push(more(format!("{name}(ubound({name}, 1))*lbound({name}, 1)")));
        }
        for (name, _) in &scope.pointers {
            let own = vec![add(format!("sum({name})*size({name})*0.1d0"))];
            nodes.push(block(format!("if (associated({name})) then"), own, "end if"));
        }
        nodes.extend(scope.objects.iter().map(|name| more(format!("{name}%worth(y(1))"))));
        nodes.extend(scope.texts.iter().map(|name| add(format!("0.1d0*len({name})*y(2)"))));
        nodes
    }
}

impl Place {
    fn declarations(&self) -> Vec<String> {
        let name = self.name;
        let none = if name.starts_with('g') { " => null()" } else { "" };
        let save = if self.lasting && name.starts_with('h') { ", save" } else { "" };
        match self.kind {
            Kind::Scalar => vec![format!("real(8){save} :: {name}")],
            Kind::Vector => vec![format!("real(8), allocatable{save} :: {name}(:)")],
            // In the head, a variable with a value would keep it for the next call.
            Kind::Pointer(target) => vec![
                format!("real(8), target{save} :: {target}(6)"),
                format!("real(8), pointer{save} :: {name}(:){none}"),
            ],
            Kind::Object => vec![format!("class(base), allocatable{save} :: {name}")],
            Kind::Text => vec![format!("character(:), allocatable{save} :: {name}")],
            Kind::Boxes => vec![format!("type(box){save} :: {name}(2)")],
            Kind::Cells(allocatable) => {
                let (word, extent) = if allocatable { (", allocatable", ":") } else { ("", "2") };
                vec![
                    format!("real(8), target{save} :: {name}t(6)"),
                    format!("type(cell){word}{save} :: {name}({extent})"),
                ]
            }
            Kind::Common => vec![format!("real(8) :: {name}"), format!("common /c{name}/ {name}")],
        }
    }

    fn first_value(&self) -> Vec<String> {
        let name = self.name;
        match self.kind {
            Kind::Scalar | Kind::Common => vec![format!("{name} = 0.3d0*x(1) + 0.2d0*x(3)")],
            Kind::Cells(allocatable) => {
                let made = allocatable.then(|| format!("allocate({name}(2))"));
                let values = [
                    format!("{name}t = [x, 0.3d0*x]"),
                    format!("{name}%s = 0.2d0*x(1)"),
                    format!("{name}(1)%p => {name}t(2:4)"),
                    format!("{name}(2)%p => {name}t"),
                    format!("{name}(1)%v = [x(2), 0.2d0]"),
                    format!("{name}(2)%v = [0.3d0, x(1), 0.5d0]"),
                ];
                made.into_iter().chain(values).collect()
            }
            Kind::Vector => vec![format!("{name} = [0.4d0*x(2), 0.2d0*x(1), 0.3d0]")],
            Kind::Pointer(target) => {
                vec![format!("{target} = [x, 0.5d0*x]"), format!("{name} => {target}(2:5)")]
            }
            Kind::Object => vec![
                format!("if (allocated({name})) deallocate({name})"),
                format!("allocate({name}, source=one(0.3d0*x(2), 0.4d0))"),
            ],
            Kind::Text => vec![format!("{name} = 'abc'")],
            Kind::Boxes => vec![
                format!("{name}%s = 0.4d0*x(3)"),
                format!("{name}(1)%v = [0.3d0*x(1), 0.2d0]"),
                format!("{name}(2)%v = [0.1d0, x(2), x(3)]"),
            ],
        }
    }

    fn enter(&self, scope: &mut Scope) {
        let name = self.name.to_owned();
        match self.kind {
            Kind::Scalar | Kind::Common => scope.scalars.push(name),
            Kind::Cells(_) => {
                scope.scalars.push(format!("{name}(1)%s"));
                for at in [1, 2] {
                    scope.vectors.push(format!("{name}({at})%v"));
                    scope.pointers.push((format!("{name}({at})%p"), format!("{name}t")));
                }
            }
            Kind::Vector => scope.vectors.push(name),
            Kind::Pointer(target) => {
                scope.scalars.push(format!("{target}(3)"));
                scope.pointers.push((name, target.to_owned()));
            }
            Kind::Object => scope.objects.push(name),
            Kind::Text => scope.texts.push(name),
            Kind::Boxes => {
                scope.scalars.push(format!("{name}(1)%s"));
                scope.vectors.extend([1, 2].map(|at| format!("{name}({at})%v")));
                scope.boxes.push(name);
            }
        }
    }
}

fn host(name: String, decl: String, init: Vec<String>) -> Var {
    Var {
        name,
        ty: Ty::Real,
        shape: Vec::new(),
        lower: 1,
        decl,
        init,
        writable: true,
        shared: false,
        whole: true,
        sequence: true,
    }
}

/// The types; the default values and an unallocated component are states, too.
const TYPES: &str = "type :: base
  real(8) :: a = 0.3d0
contains
  procedure :: worth => base_worth
end type
type, extends(base) :: one
  real(8) :: b = 0.2d0
contains
  procedure :: worth => one_worth
end type
type, extends(base) :: two
  real(8), allocatable :: c(:)
contains
  procedure :: worth => two_worth
end type
type :: box
  real(8) :: s = 0.1d0
  real(8), allocatable :: v(:)
  class(base), allocatable :: o
end type
type :: cell
  real(8) :: s = 0.1d0
  real(8), pointer :: p(:) => null()
  real(8), allocatable :: v(:)
end type";
