//! The procedure to differentiate: it has objects of all types, and in the end each number of them is
//! part of a result.

use super::super::program::{HEAD, Node};
use super::Generator;
use super::method::VALUE;
use super::path::{Path, Root};
use super::procedure::Frame;
use super::scope::{Datum, Object, Scope};
use super::setup::{SETUP_BASE, setup_name};
use super::types::{Kind, TypeId};

impl Generator {
    /// The name of the pointer to arrays.
    pub(super) const ARRAY_POINTER: &'static str = "qp";

    /// The variables of the module.
    pub(super) fn module_variables(&mut self) {
        if !self.dice.chance(0.5) {
            return;
        }
        let path = |name: &str| Path::new(Root::Module(name.into()));
        if let Some(ty) = self.dice.any(&self.types.plain()) {
            self.variables.push(Object { path: path("gs"), ..Object::own("gs", ty) });
        }
        if self.dice.chance(0.4) {
            let base = self.types.base();
            self.variables.push(Object { path: path("gp"), ..Object::allocatable("gp", base) });
        }
        if self.dice.chance(0.25) {
            let cell = self.types.cell;
            self.variables.push(Object { path: path("gc"), ..Object::own("gc", cell) });
        }
    }

    pub(super) fn head(&mut self) {
        let mut scope = Scope::default();
        for at in 1..=4 {
            let text = format!("x({at})");
            scope.reals.push(Datum { text, ..Datum::own("x").read_only() });
        }
        self.head_numbers(&mut scope);
        self.head_objects(&mut scope);
        let mut body = self.module_values();
        scope.objects.extend(self.variables.iter().cloned());
        self.head_pointers(&mut scope);
        body.extend(self.main_body(&scope, 4, 9, 4));
        body.extend(["y(1) = y(1) + s1", "y(2) = s2*y(2) + sum(w1)"].map(|s| Node::Line(s.into())));
        for object in &scope.objects {
            body.extend(self.result(object));
        }
        body.extend(self.module_ends());
        let frame = Frame {
            word: "subroutine",
            name: HEAD.into(),
            arguments: ["x", "y"].map(String::from).into(),
            result: "",
            spec: ["real(8), intent(in) :: x(4)", "real(8), intent(out) :: y(2)"]
                .map(String::from)
                .into(),
            first: ["y(1) = 0.1d0*x(1)", "y(2) = cos(x(2))"].map(String::from).into(),
        };
        self.finish(frame, body);
    }

    fn head_numbers(&mut self, scope: &mut Scope) {
        for (name, extents, from) in [("s1", "", 1), ("s2", "", 2), ("w1", "(3)", 3)] {
            let init = format!("{name} = x({from})*{}", self.dice.literal(0.3, 0.9));
            self.draft.local(name, format!("real(8) :: {name}{extents}"), vec![init]);
            let list = if extents.is_empty() { &mut scope.reals } else { &mut scope.arrays };
            list.push(Datum::own(name));
        }
    }

    /// An element of `x`.
    fn input(&mut self) -> String {
        format!("x({})", self.dice.number(1, 4))
    }

    fn head_objects(&mut self, scope: &mut Scope) {
        let cell = self.types.cell;
        if self.dice.chance(0.8) {
            self.container(scope, "c1", cell);
        }
        if self.dice.chance(0.4) {
            let calls = (1..=3).map(|at| {
                let number = at % self.type_numbers() + 1;
                format!("call setup_cell(cs({at}), x({at})*0.5d0, {number})")
            });
            let calls = calls.collect();
            self.draft.local("cs", "type(cell) :: cs(3)".into(), calls);
            scope.objects.push(Object { array: true, ..Object::own("cs", cell) });
        }
        if let Some(rack) = self.types.rack {
            self.container(scope, "rk", rack);
        }
        if let Some(bag) = self.types.bag.filter(|_| self.dice.chance(0.6)) {
            self.container(scope, "bg", bag);
        }
        for (at, ty) in self.types.plain().into_iter().enumerate() {
            if self.dice.chance(0.5) {
                let name = format!("d{}", at + 1);
                let init = format!("{name}%v = {}", self.input());
                let declaration = format!("type({}) :: {name}", self.types.name(ty));
                self.draft.local(&name, declaration, vec![init]);
                scope.objects.push(Object::own(&name, ty));
            }
        }
        if self.dice.chance(0.5) {
            let base = self.types.base();
            let declaration = format!("class({}), allocatable :: pa", self.types.name(base));
            let init = self.setup(SETUP_BASE, "pa");
            self.draft.local("pa", declaration, vec![init]);
            scope.objects.push(Object::allocatable("pa", base));
        }
    }

    fn container(&mut self, scope: &mut Scope, name: &str, ty: TypeId) {
        let type_name = self.types.name(ty).to_string();
        let init = self.setup(&setup_name(&type_name), name);
        self.draft.local(name, format!("type({type_name}) :: {name}"), vec![init]);
        scope.objects.push(Object::own(name, ty));
    }

    fn setup(&mut self, procedure: &str, object: &str) -> String {
        let number = self.dice.number(1, self.type_numbers());
        format!("call {procedure}({object}, {}, {number})", self.input())
    }

    /// First values of the variables of the module.
    fn module_values(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        for variable in self.variables.clone() {
            let name = &variable.text;
            nodes.push(Node::Line(if variable.allocatable {
                self.setup(SETUP_BASE, name)
            } else if variable.ty == self.types.cell {
                self.setup("setup_cell", name)
            } else {
                format!("{name}%v = 0.5d0*{}", self.input())
            }));
        }
        nodes
    }

    /// What is allocated in the module is deallocated in most programs.
    fn module_ends(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        let kind = Kind::Polymorphic(self.types.base());
        for variable in self.variables.clone() {
            if self.dice.chance(0.3) {
                continue;
            }
            let name = &variable.text;
            if variable.allocatable {
                nodes.push(Node::Line(format!("deallocate ({name})")));
            } else if variable.ty == self.types.cell {
                let parts = self.types.components_of(variable.ty, kind).into_iter();
                nodes.extend(parts.map(|part| Node::Line(format!("deallocate ({name}%{part})"))));
            }
        }
        nodes
    }

    /// Targets, pointers to them, and objects with pointer components.
    fn head_pointers(&mut self, scope: &mut Scope) {
        if self.types.link.is_none() && !self.dice.chance(0.3) {
            return;
        }
        let pointed = self.types.pointed;
        let extensions = self.types.plain().into_iter();
        let fits = |ty: &TypeId| *ty == pointed || pointed == self.types.base();
        let fitting: Vec<TypeId> = extensions.filter(fits).collect();
        for name in ["t1", "t2"] {
            let Some(ty) = self.dice.any(&fitting) else { return };
            let init = format!("{name}%v = {}*0.7d0", self.input());
            let declaration = format!("type({}), target :: {name}", self.types.name(ty));
            self.draft.local(name, declaration, vec![init]);
            let path = Path::new(Root::Target(name.into()));
            scope.objects.push(Object { path, ..Object::own(name, ty) });
            self.draft.targets.push((name.into(), ty));
        }
        if self.dice.chance(0.8) {
            let word = self.types.pointer_word(pointed);
            let declaration = format!("{word}({}), pointer :: pt", self.types.name(pointed));
            self.draft.local("pt", declaration, vec!["pt => t1".into()]);
            scope.objects.push(self.pointee("pt", pointed));
            scope.pointers.push("pt".into());
        }
        self.links(scope);
        self.array_pointer(scope);
    }

    fn links(&mut self, scope: &mut Scope) {
        let Some(link) = self.types.link else { return };
        let mut init = Vec::new();
        for at in 1..=3 {
            let target = self.dice.one(["t1", "t2"]);
            init.push(format!("rf({at})%p => {target}"));
            scope.pointers.push(format!("rf({at})%p"));
        }
        init.push("rf%v = 0.3d0*x(1)".into());
        self.draft.local("rf", format!("type({}) :: rf(3)", self.types.name(link)), init);
        scope.objects.push(Object { array: true, ..Object::own("rf", link) });
    }

    fn array_pointer(&mut self, scope: &mut Scope) {
        let Some((target, ty)) = self.draft.targets.first().cloned() else { return };
        let arrays = self.types.components_of(ty, Kind::Vector);
        if let Some(array) = self.dice.any(&arrays)
            && self.dice.chance(0.3)
        {
            let name = Self::ARRAY_POINTER;
            let init = format!("{name} => {target}%{array}");
            self.draft.local(name, format!("real(8), pointer :: {name}(:)"), vec![init]);
            let path = Path::new(Root::Pointee);
            scope.arrays.push(Datum { path, ..Datum::own(name) });
        }
    }

    /// All numbers of an object become parts of results.
    fn result(&mut self, object: &Object) -> Vec<Node> {
        if object.path.variable().is_none() {
            // A target has another name.
            return Vec::new();
        }
        let Object { text, ty, .. } = object;
        if object.array {
            let body = self.results(&format!("{text}(i1)"), *ty, 1);
            return vec![each_element(body, 1)];
        }
        let mut nodes = self.results(text, *ty, 0);
        if object.polymorphic {
            nodes.push(self.value_of(text));
        }
        nodes
    }

    /// Those of an object inside of `depth` loops.
    fn results(&mut self, object: &str, ty: TypeId, depth: u32) -> Vec<Node> {
        let mut nodes = Vec::new();
        for component in self.types.components(ty) {
            let part = format!("{object}%{}", component.name);
            let element = format!("{part}(i{})", depth + 1);
            match component.kind {
                Kind::Integer => {}
                Kind::Real => {
                    let factor = self.dice.literal(0.5, 1.5);
                    nodes.push(self.added(&format!("{factor}*{part}")));
                }
                Kind::Vector | Kind::AllocatableVector => {
                    let sum = self.dice.chance(0.6).then(|| format!("sum({part})"));
                    let product = || format!("dot_product({part}, [1d0, 2d0, 0.5d0])");
                    nodes.push(self.added(&sum.unwrap_or_else(product)));
                }
                Kind::Polymorphic(_) => nodes.extend(self.member_results(&part, depth)),
                Kind::Pointer(_) => nodes.push(self.value_of(&part)),
                Kind::Structure(ty) => nodes.extend(self.results(&part, ty, depth)),
                Kind::Structures(ty) | Kind::AllocatableStructures(ty) => {
                    let body = self.results(&element, ty, depth + 1);
                    nodes.push(each_element(body, depth + 1));
                }
                Kind::Polymorphics(ty) => {
                    let mut body = self.results(&element, ty, depth + 1);
                    body.push(self.value_of(&element));
                    nodes.push(each_element(body, depth + 1));
                }
            }
        }
        nodes
    }

    /// The value of a polymorphic object, and perhaps the numbers that it has if it is of a type.
    fn member_results(&mut self, object: &str, depth: u32) -> Vec<Node> {
        let mut nodes = vec![self.value_of(object)];
        if let Some(ty) = self.types.family.get(1).copied()
            && self.dice.chance(0.3)
        {
            let header = format!("select type (o => {object})\nclass is ({})", self.types.name(ty));
            let arms = vec![(header, self.results("o", ty, depth))];
            nodes.push(Node::Block { arms, close: "end select".into() });
        }
        nodes
    }

    fn value_of(&mut self, object: &str) -> Node {
        let value = self.procedures.iter().find(|procedure| procedure.name == VALUE);
        let has_argument = value.is_some_and(|procedure| !procedure.arguments.is_empty());
        let actual = if has_argument { "x(1)" } else { "" };
        let factor = self.dice.literal(0.5, 1.5);
        self.added(&format!("{factor}*{object}%{VALUE}({actual})"))
    }

    /// A statement that adds a term to a result.
    fn added(&mut self, term: &str) -> Node {
        let y = self.dice.one(["y(1)", "y(2)"]);
        Node::Line(format!("{y} = {y} + {term}"))
    }
}

fn each_element(body: Vec<Node>, depth: u32) -> Node {
    Node::Block { arms: vec![(format!("do i{depth} = 1, 3"), body)], close: "end do".into() }
}
