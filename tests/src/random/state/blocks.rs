//! Statements of all sorts, in branches and loops.

use super::super::program::Node;
use super::places::Scope;
use super::{Generator, block, lines};

impl Generator {
    /// `count` of them; constructs nest `depth` levels deep.
    pub(super) fn statements(&mut self, scope: &Scope, depth: u32, count: u32) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..count {
            // Not every kind has a variable in every program.
            for _ in 0..20 {
                if let Some(found) = self.statement(scope, depth) {
                    nodes.extend(found);
                    break;
                }
            }
        }
        nodes
    }

    fn statement(&mut self, scope: &Scope, depth: u32) -> Option<Vec<Node>> {
        let inside = if depth > 0 { 1.0 } else { 0.0 };
        let weights =
            [2.0, 4.0, 3.0, 2.0, 2.0, 1.0, 1.0, 2.0, 2.0, 2.0, 4.0, inside * 2.0, inside * 2.0];
        match self.dice.weighted(&weights) {
            0 => {
                let value = self.value(scope, 2);
                Some(lines([self.assigned(scope, &value)]))
            }
            1 => self.vector_change(scope),
            2 => self.vector_read(scope),
            3 => self.pointer_change(scope),
            4 => self.pointer_use(scope),
            5 => self.text_change(scope),
            6 => self.text_read(scope),
            7 => self.object_change(scope),
            8 => self.object_read(scope),
            9 => self.box_change(scope),
            10 => self.calls(scope),
            11 => Some(vec![self.branch(scope, depth - 1)]),
            _ => Some(vec![self.repeated(scope, depth)]),
        }
    }

    fn branch(&mut self, scope: &Scope, depth: u32) -> Node {
        let header = format!("if ({}) then", self.condition(scope));
        let count = self.dice.number(1, 2);
        let mut arms = vec![(header, self.statements(scope, depth, count))];
        if self.dice.chance(0.5) {
            let count = self.dice.number(1, 2);
            arms.push(("else".into(), self.statements(scope, depth, count)));
        }
        Node::Block { arms, close: "end if".into() }
    }

    fn repeated(&mut self, scope: &Scope, depth: u32) -> Node {
        let count = self.dice.number(1, 3);
        let mut body = self.statements(scope, depth - 1, count);
        if self.dice.chance(0.2) {
            body.push(Node::Line(format!("if ({}) exit", self.condition(scope))));
        }
        let vector = self.dice.any(&scope.vectors);
        let last = match vector {
            Some(vector) if self.dice.chance(0.3) => format!("min(size({vector}), 3)"),
            _ => self.dice.one(["2", "3"]).into(),
        };
        block(format!("do i{depth} = 1, {last}"), body, "end do")
    }
}
