//! Polymorphic objects and structures with allocatable components: dynamic type and structure assignment.

use super::super::program::Node;
use super::places::Scope;
use super::{Generator, block, lines};

impl Generator {
    /// The dynamic type of an object, or its value, changes.
    pub(super) fn object_change(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let c = self.dice.any(&scope.objects)?;
        let (a, b) = (self.value(scope, 1), self.value(scope, 1));
        let made = self.dice.one(["one", "two", "base"]);
        let value = match made {
            "one" => format!("one({a}, {b})"),
            "two" => format!("two({a}, [{b}, 0.3d0])"),
            _ => format!("base({a})"),
        };
        Some(match self.dice.number(0, 4) {
            // What gfortran 12 makes of the assignment of a larger type writes behind the object.
            0 => lines([format!("{c} = base({a})")]),
            1 => lines([
                format!("allocate(item, source={value})"),
                format!("call move_alloc(item, {c})"),
            ]),
            2 => lines([format!("deallocate({c})"), format!("allocate({made} :: {c})")]),
            3 => lines([format!("{c}%a = sin({a})")]),
            _ => lines([
                format!("allocate(item, source={c})"),
                format!("deallocate({c})"),
                format!("allocate({c}, source={value})"),
                format!("{c}%a = item%worth({c}%a)"),
                "deallocate(item)".into(),
            ]),
        })
    }

    /// Dispatch, or a choice by the dynamic type.
    pub(super) fn object_read(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let c = self.dice.any(&scope.objects)?;
        let value = self.value(scope, 1);
        if self.dice.chance(0.4) {
            return Some(lines([self.assigned(scope, &format!("{c}%worth({value})"))]));
        }
        let own = self.assigned(scope, "q%a*q%b");
        let change = format!("q%b = sin(q%b + {value})");
        let rest = self.assigned(scope, "q%a");
        let arms = vec![
            (format!("select type (q => {c})\ntype is (one)"), lines([own, change])),
            ("class default".into(), lines([rest])),
        ];
        Some(vec![Node::Block { arms, close: "end select".into() }])
    }

    /// Whole structures, or their polymorphic components, change.
    pub(super) fn box_change(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let q = self.dice.any(&scope.boxes)?;
        let value = self.value(scope, 1);
        let (at, other) = self.dice.one([(1, 2), (2, 1)]);
        Some(match self.dice.number(0, 4) {
            0 => lines([format!("{q}({at}) = {q}({other})")]),
            1 => lines([format!("{q} = {q}(2:1:-1)")]),
            // What gfortran 12 makes of that in a second call of the head stops.
            2 if self.lasting => lines([
                format!("allocate(item, source=one({value}, 0.4d0))"),
                format!("call move_alloc(item, {q}({at})%o)"),
            ]),
            2 => lines([format!("{q}({at})%o = one({value}, 0.4d0)")]),
            3 => lines([format!("if (allocated({q}({at})%o)) deallocate({q}({at})%o)")]),
            _ => {
                let line = self.assigned(scope, &format!("{q}({at})%o%worth({value})"));
                vec![block(format!("if (allocated({q}({at})%o)) then"), lines([line]), "end if")]
            }
        })
    }
}
