//! Pointers and deferred-length characters: association, bounds and length.

use super::super::program::Node;
use super::places::Scope;
use super::{Generator, block, lines};

impl Generator {
    /// A pointer gets another target, none, or other bounds.
    pub(super) fn pointer_change(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let (p, target) = self.dice.any(&scope.pointers)?;
        let condition = self.condition(scope);
        let line = match self.dice.number(0, 7) {
            0 => format!("{p} => {target}"),
            1 => format!("{p} => {target}(2:5)"),
            2 => format!("{p} => {target}(6:1:-2)"),
            3 => format!("{p}(0:) => {target}(1:3)"),
            4 => format!("if ({condition}) nullify({p})"),
            5 => format!("if ({condition}) {p} => {target}(3:4)"),
            6 => format!("call slide({p})"),
            _ => format!("call hold({target}(1:5:2))"),
        };
        Some(lines([line]))
    }

    /// The target is read or overwritten through the pointer.
    pub(super) fn pointer_use(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let (p, target) = self.dice.any(&scope.pointers)?;
        let value = self.value(scope, 1);
        let inside = match self.dice.number(0, 4) {
            0 => format!("{p} = 0.8d0*{p}*cos({value})"),
            1 => format!("{p}(lbound({p}, 1)) = sin({value})"),
            2 => self.assigned(scope, &format!("sum({p})*0.3d0")),
            3 => format!("{p}(ubound({p}, 1)) = {target}(2)*0.9d0 + 0.1d0*lbound({p}, 1)"),
            _ => self.assigned(scope, &format!("{p}(ubound({p}, 1))*size({p})*0.2d0")),
        };
        Some(vec![block(format!("if (associated({p})) then"), lines([inside]), "end if")])
    }

    /// The length of a text changes.
    pub(super) fn text_change(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let w = self.dice.any(&scope.texts)?;
        let condition = self.condition(scope);
        let line = match self.dice.number(0, 3) {
            0 => format!("if (len({w}) < 6) {w} = {w}//'de'"),
            1 => format!("if (len({w}) > 1) {w} = {w}(2:)"),
            2 => format!("if ({condition}) {w} = 'a'"),
            _ => format!("{w} = 'bcda'"),
        };
        Some(lines([line]))
    }

    /// The length is a factor.
    pub(super) fn text_read(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let w = self.dice.any(&scope.texts)?;
        let value = self.value(scope, 1);
        let line = self.assigned(scope, &format!("0.3d0*len({w})*{value}"));
        Some(match self.dice.chance(0.4) {
            true => vec![block(format!("if ({w}(1:1) == 'a') then"), lines([line]), "end if")],
            false => lines([line]),
        })
    }
}
