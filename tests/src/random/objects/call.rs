//! Calls. No two actual arguments of which one is defined share storage, and what a procedure uses of
//! the module is not passed to it.

use super::super::program::Node;
use super::Generator;
use super::path::Path;
use super::procedure::{Argument, Intent, Passed, Procedure, Role};
use super::scope::{Datum, Object, Scope, View, has_variable_subscript};

/// Actual arguments, and what storage they have.
struct Actuals {
    texts: Vec<String>,
    used: Vec<Path>,
}

impl Actuals {
    fn list(&self) -> String {
        self.texts.join(", ")
    }

    /// Whether something that `procedure` defines may be passed beside them.
    fn leave(&self, path: &Path, procedure: &Procedure) -> bool {
        self.used.iter().all(|used| path.is_apart(used)) && !reaches(procedure, path)
    }

    fn pass_object(&mut self, object: Object) {
        self.texts.push(object.text);
        self.used.push(object.path);
    }

    fn pass_datum(&mut self, datum: Datum) {
        self.texts.push(datum.text);
        self.used.push(datum.path);
    }
}

/// Whether a procedure may use something without being passed it.
fn reaches(procedure: &Procedure, path: &Path) -> bool {
    procedure.effects.module && path.in_module()
}

/// Whether an expression is a variable, and not its value.
fn is_designator(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || "_%(), +-".contains(c))
}

impl Generator {
    /// Actual arguments, besides the object; none if there are none that are legal.
    fn actuals(
        &mut self,
        scope: &Scope,
        procedure: &Procedure,
        object: Option<&Object>,
    ) -> Option<Actuals> {
        let used = object.iter().map(|object| object.path.clone()).collect();
        let mut actuals = Actuals { texts: Vec::new(), used };
        for argument in &procedure.arguments {
            let view = self.view(scope);
            self.actual(scope, procedure, argument, &view, &mut actuals)?;
        }
        Some(actuals)
    }

    fn actual(
        &mut self,
        scope: &Scope,
        procedure: &Procedure,
        argument: &Argument,
        view: &View,
        actuals: &mut Actuals,
    ) -> Option<()> {
        let read = argument.intent == Intent::In;
        let datum = |datum: &&Datum| datum.writable && actuals.leave(&datum.path, procedure);
        match argument.passed {
            Passed::Real if read => {
                let e = self.expr_of(scope, view, 1);
                let value = if is_designator(&e) { format!("({e})") } else { e };
                actuals.texts.push(value);
            }
            Passed::Vector if read => {
                let array = self.dice.any(&view.arrays)?.text;
                actuals.texts.push(format!("0.90d0*{array}"));
            }
            Passed::Real => {
                let fitting: Vec<Datum> = view.reals.iter().filter(datum).cloned().collect();
                actuals.pass_datum(self.dice.any(&fitting)?);
            }
            Passed::Vector => {
                let fitting: Vec<Datum> = view.arrays.iter().filter(datum).cloned().collect();
                actuals.pass_datum(self.dice.any(&fitting)?);
            }
            Passed::Depth => actuals.texts.push(self.dice.number(1, 3).to_string()),
            Passed::Class(_) | Passed::Type(_) | Passed::Allocatable(_) => {
                let fits = |object: &&Object| {
                    (read || object.writable)
                        && self.conforms(object, argument.passed)
                        && actuals.leave(&object.path, procedure)
                };
                let fitting: Vec<Object> = view.objects.iter().filter(fits).cloned().collect();
                actuals.pass_object(self.dice.any(&fitting)?);
            }
        }
        Some(())
    }

    /// Whether an object can be passed.
    fn conforms(&self, object: &Object, passed: Passed) -> bool {
        match passed {
            Passed::Class(ty) => self.types.is_a(object.ty, ty),
            Passed::Type(ty) => object.ty == ty,
            Passed::Allocatable(ty) => object.allocatable && object.ty == ty,
            Passed::Real | Passed::Vector | Passed::Depth => false,
        }
    }

    /// An object that a bound procedure which changes it can be called for.
    fn changed_object(&mut self, scope: &Scope, procedure: &Procedure) -> Option<Object> {
        let owner = procedure.owner?;
        let writable = self.objects(scope, |object| object.writable);
        let fits = |object: &Object| {
            self.types.is_a(object.ty, owner) && !reaches(procedure, &object.path)
        };
        let fitting: Vec<Object> = writable.into_iter().filter(fits).collect();
        self.dice.any(&fitting)
    }

    /// CALL of a bound procedure.
    pub(super) fn bound_call(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let procedures = self.callable(scope, |role| role == Role::Action);
        let procedure = self.dice.any(&procedures)?;
        let object = self.changed_object(scope, &procedure)?;
        let actuals = self.actuals(scope, &procedure, Some(&object))?;
        self.draft.effects.add(procedure.effects);
        let parent = self.types.concrete_parent(object.ty).filter(|parent| {
            let owned = procedure.owner.is_some_and(|owner| self.types.is_a(*parent, owner));
            owned && !object.polymorphic
        });
        let text = match parent {
            Some(parent) if self.dice.chance(0.2) => {
                format!("{}%{}", object.text, self.types.name(parent))
            }
            Some(_) | None => object.text,
        };
        let call = format!("call {text}%{}({})", procedure.name, actuals.list());
        Some(vec![Node::Line(call)])
    }

    /// An assignment with a bound function that changes its object. What it changes stands nowhere else
    /// in the statement.
    pub(super) fn change(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let procedures = self.callable(scope, |role| role == Role::Change);
        let procedure = self.dice.any(&procedures)?;
        let object = self.changed_object(scope, &procedure)?;
        if has_variable_subscript(&object.text) {
            return None;
        }
        let mut rest = self.without(scope, &object.path);
        rest.retain(|_, path| !reaches(&procedure, path));
        rest.integers.clear();
        rest.callless = true;
        let actuals = self.actuals(&rest, &procedure, Some(&object))?;
        let fits = |datum: &Datum| {
            datum.writable
                && !has_variable_subscript(&datum.text)
                && actuals.leave(&datum.path, &procedure)
        };
        let targets: Vec<Datum> = self.view(&rest).reals.into_iter().filter(fits).collect();
        let target = self.dice.any(&targets)?.text;
        self.draft.effects.add(procedure.effects);
        let value = format!("{}%{}({})", object.text, procedure.name, actuals.list());
        Some(vec![Node::Line(match self.dice.number(0, 2) {
            0 => format!("{target} = {value}"),
            1 => format!("{target} = 0.5d0*{target} + 0.4d0*{value}"),
            _ => format!("{target} = sin({target})*{value}"),
        })])
    }

    /// CALL of a procedure that is not bound.
    pub(super) fn free_call(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let procedures = self.callable(scope, |role| role == Role::Free);
        let procedure = self.dice.any(&procedures)?;
        let actuals = self.actuals(scope, &procedure, None)?;
        self.draft.effects.add(procedure.effects);
        Some(vec![Node::Line(format!("call {}({})", procedure.name, actuals.list()))])
    }

    /// The procedure calls itself, at most once.
    pub(super) fn recursion(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        if scope.repeated || scope.fixed {
            return None;
        }
        self.draft.recursion.take().map(|call| vec![Node::Line(call)])
    }
}
