//! Allocatable vectors: what changes allocation, bounds and extent, and what reads them.

use super::super::program::Node;
use super::places::Scope;
use super::{Generator, block, lines};

/// A vector that is longer does not grow.
const LONGEST: u32 = 7;

impl Generator {
    /// Statements that change a property of a vector, or all its elements.
    pub(super) fn vector_change(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let v = self.dice.any(&scope.vectors)?;
        let (a, b) = (self.value(scope, 1), self.value(scope, 1));
        let limit = self.dice.literal(0.1, 0.5);
        let grows = format!("if (size({v}) < {LONGEST}) ");
        let shrinks = format!("if (size({v}) > 1) ");
        let low = self.dice.one([-1, 0, 1, 3]);
        let high = low + self.dice.one([0, 1, 2]);
        let bounds = format!("lbound({v}, 1), ubound({v}, 1)");
        let line = match self.dice.number(0, 16) {
            0 => format!("{grows}{v} = [{v}, {a}]"),
            1 => format!("{shrinks}{v} = {v}(lbound({v}, 1) + 1:)"),
            2 => format!("{v} = [{a}]"),
            3 => format!("{v} = [{a}, {b}, {limit}]"),
            4 => format!("{v} = {v}(ubound({v}, 1):lbound({v}, 1):-1)*cos({a})"),
            5 => format!("{v} = [({v}(j)*cos({a}), j = {bounds})]"),
            6 => format!("{grows}{v} = [({v}(j)*0.9d0, j = {bounds}), {a}]"),
            7 => format!("{grows}{v} = pack({v}, {v} > {limit}, vector=[{v}, {a}])"),
            8 => format!("{grows}{v} = reshape({v}, [size({v}) + 1], pad=[{a}])"),
            9 => format!("{shrinks}{v} = transfer({v}, {v}, size=size({v}) - 1)"),
            10 => format!("{v} = doubled({v})"),
            11 => format!("call renew({v}, {limit})"),
            12 => format!("{v} = eoshift({v}, 1, boundary={a})"),
            13 => return self.vector_again(scope, &v, (low, high)),
            14 => return self.vector_moved(scope, &v, (low, high)),
            15 => return self.vector_absent(scope, &v),
            _ => return self.vector_copied(scope, &v),
        };
        Some(lines([line]))
    }

    /// Deallocated and allocated with other bounds.
    fn vector_again(
        &mut self,
        scope: &Scope,
        v: &str,
        (low, high): (i32, i32),
    ) -> Option<Vec<Node>> {
        let value = self.value(scope, 0);
        Some(lines([
            format!("t = {value}"),
            format!("deallocate({v})"),
            format!("allocate({v}({low}:{high}))"),
            format!("{v} = t*0.8d0"),
        ]))
    }

    fn vector_moved(
        &mut self,
        scope: &Scope,
        v: &str,
        (low, high): (i32, i32),
    ) -> Option<Vec<Node>> {
        let value = self.value(scope, 1);
        let first = match self.dice.chance(0.5) {
            true => format!("allocate(moved({low}:{high}), source={value})"),
            false => format!("allocate(moved, source=[{v}, {value}])"),
        };
        let moved = lines([first, format!("call move_alloc(moved, {v})")]);
        Some(vec![block(format!("if (size({v}) < {LONGEST}) then"), moved, "end if")])
    }

    /// A vector that may be unallocated where a procedure asks whether it is present.
    fn vector_absent(&mut self, scope: &Scope, v: &str) -> Option<Vec<Node>> {
        let condition = self.condition(scope);
        let read = self.value(scope, 1);
        let read = self.assigned(scope, &read);
        let guard = format!("if (allocated({v})) then");
        let inside = match self.dice.chance(0.5) && !read.contains(v) {
            true => lines(["t = 0.3d0".into(), format!("call maybe(t, {v})")]),
            false => lines([format!("part = 0.5d0*{v}"), "t = sum(part)".into()]),
        };
        let last = self.target(scope);
        let mut nodes = lines(["t = 0.2d0".into(), format!("if ({condition}) deallocate({v})")]);
        match inside.iter().any(|node| super::text(std::slice::from_ref(node)).contains("maybe")) {
            true => nodes.extend(inside),
            false => nodes.push(block(guard, inside, "end if")),
        }
        nodes.extend(lines([format!("if (.not. allocated({v})) {v} = [t, 0.2d0]")]));
        nodes.extend(lines([format!("{last} = 0.5d0*{last} + 0.3d0*sin(t)")]));
        Some(nodes)
    }

    /// One vector becomes another one, or is multiplied where the extents are the same.
    fn vector_copied(&mut self, scope: &Scope, v: &str) -> Option<Vec<Node>> {
        let other = self.dice.any(&scope.vectors)?;
        if other == v {
            return None;
        }
        let arms = vec![
            (
                format!("if (size({v}) == size({other})) then"),
                lines([format!("{v} = {v}*cos({other})")]),
            ),
            ("else".into(), lines([format!("{v} = {other}*0.9d0")])),
        ];
        Some(vec![Node::Block { arms, close: "end if".into() }])
    }

    /// Statements that read elements, extents and bounds.
    pub(super) fn vector_read(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let v = self.dice.any(&scope.vectors)?;
        let (limit, number) = (self.dice.literal(0.1, 0.5), self.dice.number(1, 3));
        let a = self.value(scope, 1);
        let value = match self.dice.number(0, 11) {
            0 => format!("sum({v}, dim=1, mask={v} > {limit})"),
            1 => format!("{v}(maxloc({v}, dim=1, back=.true.) + lbound({v}, 1) - 1)"),
            2 => format!("sum(cshift({v}, size({v})/2)*{v})"),
            3 => format!("sum(eoshift({v}, 1, boundary={a})*{v})"),
            4 => format!("sum(spread({v}, dim=1, ncopies={number}))*0.3d0"),
            5 => format!("sum(unpack([{v}, {v}], [.true., .false., .true.], field={a}))*0.4d0"),
            6 => format!("size(pack({v}, {v} > {limit}))*{a}"),
            7 => format!("sum(doubled({v}))*0.2d0"),
            8 => format!("sum(reshape({v}, [2, {number}], pad=[{a}], order=[2, 1]))*0.3d0"),
            9 => format!("sum(transfer({v}, [0d0], size=1))"),
            10 => format!("maxval({v}, mask={v} > minval({v}) - 1d0)*{a}"),
            _ => {
                let line = format!("t = sin(t + {v}(j))");
                let loop_ = block(
                    format!("do j = lbound({v}, 1), ubound({v}, 1)"),
                    lines([line]),
                    "end do",
                );
                let last = self.assigned(scope, "t");
                return Some([vec![Node::Line("t = 0.1d0".into()), loop_], lines([last])].concat());
            }
        };
        Some(lines([self.assigned(scope, &value)]))
    }
}
