//! Assignments of numbers, arrays and objects.

use super::super::program::Node;
use super::Generator;
use super::scope::{Datum, Object, Scope, View, has_variable_subscript};
use super::storage::together;
use super::types::{Kind, TypeId};

impl Generator {
    /// To a number.
    pub(super) fn scalar_assignment(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let view = self.view(scope);
        let writable = |datum: &&Datum| datum.writable;
        let mut targets: Vec<String> =
            view.reals.iter().filter(writable).map(|datum| datum.text.clone()).collect();
        for array in view.arrays.iter().filter(writable) {
            targets.push(format!("{}({})", array.text, self.subscript(scope)));
        }
        let target = self.dice.any(&targets)?;
        Some(vec![Node::Line(format!("{target} = {}", self.update(scope, &target)))])
    }

    /// To an array, or a section of it.
    pub(super) fn array_assignment(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let view = self.view(scope);
        let writable: Vec<Datum> = view.arrays.iter().filter(|a| a.writable).cloned().collect();
        let a = self.dice.any(&writable)?.text;
        let b = self.dice.any(&view.arrays)?.text;
        let e = self.expr_of(scope, &view, 1);
        let [x, y] = [(); 2].map(|()| self.operand(scope, &view));
        Some(vec![Node::Line(match self.dice.number(0, 7) {
            0 => format!("{a} = 0.6d0*cos({b}) + 0.3d0*{e}"),
            1 => format!("{a} = {a}(3:1:-1)"),
            2 => format!("{a}(2:3) = 0.7d0*{a}(1:2)"),
            3 => format!("{a} = cshift({a}, 1)"),
            4 => format!("{a} = sin({b}*{e})"),
            5 => format!("{a}(1:3:2) = {x}/(1 + {b}(2:3)**2)"),
            6 => format!("{a} = [{e}, {x}, {y}]"),
            _ => format!("{a} = 0.8d0*{a} + 0.2d0*{b}"),
        })])
    }

    /// To an integer component, which stays 1, 2 or 3.
    pub(super) fn integer_assignment(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let integers: Vec<Datum> =
            self.integers(scope).into_iter().filter(|datum| datum.writable).collect();
        let k = self.dice.any(&integers)?.text;
        let from = match scope.counters.last() {
            Some(counter) if self.dice.chance(0.3) => counter.clone(),
            Some(_) | None => k.clone(),
        };
        let more = self.dice.one(["", " + 1"]);
        Some(vec![Node::Line(format!("{k} = mod({from}{more}, 3) + 1"))])
    }

    /// To a component of all elements of an array of structures, or its sum to a number.
    pub(super) fn components_assignment(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let mut wholes = Vec::new();
        for object in scope.objects.iter().filter(|object| !object.array && object.writable) {
            for component in self.types.components(object.ty) {
                if let Kind::Structures(ty) | Kind::AllocatableStructures(ty) = component.kind {
                    let array = format!("{}%{}", object.text, component.name);
                    let reals = self.types.components_of(ty, Kind::Real).into_iter();
                    wholes.extend(reals.map(|real| (array.clone(), real)));
                }
            }
        }
        let (array, real) = self.dice.any(&wholes)?;
        let section = self.dice.one(["", "(1:3)", "(3:1:-1)"]);
        let whole = format!("{array}{section}%{real}");
        let view = self.view(scope);
        if self.dice.chance(0.3)
            && let Some(sum) = self.sum_to(&view, &whole)
        {
            return Some(vec![Node::Line(sum)]);
        }
        let added = match self.dice.any(&view.arrays) {
            Some(array) if self.dice.chance(0.5) => format!("cos({})", array.text),
            Some(_) | None => self.expr_of(scope, &view, 1),
        };
        Some(vec![Node::Line(format!("{whole} = 0.6d0*{whole} + 0.3d0*{added}"))])
    }

    fn sum_to(&mut self, view: &View, whole: &str) -> Option<String> {
        let writable: Vec<&Datum> = view.reals.iter().filter(|datum| datum.writable).collect();
        let target = &self.dice.any(&writable)?.text;
        Some(format!("{target} = sin(sum({whole})) + 0.2d0*{target}"))
    }

    /// To an object as a whole, or to its part that is of the parent.
    pub(super) fn object_assignment(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let writable = self.objects(scope, |object| object.writable && !object.polymorphic);
        let fits = |object: &Object| !scope.fixed || self.types.is_plain(object.ty);
        let fitting: Vec<Object> = writable.into_iter().filter(fits).collect();
        let target = self.dice.any(&fitting)?;
        let plain = self.types.is_plain(target.ty);
        let assigned = if plain && self.dice.chance(0.4) {
            let value = self.constructor(scope, target.ty);
            format!("{} = {}", target.text, self.chosen(scope, &target, value))
        } else {
            self.copy(scope, &target)?
        };
        self.draft.effects.allocation |= !plain;
        Some(vec![Node::Line(assigned)])
    }

    /// Perhaps a choice between `value` and another one of the type of `target`.
    fn chosen(&mut self, scope: &Scope, target: &Object, value: String) -> String {
        if !self.dice.chance(0.15) {
            return value;
        }
        let Some(condition) = self.condition(scope) else { return value };
        let same = self.objects(scope, |own| own.ty == target.ty && !own.polymorphic);
        let other = match self.dice.any(&same) {
            Some(object) if self.dice.chance(0.5) => object.text,
            Some(_) | None => self.constructor(scope, target.ty),
        };
        let [first, second] = if self.dice.chance(0.5) { [value, other] } else { [other, value] };
        format!("merge({first}, {second}, {condition})")
    }

    fn copy(&mut self, scope: &Scope, target: &Object) -> Option<String> {
        let text = &target.text;
        let same = self.objects(scope, |own| own.ty == target.ty && own.text != *text);
        if let Some(source) = self.dice.any(&same) {
            return Some(format!("{text} = {}", source.text));
        }
        let parent = self.types.concrete_parent(target.ty)?;
        let sources = self.objects(scope, |own| own.ty == parent);
        let source = self.dice.any(&sources)?;
        Some(format!("{text}%{} = {}", self.types.name(parent), source.text))
    }

    /// Two objects of one type change places.
    pub(super) fn swap(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        // A subscript that is part of what is assigned would change.
        let writable = self.objects(scope, |object| {
            object.writable && !object.polymorphic && !has_variable_subscript(&object.text)
        });
        let plain: Vec<Object> =
            writable.into_iter().filter(|object| self.types.is_plain(object.ty)).collect();
        let a = self.dice.any(&plain)?;
        let others = plain.into_iter().filter(|own| own.ty == a.ty && own.text != a.text);
        let b = self.dice.any(&others.collect::<Vec<_>>())?.text;
        let name = self.types.name(a.ty);
        let t = self.draft.temporary("tm", &format!("type({name}) :: …"));
        let a = a.text;
        together(vec![format!("{t} = {a}"), format!("{a} = {b}"), format!("{b} = {t}")])
    }

    /// A structure constructor for a type without allocatable components; what it leaves out has its
    /// default value.
    pub(super) fn constructor(&mut self, scope: &Scope, ty: TypeId) -> String {
        let view = self.view(scope);
        let mut values = Vec::new();
        // With no number that varies, what varies comes with structures alone, or nothing does.
        let constant = self.dice.chance(0.25);
        for component in self.types.components(ty) {
            if constant && component.kind == Kind::Real {
                values.push(format!("{}={}", component.name, self.dice.literal(0.2, 0.9)));
            } else if constant && component.kind == Kind::Vector {
                continue;
            } else if let Some(value) = self.component_value(scope, &view, component.kind) {
                values.push(format!("{}={value}", component.name));
            }
        }
        format!("{}({})", self.types.name(ty), values.join(", "))
    }

    fn component_value(&mut self, scope: &Scope, view: &View, kind: Kind) -> Option<String> {
        match kind {
            Kind::Real if self.dice.chance(0.7) => Some(self.expr_of(scope, view, 1)),
            Kind::Integer if self.dice.chance(0.4) => Some(self.dice.number(1, 3).to_string()),
            Kind::Vector if self.dice.chance(0.3) => Some(self.dice.any(&view.arrays)?.text),
            Kind::Vector if self.dice.chance(0.3) => {
                let [a, b] = [(); 2].map(|()| self.operand(scope, view));
                Some(format!("[{a}, 0.3d0, {b}]"))
            }
            Kind::Structure(ty) | Kind::Structures(ty) if self.dice.chance(0.7) => {
                Some(self.structure_value(scope, view, ty))
            }
            Kind::Real
            | Kind::Integer
            | Kind::Vector
            | Kind::AllocatableVector
            | Kind::Structure(_)
            | Kind::Structures(_)
            | Kind::AllocatableStructures(_)
            | Kind::Polymorphic(_)
            | Kind::Polymorphics(_)
            | Kind::Pointer(_) => None,
        }
    }

    /// What becomes a component that is a structure: one that there is, or a new one, which may be
    /// constant.
    fn structure_value(&mut self, scope: &Scope, view: &View, ty: TypeId) -> String {
        let fits = |own: &&Object| own.ty == ty && !own.polymorphic;
        let objects: Vec<Object> = view.objects.iter().filter(fits).cloned().collect();
        if self.dice.chance(0.4)
            && let Some(object) = self.dice.any(&objects)
        {
            return object.text;
        }
        let constant = self.dice.chance(0.2);
        let value =
            if constant { self.dice.literal(0.2, 0.9) } else { self.expr_of(scope, view, 1) };
        format!("{}(v={value})", self.types.name(ty))
    }
}
