//! What a driver writes for objects that the head allocates: `primal` writes their bounds and dynamic types, and the
//! other modes make the weights of an adjoint by these.

use super::driver::{At, Writer};
use crate::check::point::node::{DynamicType, Node, Storage};
use crate::check::point::plan::Object;

/// The SELECT TYPE constructs that are begun.
pub(super) struct Begun(usize);

impl Writer<'_> {
    /// Begins a SELECT TYPE for each of these names of an object of CLASS, for the type that the driver has made.
    pub(super) fn begin_made(&mut self, node: &Node, names: &[&str]) -> Begun {
        let Some(made) = node.made() else { return Begun(0) };
        for name in names {
            self.code.line(&format!("select type ({name})"));
            self.code.line(&format!("type is ({made})"));
            self.code.depth += 1;
        }
        Begun(names.len())
    }

    /// Ends them.
    pub(super) fn end_types(&mut self, begun: Begun) {
        for _ in 0..begun.0 {
            self.code.depth -= 1;
            self.code.line("end select");
        }
    }

    /// Writes for the components of an object, and of CLASS for those of each type that `name` may have.
    pub(super) fn of_each_type(
        &mut self,
        node: &Node,
        name: &str,
        mut write: impl FnMut(&mut Self, &[(String, Node)]),
    ) {
        if node.types.is_empty() {
            write(self, &node.parts);
            return;
        }
        self.code.line(&format!("select type ({name})"));
        for DynamicType { name, parts, .. } in &node.types {
            self.code.line(&format!("type is ({name})"));
            self.code.depth += 1;
            write(self, parts);
            self.code.depth -= 1;
        }
        self.code.line("end select");
    }

    /// Writes the bounds of a variable if it is allocated, and the number of its dynamic type; the same for allocatable
    /// components of a scalar.
    pub(super) fn put_shape(&mut self, node: &Node, name: &str) {
        let dynamic = node.storage == Storage::Allocatable;
        if dynamic {
            self.code.line(&format!("if (allocated({name})) then"));
            self.code.depth += 1;
            self.code.line(&format!("call oxad_label('{name} bounds')"));
            if node.rank > 0 {
                self.code.line(&format!("call oxad_put([lbound({name}), ubound({name})])"));
            }
        }
        let mut number = 0;
        if !node.types.is_empty() || node.rank == 0 && has_allocatable(&node.parts) {
            self.of_each_type(node, name, |writer, parts| {
                number += 1;
                if !node.types.is_empty() {
                    writer.code.line(&format!("call oxad_put([{number}])"));
                }
                if node.rank == 0 {
                    for (part, inner) in parts {
                        writer.put_shape(inner, &format!("{name}%{part}"));
                    }
                }
            });
        }
        if dynamic {
            self.code.depth -= 1;
            self.code.line("end if");
        }
    }

    /// The weights of what the head may allocate have the shape and the type that it has behind the call.
    pub(super) fn weigh_as_shaped(&mut self, object: &Object, node: &Node, at: &At, loops: usize) {
        let Some(shadow) = at.shadow.as_ref().filter(|_| node.storage != Storage::Pointer) else {
            return;
        };
        let dynamic = node.storage == Storage::Allocatable;
        if dynamic {
            let rank = node.rank;
            let end = 2 * rank + usize::from(!node.types.is_empty());
            self.code.line(&format!("if (allocated({shadow})) deallocate ({shadow})"));
            self.code.line(&format!("if (oxad_shaped('{}', oxad_bounds(:{end}))) then", at.primal));
            self.code.depth += 1;
            self.allocate_as_shaped(node, shadow);
        }
        if node.parts.is_empty() && node.types.is_empty() {
            if node.is_continuous() && object.dependent.has(&node.key) {
                self.code.line(&format!("call oxad_weigh({shadow})"));
            } else if node.is_continuous() {
                self.code.line(&format!("{shadow} = 0"));
            }
        } else {
            self.of_each_type(node, shadow, |writer, parts| {
                writer.each_element(node, at, shadow, loops, |writer, at, loops| {
                    for (name, part) in parts {
                        match loops {
                            0 => writer.weigh_as_shaped(object, part, &at.part(name), loops),
                            _ => writer.weigh(object, part, &at.part(name), loops),
                        }
                    }
                });
            });
        }
        if dynamic {
            self.code.depth -= 1;
            self.code.line("end if");
        }
    }

    fn allocate_as_shaped(&mut self, node: &Node, shadow: &str) {
        let rank = node.rank;
        let bounds: Vec<String> =
            (1..=rank).map(|at| format!("oxad_bounds({at}):oxad_bounds({})", at + rank)).collect();
        let shape = if rank == 0 { String::new() } else { format!("({})", bounds.join(", ")) };
        if node.types.is_empty() {
            self.code.line(&format!("allocate ({shadow}{shape})"));
            return;
        }
        self.code.line(&format!("select case (oxad_bounds({}))", 2 * rank + 1));
        for (ty, number) in node.types.iter().zip(1..) {
            self.code.line(&format!("case ({number})"));
            self.code.line(&format!("  allocate ({} :: {shadow}{shape})", ty.name));
        }
        self.code.line("end select");
    }
}

/// Whether a component of a scalar object, or of a scalar within it, is allocatable.
pub(super) fn has_allocatable(parts: &[(String, Node)]) -> bool {
    parts.iter().any(|(_, part)| {
        part.storage == Storage::Allocatable || part.rank == 0 && has_allocatable(&part.parts)
    })
}
