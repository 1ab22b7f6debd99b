//! Procedures that are not bound to a type, some of them recursive.

use super::super::program::Node;
use super::Generator;
use super::procedure::{Argument, Frame, Intent, Passed, Procedure, Role};
use super::scope::{Datum, Object, Scope};
use super::setup::SETUP_BASE;

impl Generator {
    pub(super) fn free_procedures(&mut self) {
        let most = f64::from(self.dice.number(1, 4)) * self.thrift;
        for number in 1..=(most.round() as u32).max(1) {
            let procedure = self.free_procedure(&format!("fr{number}"));
            self.procedures.push(procedure);
        }
    }

    fn free_procedure(&mut self, name: &str) -> Procedure {
        let recursive = self.dice.chance(0.25);
        let arguments = self.free_arguments(recursive);
        let mut scope = Scope::default();
        let spec = self.declare(&arguments, &mut scope);
        self.see_module(&mut scope, 0.15);
        let object = arguments.iter().find(|argument| argument.ty().is_some());
        let source = object.map(Argument::number).unwrap_or_default();
        self.numbers(&mut scope, &source);
        self.local_allocatable(&mut scope, &arguments, &source);
        let changed: Vec<String> =
            arguments.iter().filter(|own| own.intent != Intent::In).map(Argument::number).collect();
        let changed = changed.first().cloned().unwrap_or_default();
        let mut behind = self.local_object(&mut scope, &changed);
        let mut body = Vec::new();
        for argument in &arguments {
            let Some(line) = used(argument, &changed, &source) else { continue };
            let early = argument.intent == Intent::In && self.dice.chance(0.5);
            if early { &mut body } else { &mut behind }.push(Node::Line(line));
        }
        if recursive {
            self.draft.recursion = Some(recursion(name, &arguments));
        }
        body.extend(self.main_body(&scope, 2, 5, 3));
        body.extend(behind);
        body.extend(self.draft.recursion.take().map(Node::Line));
        let defined = arguments
            .iter()
            .filter(|own| own.passed == Passed::Real && own.intent == Intent::Out)
            .map(|own| format!("{} = 0.5d0*{source}", own.name));
        let frame = Frame {
            word: if recursive { "recursive subroutine" } else { "subroutine" },
            name: name.into(),
            arguments: arguments.iter().map(|argument| argument.name.to_string()).collect(),
            result: "",
            spec,
            first: defined.collect(),
        };
        let effects = self.finish(frame, body);
        Procedure { name: name.into(), role: Role::Free, owner: None, arguments, effects }
    }

    /// One or two objects, numbers; at least one argument is defined.
    fn free_arguments(&mut self, recursive: bool) -> Vec<Argument> {
        use Intent::{In, InOut, Out};
        let mut arguments = Vec::new();
        for name in ["o1", "o2"].into_iter().take(self.dice.number(1, 2) as usize) {
            let passed = self.passed_object();
            let intent = match passed {
                Passed::Allocatable(_) => InOut,
                Passed::Type(ty) if self.types.is_plain(ty) && self.dice.chance(0.15) => Out,
                Passed::Real
                | Passed::Vector
                | Passed::Depth
                | Passed::Class(_)
                | Passed::Type(_) => self.dice.one([InOut, InOut, In]),
            };
            arguments.push(Argument::new(name, passed, intent));
        }
        if self.dice.chance(0.7) {
            let intent = self.dice.one([In, InOut, InOut, Out]);
            arguments.push(Argument::new("u", Passed::Real, intent));
        }
        if self.dice.chance(0.2) {
            let intent = self.dice.one([In, InOut]);
            arguments.push(Argument::new("w", Passed::Vector, intent));
        }
        if arguments.iter().all(|argument| argument.intent == In) {
            arguments.insert(0, Argument::new("r0", Passed::Real, InOut));
        }
        if recursive {
            arguments.push(Argument::new("n", Passed::Depth, In));
        }
        arguments
    }

    fn passed_object(&mut self) -> Passed {
        let (base, cell) = (self.types.base(), self.types.cell);
        let mut kinds = vec![Passed::Class(base), Passed::Class(base), Passed::Allocatable(base)];
        kinds.extend([Passed::Type(cell), Passed::Class(cell)]);
        kinds.extend(self.dice.any(&self.types.concrete()).map(Passed::Type));
        kinds.extend(self.dice.any(&self.types.family).map(Passed::Class));
        if let Some(rack) = self.types.rack {
            kinds.extend([Passed::Type(rack), Passed::Type(rack)]);
        }
        kinds.extend(self.types.bag.map(Passed::Type));
        self.dice.any(&kinds).unwrap_or(Passed::Class(base))
    }

    /// Local numbers and arrays.
    fn numbers(&mut self, scope: &mut Scope, source: &str) {
        let init = |name: &str| vec![format!("{name} = 0.4d0*sin({source})")];
        for name in ["s1", "s2"].into_iter().take(self.dice.number(0, 2) as usize) {
            scope.reals.push(Datum::own(name));
            self.draft.local(name, format!("real(8) :: {name}"), init(name));
        }
        if self.dice.chance(0.5) {
            scope.arrays.push(Datum::own("w1"));
            self.draft.local("w1", "real(8) :: w1(3)".into(), init("w1"));
        }
    }

    /// A local object that is allocated, as a copy of an argument or with a type by its number.
    fn local_allocatable(&mut self, scope: &mut Scope, arguments: &[Argument], source: &str) {
        if !self.dice.chance(0.3) {
            return;
        }
        let base = self.types.base();
        let members = arguments
            .iter()
            .filter(|argument| argument.ty().is_some_and(|ty| self.types.is_a(ty, base)));
        let init = match self.dice.any(&members.collect::<Vec<_>>()) {
            Some(member) if self.dice.chance(0.7) => {
                format!("allocate (lp, source={})", member.name)
            }
            Some(_) | None => {
                let number = self.dice.number(1, self.type_numbers());
                format!("call {SETUP_BASE}(lp, {source}, {number})")
            }
        };
        let declaration = format!("class({}), allocatable :: lp", self.types.name(base));
        self.draft.local("lp", declaration, vec![init]);
        scope.objects.push(Object::allocatable("lp", base));
    }

    /// A local object of a type of the family, and a statement that uses it.
    fn local_object(&mut self, scope: &mut Scope, changed: &str) -> Vec<Node> {
        let plain = self.types.plain();
        let Some(ty) = self.dice.any(&plain).filter(|_| self.dice.chance(0.3)) else {
            return Vec::new();
        };
        self.draft.local("lt", format!("type({}) :: lt", self.types.name(ty)), Vec::new());
        scope.objects.push(Object::own("lt", ty));
        vec![Node::Line(format!("{changed} = {changed} + 0.1d0*sin(lt%v)"))]
    }
}

/// A statement that uses an argument: `changed` is one that is defined, `source` an object's number.
fn used(argument: &Argument, changed: &str, source: &str) -> Option<String> {
    let Argument { name, passed, intent } = argument;
    let number = argument.number();
    let read = match passed {
        Passed::Depth => return None,
        Passed::Real => format!("sin({name})"),
        Passed::Vector => format!("sin(sum({name}))"),
        Passed::Class(_) | Passed::Type(_) | Passed::Allocatable(_) => number.clone(),
    };
    match intent {
        Intent::In => Some(format!("{changed} = 0.8d0*{changed} + 0.15d0*{read}")),
        Intent::InOut => Some(format!("{number} = {number}*cos(0.3d0*{source})")),
        Intent::Out => None,
    }
}

/// The statement by which a procedure calls itself with its own arguments.
fn recursion(name: &str, arguments: &[Argument]) -> String {
    let actual = |argument: &Argument| match (argument.passed, argument.intent) {
        (Passed::Depth, _) => format!("{} - 1", argument.name),
        (Passed::Real, Intent::In) => format!("0.5d0*{}", argument.name),
        (
            Passed::Real
            | Passed::Vector
            | Passed::Class(_)
            | Passed::Type(_)
            | Passed::Allocatable(_),
            _,
        ) => argument.name.into(),
    };
    let actuals: Vec<String> = arguments.iter().map(actual).collect();
    format!("if (n > 0) call {name}({})", actuals.join(", "))
}
