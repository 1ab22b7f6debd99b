//! Procedures that allocate and define all parts of an object.

use super::super::program::Node;
use super::Generator;
use super::procedure::{Draft, Frame};
use super::types::{Kind, TypeId};

/// The procedure that gives a polymorphic allocatable a type by a number.
pub(super) const SETUP_BASE: &str = "setup_base";

fn line(text: impl Into<String>) -> Node {
    Node::Line(text.into())
}

fn construct(header: impl Into<String>, body: Vec<Node>, close: &str) -> Node {
    Node::Block { arms: vec![(header.into(), body)], close: close.into() }
}

impl Generator {
    pub(super) fn setups(&mut self) {
        self.setup_base();
        for ty in [Some(self.types.cell), self.types.bag, self.types.rack].into_iter().flatten() {
            self.setup_container(ty);
        }
    }

    /// The number of types that [`SETUP_BASE`] knows.
    pub(super) fn type_numbers(&self) -> u32 {
        self.types.concrete().len() as u32
    }

    fn setup_base(&mut self) {
        let base = self.types.name(self.types.base());
        let declaration = format!("class({base}), allocatable, intent(out) :: o");
        let concrete = self.types.concrete();
        let mut arms = Vec::new();
        for (at, ty) in concrete.iter().enumerate() {
            let mut header = if at + 1 < concrete.len() {
                format!("case ({})", at + 1)
            } else {
                "case default".into()
            };
            if at == 0 {
                header = format!("select case (n)\n{header}");
            }
            arms.push((header, self.allocated(*ty)));
        }
        let mut body = vec![Node::Block { arms, close: "end select".into() }];
        body.extend(self.allocated_components(&concrete));
        self.add_setup(SETUP_BASE, declaration, body);
    }

    /// `o` gets a type and a value.
    fn allocated(&mut self, ty: TypeId) -> Vec<Node> {
        let name = self.types.name(ty).to_string();
        if self.dice.chance(0.5) {
            return vec![line(format!("allocate ({name} :: o)")), line("o%v = sin(u + 0.1d0*n)")];
        }
        let parts = self.structure_values(ty);
        vec![line(format!("allocate (o, source={name}(v=cos(u){parts}))"))]
    }

    /// Values of some components that are structures, for a constructor.
    fn structure_values(&mut self, ty: TypeId) -> String {
        let inner = self.types.inner;
        let mut text = String::new();
        for component in self.types.components(ty) {
            let kinds = [Kind::Structure(inner), Kind::Structures(inner)];
            if kinds.contains(&component.kind) && self.dice.chance(0.7) {
                let name = self.types.name(inner);
                text.push_str(&format!(", {}={name}(v=0.5d0*u)", component.name));
            }
        }
        text
    }

    /// SELECT TYPE that allocates the components of `o` that are allocatable.
    fn allocated_components(&self, concrete: &[TypeId]) -> Option<Node> {
        let mut arms = Vec::new();
        for ty in concrete {
            let mut body = Vec::new();
            for component in self.types.components_of(*ty, Kind::AllocatableVector) {
                body.push(line(format!("allocate (o%{component}(3))")));
                body.push(line(format!("o%{component} = [u, 0.5d0*u, 0.2d0]")));
            }
            if !body.is_empty() {
                let first = if arms.is_empty() { "select type (o)\n" } else { "" };
                arms.push((format!("{first}type is ({})", self.types.name(*ty)), body));
            }
        }
        (!arms.is_empty()).then(|| Node::Block { arms, close: "end select".into() })
    }

    fn setup_container(&mut self, ty: TypeId) {
        let name = self.types.name(ty);
        let (setup, declaration) = (setup_name(name), format!("type({name}), intent(inout) :: o"));
        let mut body = self.defined("o", ty, "n");
        if self.dice.chance(0.3) {
            body.push(line("o%v = u"));
        }
        body.push(line("o%v = o%v + 0.1d0*n"));
        self.add_setup(&setup, declaration, body);
    }

    fn add_setup(&mut self, name: &str, declaration: String, body: Vec<Node>) {
        let scalars = ["real(8), intent(in) :: u", "integer, intent(in) :: n"].map(String::from);
        let frame = Frame {
            word: "subroutine",
            name: name.into(),
            arguments: ["o", "u", "n"].map(String::from).into(),
            result: "",
            spec: std::iter::once(declaration).chain(scalars).collect(),
            first: Vec::new(),
        };
        self.units.push(frame.with(body, &Draft::default()));
    }

    /// Makes all parts of an object defined; `number` says which type polymorphic ones get.
    fn defined(&mut self, object: &str, ty: TypeId, number: &str) -> Vec<Node> {
        let mut nodes = Vec::new();
        for component in self.types.components(ty) {
            let part = format!("{object}%{}", component.name);
            match component.kind {
                Kind::Polymorphic(_) => {
                    nodes.push(line(format!("call {SETUP_BASE}({part}, u, {number})")));
                }
                Kind::Real if self.dice.chance(0.5) => {
                    nodes.push(line(format!("{part} = sin(u)*0.8d0")));
                }
                Kind::Vector if self.dice.chance(0.5) => {
                    nodes.push(line(format!("{part} = [u, 0.4d0, 0.3d0*u]")));
                }
                Kind::AllocatableVector if self.dice.chance(0.2) => {
                    nodes.push(line(format!("allocate ({part}(3), source=u)")));
                }
                Kind::AllocatableVector => {
                    nodes.push(line(format!("{part} = [u, 0.4d0, 0.3d0*u]")));
                }
                Kind::Structure(ty) => nodes.extend(self.defined(&part, ty, number)),
                Kind::Structures(ty) => nodes.extend(self.defined_elements(&part, ty, number)),
                Kind::AllocatableStructures(ty) => {
                    nodes.push(line(format!("allocate ({part}(3))")));
                    nodes.extend(self.defined_elements(&part, ty, number));
                }
                Kind::Polymorphics(_) => nodes.extend(self.defined_polymorphics(&part)),
                Kind::Real | Kind::Integer | Kind::Vector | Kind::Pointer(_) => {}
            }
        }
        nodes
    }

    fn defined_elements(&mut self, array: &str, ty: TypeId, number: &str) -> Option<Node> {
        let number = format!("mod({number} + i1, {}) + 1", self.type_numbers());
        let body = self.defined(&format!("{array}(i1)"), ty, &number);
        (!body.is_empty()).then(|| construct("do i1 = 1, 3", body, "end do"))
    }

    /// An array of one type, by its name or by SOURCE=.
    fn defined_polymorphics(&mut self, array: &str) -> Vec<Node> {
        let concrete = self.types.concrete();
        let Some(ty) = self.dice.any(&concrete) else { return Vec::new() };
        let name = self.types.name(ty).to_string();
        let mut nodes = Vec::new();
        if self.dice.chance(0.5) {
            nodes.push(line(format!("allocate ({name} :: {array}(3))")));
        } else {
            let parts = self.structure_values(ty);
            nodes.push(line(format!("allocate ({array}(3), source={name}(v=u{parts}))")));
        }
        let components = self.types.components_of(ty, Kind::AllocatableVector).into_iter();
        let given = |component| line(format!("q(i1)%{component} = [u, 0.3d0, 0.2d0]"));
        let given: Vec<Node> = components.map(given).collect();
        if !given.is_empty() {
            let header = format!("select type (q => {array})\ntype is ({name})");
            let all = construct("do i1 = 1, 3", given, "end do");
            nodes.push(construct(header, vec![all], "end select"));
        }
        let values = vec![line(format!("{array}(i1)%v = cos(u + i1)"))];
        nodes.push(construct("do i1 = 1, 3", values, "end do"));
        nodes
    }
}

/// The procedure that defines an object of the type of this name.
pub(super) fn setup_name(ty: &str) -> String {
    format!("setup_{ty}")
}
