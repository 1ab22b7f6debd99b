//! What changes the storage of something: allocation, MOVE_ALLOC, assignment to polymorphic
//! allocatables, pointer association.
//!
//! Everything is allocated and associated again once a statement of these is through. None stands
//! where a construct has a name for something.

use super::super::program::{Node, has_word};
use super::Generator;
use super::scope::{Datum, Object, Scope, has_variable_subscript};
use super::types::Kind;

/// Statements that stay together: nothing may come between them.
pub(super) fn together(mut lines: Vec<String>) -> Option<Vec<Node>> {
    let close = lines.pop()?;
    Some(vec![if lines.is_empty() {
        Node::Line(close)
    } else {
        Node::Block { arms: vec![(lines.join("\n"), Vec::new())], close }
    }])
}

impl Generator {
    /// Allocatable objects that may be allocated anew.
    fn allocatables(&mut self, scope: &Scope) -> Vec<Object> {
        if scope.fixed {
            return Vec::new();
        }
        self.objects(scope, |object| object.allocatable && object.writable)
    }

    /// Those that a text denotes through several statements.
    fn lasting_allocatables(&mut self, scope: &Scope) -> Vec<Object> {
        let all = self.allocatables(scope).into_iter();
        all.filter(|object| !has_variable_subscript(&object.text)).collect()
    }

    /// DEALLOCATE, and ALLOCATE with a type, a copy or a constructor.
    pub(super) fn reallocation(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let objects = self.lasting_allocatables(scope);
        let target = self.dice.any(&objects)?;
        let text = &target.text;
        let deallocate = format!("deallocate ({text})");
        let copied = self.dice.chance(0.55).then(|| self.copied(scope, &target)).flatten();
        self.draft.effects.allocation = true;
        if let Some(source) = copied {
            return together(vec![deallocate, format!("allocate ({text}, source={source})")]);
        }
        let plain = self.types.plain();
        let ty = self.dice.any(&plain)?;
        let rest = self.without(scope, &target.path);
        if self.dice.chance(0.55) {
            let source = self.constructor(&rest, ty);
            return together(vec![deallocate, format!("allocate ({text}, source={source})")]);
        }
        let allocate = format!("allocate ({} :: {text})", self.types.name(ty));
        let value = self.expr(&rest, 1);
        together(vec![deallocate, allocate, format!("{text}%v = {value}")])
    }

    /// An object that can be denoted while `target` is not there.
    fn copied(&mut self, scope: &Scope, target: &Object) -> Option<String> {
        let all = self.objects(scope, |object| object.path.is_apart(&target.path));
        let variable = target.path.variable()?;
        let fits = |object: &Object| {
            let independent = !has_word(&object.text, variable)
                || !object.text.contains('(') && !target.text.contains('(');
            independent && self.types.is_a(object.ty, target.ty)
        };
        let fitting: Vec<Object> = all.into_iter().filter(fits).collect();
        self.dice.any(&fitting).map(|object| object.text)
    }

    /// Assignment to a polymorphic allocatable, which gets the type of what is assigned.
    pub(super) fn polymorphic_assignment(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let objects = self.allocatables(scope);
        let target = self.dice.any(&objects)?;
        let source = if self.dice.chance(0.3) {
            let plain = self.types.plain();
            let ty = self.dice.any(&plain)?;
            self.constructor(scope, ty)
        } else {
            let all = self.objects(scope, |object| object.path.is_apart(&target.path));
            let fits = |object: &Object| self.types.is_a(object.ty, target.ty);
            let fitting: Vec<Object> = all.into_iter().filter(fits).collect();
            self.dice.any(&fitting)?.text
        };
        self.draft.effects.allocation = true;
        together(vec![format!("{} = {source}", target.text)])
    }

    /// MOVE_ALLOC: two objects change places, or one becomes a copy of the other.
    pub(super) fn move_alloc(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let objects = self.lasting_allocatables(scope);
        let first = self.dice.any(&objects)?;
        let fits = |own: &Object| own.ty == first.ty && own.path.is_apart(&first.path);
        let others: Vec<Object> = objects.iter().filter(|own| fits(own)).cloned().collect();
        let (a, b) = (&first.text, self.dice.any(&others)?.text);
        let name = self.types.name(first.ty);
        let t = self.draft.temporary("ta", &format!("class({name}), allocatable :: …"));
        self.draft.effects.allocation = true;
        let moved = format!("call move_alloc({a}, {t})");
        if self.dice.chance(0.25) {
            let copy = format!("allocate ({a}, source={b})");
            return together(vec![moved, copy, format!("deallocate ({t})")]);
        }
        let back = format!("call move_alloc({t}, {b})");
        together(vec![moved, format!("call move_alloc({b}, {a})"), back])
    }

    /// An allocatable array gets other storage.
    pub(super) fn array_reallocation(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        if scope.fixed {
            return None;
        }
        let view = self.view(scope);
        let allocatable = view.arrays.iter().filter(|array| array.allocatable && array.writable);
        let array = self.dice.any(&allocatable.collect::<Vec<&Datum>>())?;
        let a = &array.text;
        self.draft.effects.allocation = true;
        match self.dice.number(0, 2) {
            0 => {
                let rest = self.without(scope, &array.path);
                let value = format!("{a} = {}", self.expr(&rest, 1));
                together(vec![format!("deallocate ({a})"), format!("allocate ({a}(3))"), value])
            }
            1 => together(vec![format!("{a} = [{a}(2:3), {}]", self.expr_of(scope, &view, 1))]),
            _ => {
                let t = self.draft.temporary("tr", "real(8), allocatable :: …(:)");
                let value = format!("{t} = {a}(3:1:-1)*{}", self.operand(scope, &view));
                let moved = format!("call move_alloc({t}, {a})");
                together(vec![format!("allocate ({t}(3))"), value, moved])
            }
        }
    }

    /// A pointer gets another target.
    pub(super) fn association(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        let pointer = self.dice.any(&scope.pointers)?;
        let (target, _) = self.dice.any(&self.draft.targets)?;
        together(vec![format!("{pointer} => {target}")])
    }

    /// A pointer to an array gets another target, perhaps in reverse order.
    pub(super) fn array_association(&mut self, scope: &Scope, _: u32) -> Option<Vec<Node>> {
        if !scope.arrays.iter().any(|array| array.text == Self::ARRAY_POINTER) {
            return None;
        }
        let (target, ty) = self.dice.any(&self.draft.targets)?;
        let component = self.dice.any(&self.types.components_of(ty, Kind::Vector))?;
        let section = self.dice.one(["", "(3:1:-1)"]);
        together(vec![format!("{} => {target}%{component}{section}", Self::ARRAY_POINTER)])
    }
}
