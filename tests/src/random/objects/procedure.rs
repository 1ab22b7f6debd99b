//! Procedures: what callers know of them, and what is collected while one is made.

use super::super::generator::plain;
use super::super::program::{Node, Ty, Unit, Var, has_word};
use super::Generator;
use super::scope::{Datum, Object, Scope};
use super::types::TypeId;

/// What a procedure is called for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A bound function that changes nothing.
    Value,
    /// A bound function that changes the object it is called for.
    Change,
    /// A bound subroutine.
    Action,
    /// A subroutine that is not bound.
    Free,
}

impl Role {
    pub(super) fn is_function(self) -> bool {
        match self {
            Role::Value | Role::Change => true,
            Role::Action | Role::Free => false,
        }
    }

    /// What it may do with the object that it is called for.
    pub(super) fn intent(self) -> Intent {
        match self {
            Role::Value => Intent::In,
            Role::Change | Role::Action | Role::Free => Intent::InOut,
        }
    }
}

/// INTENT
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    In,
    InOut,
    Out,
}

impl Intent {
    fn word(self) -> &'static str {
        match self {
            Intent::In => "in",
            Intent::InOut => "inout",
            Intent::Out => "out",
        }
    }
}

/// What is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// `real(8)`
    Real,
    /// `real(8)`, three elements.
    Vector,
    /// How often a procedure may call itself.
    Depth,
    /// `class(…)`
    Class(TypeId),
    /// `type(…)`
    Type(TypeId),
    /// `class(…), allocatable`
    Allocatable(TypeId),
}

/// A dummy argument.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) passed: Passed,
    pub(super) intent: Intent,
}

impl Argument {
    pub(super) fn new(name: &'static str, passed: Passed, intent: Intent) -> Self {
        Argument { name, passed, intent }
    }

    /// The type of an object.
    pub(super) fn ty(&self) -> Option<TypeId> {
        match self.passed {
            Passed::Class(ty) | Passed::Type(ty) | Passed::Allocatable(ty) => Some(ty),
            Passed::Real | Passed::Vector | Passed::Depth => None,
        }
    }

    /// A number in it.
    pub(super) fn number(&self) -> String {
        match self.passed {
            Passed::Real | Passed::Depth => self.name.into(),
            Passed::Vector => format!("{}(1)", self.name),
            Passed::Class(_) | Passed::Type(_) | Passed::Allocatable(_) => {
                format!("{}%v", self.name)
            }
        }
    }
}

/// What a procedure does besides what its arguments tell, it or one that it calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// It uses variables of the module: they are not passed to it, too.
    pub(super) module: bool,
    /// It allocates something anew.
    pub(super) allocation: bool,
}

impl Effects {
    pub(super) fn add(&mut self, other: Effects) {
        self.module |= other.module;
        self.allocation |= other.allocation;
    }
}

/// A procedure that can be called.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub(super) name: String,
    pub(super) role: Role,
    /// The type that it is bound to, and extensions of it.
    pub(super) owner: Option<TypeId>,
    /// Without the object that it is called for.
    pub(super) arguments: Vec<Argument>,
    pub(super) effects: Effects,
}

/// What is collected while a procedure is made.
#[derive(Default)]
pub(super) struct Draft {
    /// Local variables with first values.
    pub(super) vars: Vec<Var>,
    /// Declarations of local variables without them.
    declarations: Vec<(String, String)>,
    pub(super) effects: Effects,
    /// Whether it may call nothing that uses variables of the module.
    pub(super) is_value: bool,
    /// Statements that it may still get.
    pub(super) budget: u32,
    /// The number of the last name.
    serial: u32,
    /// The statement by which it calls itself.
    pub(super) recursion: Option<String>,
    /// What pointers can point to.
    pub(super) targets: Vec<(String, TypeId)>,
}

impl Draft {
    /// A new name.
    pub(super) fn name(&mut self, stem: &str) -> String {
        self.serial += 1;
        format!("{stem}{}", self.serial)
    }

    /// A local variable that has a first value if it is used.
    pub(super) fn local(&mut self, name: &str, decl: String, init: Vec<String>) {
        self.vars.push(Var { decl, init, ..plain(name, Ty::Real, &[]) });
    }

    /// A local variable that gets its value before each use: one for all uses with this declaration,
    /// in which `…` stands for the name.
    pub(super) fn temporary(&mut self, stem: &str, declaration: &str) -> String {
        let known = self
            .declarations
            .iter()
            .find(|(name, text)| name.starts_with(stem) && *text == declaration.replace('…', name));
        if let Some((name, _)) = known {
            return name.clone();
        }
        let name = self.name(stem);
        self.declarations.push((name.clone(), declaration.replace('…', &name)));
        name
    }
}

/// A procedure before its statements are there.
pub(super) struct Frame {
    /// All before the name: `function`.
    pub(super) word: &'static str,
    pub(super) name: String,
    pub(super) arguments: Vec<String>,
    /// All behind the arguments: ` result(r)`.
    pub(super) result: &'static str,
    /// Declarations of dummy arguments and the result.
    pub(super) spec: Vec<String>,
    /// Statements that make everything defined.
    pub(super) first: Vec<String>,
}

impl Frame {
    /// The procedure with these statements.
    pub(super) fn with(self, body: Vec<Node>, draft: &Draft) -> Unit {
        let Frame { word, name, arguments, result, spec, first } = self;
        let counters = (1..=4).map(|number| format!("i{number}"));
        let counters = counters.map(|name| (format!("integer :: {name}"), name));
        let extra = draft.declarations.iter().map(|(name, text)| (text.clone(), name.clone()));
        let extra = extra.chain(counters).map(|(text, name)| (vec![name], text)).collect();
        let plain_word = word.trim_start_matches("recursive ");
        Unit {
            open: format!("{word} {name}({}){result}", arguments.join(", ")),
            close: format!("end {plain_word} {name}"),
            name,
            spec,
            vars: draft.vars.clone(),
            extra,
            first,
            body,
            inner: Vec::new(),
        }
    }
}

impl Generator {
    /// Procedures that can be called here.
    pub(super) fn callable(&self, scope: &Scope, wanted: impl Fn(Role) -> bool) -> Vec<Procedure> {
        let fits = |procedure: &&Procedure| {
            wanted(procedure.role)
                && !(scope.fixed && procedure.effects.allocation)
                && !(self.draft.is_value && procedure.effects.module)
        };
        self.procedures.iter().filter(fits).cloned().collect()
    }

    /// Declares dummy arguments, and makes them known.
    pub(super) fn declare(&self, arguments: &[Argument], scope: &mut Scope) -> Vec<String> {
        let mut lines = Vec::new();
        for Argument { name, passed, intent } in arguments {
            let writable = *intent != Intent::In;
            let datum = Datum { writable, ..Datum::own(name) };
            let object = |ty| Object { writable, ..Object::own(name, ty) };
            let (spec, extents) = match *passed {
                Passed::Real => {
                    scope.reals.extend([datum.clone(), datum]);
                    ("real(8)".to_string(), "")
                }
                Passed::Vector => {
                    scope.arrays.push(datum);
                    ("real(8)".into(), "(3)")
                }
                Passed::Depth => ("integer".into(), ""),
                Passed::Class(ty) => {
                    scope.objects.push(Object { polymorphic: true, ..object(ty) });
                    (format!("class({})", self.types.name(ty)), "")
                }
                Passed::Type(ty) => {
                    scope.objects.push(object(ty));
                    (format!("type({})", self.types.name(ty)), "")
                }
                Passed::Allocatable(ty) => {
                    scope.objects.push(Object::allocatable(name, ty));
                    (format!("class({}), allocatable", self.types.name(ty)), "")
                }
            };
            lines.push(format!("{spec}, intent({}) :: {name}{extents}", intent.word()));
        }
        lines
    }

    /// Makes variables of the module known, each with this probability.
    pub(super) fn see_module(&mut self, scope: &mut Scope, probability: f64) {
        let writable = !self.draft.is_value;
        for variable in &self.variables {
            if self.dice.chance(probability) {
                let writable = writable && variable.writable;
                scope.objects.push(Object { writable, ..variable.clone() });
            }
        }
    }

    /// Ends a procedure; what it does besides what its arguments tell.
    pub(super) fn finish(&mut self, frame: Frame, body: Vec<Node>) -> Effects {
        let draft = std::mem::take(&mut self.draft);
        let unit = frame.with(body, &draft);
        let mut text = String::new();
        unit.print(&mut text, 0);
        let mut effects = draft.effects;
        effects.module |= self.variables.iter().any(|variable| has_word(&text, &variable.text));
        self.units.push(unit);
        effects
    }
}
