//! Type-bound procedures: deferred, implemented, overridden, with calls of the parent's.

use super::super::program::Node;
use super::Generator;
use super::procedure::{Argument, Draft, Frame, Intent, Passed, Procedure, Role};
use super::scope::{Datum, Object, Scope};
use super::types::{Kind, TypeId};

/// The function that each object of the family has.
pub(super) const VALUE: &str = "val";

impl Generator {
    /// Those of the structure of numbers and of the family.
    pub(super) fn family_methods(&mut self) {
        if self.dice.chance(0.4) {
            let arguments = self.maybe(0.5, "u", Passed::Real, Intent::InOut);
            let inner = self.types.inner;
            self.method(inner, bound("turn", Role::Action, inner, arguments));
        }
        let base = self.types.base();
        for procedure in self.signatures(base) {
            if self.types.get(base).is_abstract && self.dice.chance(0.7) {
                self.defer(&procedure);
                self.overridden(procedure);
            } else {
                self.method(base, procedure);
            }
        }
    }

    /// Those of what contains members of the family.
    pub(super) fn container_methods(&mut self) {
        for ty in [Some(self.types.cell), self.types.rack].into_iter().flatten() {
            if !self.dice.chance(0.6) {
                continue;
            }
            let role = self.dice.one([Role::Action, Role::Action, Role::Change]);
            let intent = match role {
                Role::Change | Role::Value => Intent::In,
                Role::Action | Role::Free => self.dice.one([Intent::In, Intent::InOut]),
            };
            let arguments = self.maybe(0.6, "u", Passed::Real, intent);
            self.method(ty, bound("adv", role, ty, arguments));
        }
    }

    /// What the procedures of the family are.
    fn signatures(&mut self, base: TypeId) -> Vec<Procedure> {
        use Intent::{In, InOut, Out};
        let mut found = Vec::new();
        let arguments = self.maybe(0.3, "u", Passed::Real, In);
        found.push(bound(VALUE, Role::Value, base, arguments));
        if self.dice.chance(0.6) {
            let arguments = self.maybe(0.7, "u", Passed::Real, In);
            found.push(bound("bump", Role::Change, base, arguments));
        }
        let arguments = match self.dice.number(0, 4) {
            0 => vec![Argument::new("u", Passed::Real, InOut)],
            1 => vec![Argument::new("u", Passed::Real, In)],
            2 => vec![Argument::new("u", Passed::Real, Out)],
            3 => vec![Argument::new("w", Passed::Vector, InOut)],
            _ => Vec::new(),
        };
        found.push(bound("step", Role::Action, base, arguments));
        if self.dice.chance(0.5) {
            let intent = self.dice.one([In, InOut, InOut]);
            let mut arguments = vec![Argument::new("o", Passed::Class(base), intent)];
            arguments.extend(self.maybe(0.4, "u", Passed::Real, In));
            found.push(bound("mix", Role::Action, base, arguments));
        }
        if self.dice.chance(0.4) {
            let intent = self.dice.one([In, InOut, Out]);
            let arguments = vec![Argument::new("w", Passed::Vector, intent)];
            found.push(bound("fill", Role::Action, base, arguments));
        }
        found
    }

    fn maybe(
        &mut self,
        probability: f64,
        name: &'static str,
        passed: Passed,
        intent: Intent,
    ) -> Vec<Argument> {
        let wanted = self.dice.chance(probability);
        wanted.then(|| Argument::new(name, passed, intent)).into_iter().collect()
    }

    /// A procedure of `ty`, and those of its extensions that override it.
    fn method(&mut self, ty: TypeId, mut procedure: Procedure) {
        self.implement(ty, &mut procedure);
        self.overridden(procedure);
    }

    /// Extensions override a procedure: where they must, where there is something to add to a value, and
    /// by chance.
    fn overridden(&mut self, mut procedure: Procedure) {
        let owner = procedure.owner;
        let extensions = owner.map(|ty| self.types.extensions(ty)).unwrap_or_default();
        for ty in extensions.into_iter().filter(|ty| Some(*ty) != owner) {
            let must = self.types.inherits_deferred(ty, &procedure.name);
            if must || procedure.role == Role::Value || self.dice.chance(0.5) {
                self.implement(ty, &mut procedure);
            }
        }
        self.procedures.push(procedure);
    }

    /// A deferred procedure has an abstract interface.
    fn defer(&mut self, procedure: &Procedure) {
        let base = self.types.base();
        self.types.bind(base, &procedure.name, None);
        let frame = self.frame(base, procedure, &mut Scope::default());
        let frame = Frame { name: format!("{}_i", procedure.name), first: Vec::new(), ..frame };
        let unit = frame.with(Vec::new(), &Draft::default());
        self.interfaces.push(format!("  {}", unit.open));
        self.interfaces.push(format!("    import :: {}", self.types.name(base)));
        self.interfaces.extend(unit.spec.iter().map(|line| format!("    {line}")));
        self.interfaces.push(format!("  {}", unit.close));
    }

    /// Declares the object, arguments and result, and makes them defined.
    fn frame(&self, ty: TypeId, procedure: &Procedure, scope: &mut Scope) -> Frame {
        let function = procedure.role.is_function();
        let own = [Argument::new("self", Passed::Class(ty), procedure.role.intent())];
        let mut spec = self.declare(&own, scope);
        spec.extend(self.declare(&procedure.arguments, scope));
        let mut first = Vec::new();
        if function {
            spec.push("real(8) :: r".into());
            first.push("r = 0.3d0*self%v".into());
            scope.reals.push(Datum::own("r"));
        }
        let defined = procedure.arguments.iter().filter(|argument| argument.intent == Intent::Out);
        first.extend(defined.map(|argument| format!("{} = 0.2d0*cos(self%v)", argument.name)));
        Frame {
            word: if function { "function" } else { "subroutine" },
            name: format!("{}_{}", self.types.name(ty), procedure.name),
            arguments: std::iter::once("self").chain(names(procedure)).map(String::from).collect(),
            result: if function { " result(r)" } else { "" },
            spec,
            first,
        }
    }

    /// The procedure for one type.
    fn implement(&mut self, ty: TypeId, procedure: &mut Procedure) {
        self.draft.is_value = procedure.role == Role::Value;
        let mut scope = Scope::default();
        let frame = self.frame(ty, procedure, &mut scope);
        let again: Vec<Object> =
            scope.objects.iter().filter(|object| object.text == "self").cloned().collect();
        scope.objects.extend(again);
        self.see_module(&mut scope, if self.draft.is_value { 0.06 } else { 0.12 });
        if self.dice.chance(0.5) {
            let reals = procedure.arguments.iter().filter(|own| own.passed == Passed::Real);
            let reals: String = reals.map(|argument| format!(" + {}", argument.name)).collect();
            let init = format!("s1 = 0.4d0*sin(self%v{reals})");
            self.draft.local("s1", "real(8) :: s1".into(), vec![init]);
            scope.reals.push(Datum::own("s1"));
        }
        let mut body: Vec<Node> = self.parents(ty, procedure).into_iter().map(Node::Line).collect();
        let mut behind = Vec::new();
        if procedure.name == VALUE {
            behind.extend(self.terms(ty).into_iter().map(Node::Line));
        }
        for argument in &procedure.arguments {
            let line = Node::Line(self.used(argument, procedure.role));
            if argument.ty().is_none() && self.dice.chance(0.5) {
                body.push(line);
            } else {
                behind.push(line);
            }
        }
        body.extend(self.main_body(&scope, 1, 4, 2));
        body.extend(behind);
        self.types.bind(ty, &procedure.name, Some(frame.name.clone()));
        let effects = self.finish(frame, body);
        procedure.effects.add(effects);
    }

    /// A call of what is overridden.
    fn parents(&mut self, ty: TypeId, procedure: &Procedure) -> Option<String> {
        let parent = self.types.concrete_parent(ty)?;
        if !self.types.implements(parent, &procedure.name) || !self.dice.chance(0.55) {
            return None;
        }
        self.draft.effects.add(procedure.effects);
        let actuals: Vec<&str> = names(procedure).collect();
        let own = format!("self%{}%{}", self.types.name(parent), procedure.name);
        let call = format!("{own}({})", actuals.join(", "));
        Some(if procedure.role.is_function() {
            format!("r = r + 0.5d0*{call}")
        } else {
            format!("call {call}")
        })
    }

    /// What each component adds to the value of an object.
    fn terms(&mut self, ty: TypeId) -> Vec<String> {
        let inner_arrays = self.types.components_of(self.types.inner, Kind::Vector);
        let mut terms = Vec::new();
        for component in self.types.components(ty) {
            let part = format!("self%{}", component.name);
            match component.kind {
                Kind::Real if component.name == "v" => {}
                Kind::Real => terms.push(part),
                Kind::Vector | Kind::AllocatableVector => terms.push(format!("sum({part})")),
                Kind::Structure(_) => {
                    terms.push(format!("{part}%v"));
                    terms.extend(inner_arrays.iter().map(|array| format!("sum({part}%{array})")));
                }
                Kind::Structures(_) => {
                    terms.push(format!("sum({part}%v)"));
                    for array in &inner_arrays {
                        terms.extend((1..=3).map(|at| format!("sum({part}({at})%{array})")));
                    }
                }
                Kind::Integer
                | Kind::AllocatableStructures(_)
                | Kind::Polymorphic(_)
                | Kind::Polymorphics(_)
                | Kind::Pointer(_) => {}
            }
        }
        let term = |term| format!("r = r + {}*{term}", self.dice.literal(0.1, 0.4));
        terms.into_iter().map(term).collect()
    }

    /// A statement that uses an argument.
    fn used(&self, argument: &Argument, role: Role) -> String {
        let Argument { name, passed, intent } = argument;
        let number = argument.number();
        match (passed, intent) {
            (Passed::Real | Passed::Depth, Intent::In) if role.is_function() => {
                format!("r = r*cos({name})")
            }
            (Passed::Real | Passed::Depth, Intent::In) => format!("self%v = self%v*cos({name})"),
            (Passed::Real | Passed::Depth, Intent::InOut | Intent::Out) => {
                format!("{name} = sin({name} + 0.5d0*self%v)")
            }
            (Passed::Vector, Intent::In) if role.is_function() => {
                format!("r = r + 0.2d0*sum({name})")
            }
            (Passed::Vector, Intent::In) => format!("self%v = self%v + 0.1d0*sin(sum({name}))"),
            (Passed::Vector, Intent::InOut | Intent::Out) => {
                format!("{name}(2) = {name}(2)*cos(self%v)")
            }
            (Passed::Class(_) | Passed::Type(_) | Passed::Allocatable(_), Intent::In) => {
                format!("self%v = 0.8d0*self%v + 0.1d0*{number}")
            }
            (
                Passed::Class(_) | Passed::Type(_) | Passed::Allocatable(_),
                Intent::InOut | Intent::Out,
            ) => format!("{number} = 0.7d0*{number} + 0.2d0*sin(self%v)"),
        }
    }
}

fn bound(name: &str, role: Role, owner: TypeId, arguments: Vec<Argument>) -> Procedure {
    Procedure {
        name: name.into(),
        role,
        owner: Some(owner),
        arguments,
        effects: Default::default(),
    }
}

fn names(procedure: &Procedure) -> impl Iterator<Item = &str> {
    procedure.arguments.iter().map(|argument| argument.name)
}
