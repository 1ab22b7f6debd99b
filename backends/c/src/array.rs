//! Assignments of arrays, as loops over their elements.

use xaif_schema::model::{ExprId, ExprKind, Part, RefId, Subscript};

use crate::context::Context;
use crate::expression::Level;

impl Context<'_> {
    /// The lines of `lhs = rhs` where the left-hand side is an array.
    pub(crate) fn array_assignment(&self, lhs: RefId, rhs: ExprId) -> Vec<String> {
        let data = &self.doc.refs[lhs];
        if !self.is_elementwise(rhs) {
            return vec![self.refuse(
                data.place,
                "an expression of arrays that is not taken element by element",
            )];
        }
        if self.overlaps(lhs, rhs) {
            return vec![
                self.refuse(data.place, "an array that is assigned other elements of itself"),
            ];
        }
        let Some(extents) = self.extents(lhs) else {
            return vec![self.refuse(data.place, "an array whose number of elements is not known")];
        };
        let names: Vec<String> = (1..=extents.len()).map(|dim| format!("k{dim}")).collect();
        let mut lines = Vec::new();
        for (depth, (name, extent)) in names.iter().zip(&extents).rev().enumerate() {
            let ty =
                if extent.contains("long") || extent.contains("_extent") { "long" } else { "int" };
            lines.push(format!(
                "{}for ({ty} {name} = 0; {name} < {extent}; {name}++)",
                "    ".repeat(depth)
            ));
        }
        let left = self.reference(lhs, Some(&names));
        let right = self.at(rhs, Level::Conditional, Some(&names));
        lines.push(format!("{}{left} = {right};", "    ".repeat(extents.len())));
        lines
    }

    /// The numbers of elements of a whole array or section, the contiguous dimension first.
    pub(crate) fn extents(&self, reference: RefId) -> Option<Vec<String>> {
        let data = &self.doc.refs[reference];
        let entity = data.entity()?;
        if let Some(Part::Elements(subscripts)) = data.parts.last() {
            let mut found = Vec::new();
            for (dim, subscript) in subscripts.iter().enumerate() {
                let Subscript::Section { lower, upper, .. } = subscript else { continue };
                found.push(self.extent_of_section(entity, dim, *lower, *upper)?);
            }
            return Some(found);
        }
        if self.is_deferred(entity) {
            let name = self.names.of(entity).to_owned();
            let rank = self.decl(entity)?.dims.len();
            return Some((1..=rank).map(|dim| format!("{name}_extent{dim}")).collect());
        }
        self.decl(entity)?.dims.iter().map(|dim| self.extent(dim)).collect()
    }

    fn extent_of_section(
        &self,
        entity: xaif_schema::model::SymbolId,
        dim: usize,
        lower: Option<ExprId>,
        upper: Option<ExprId>,
    ) -> Option<String> {
        let own = self.decl(entity)?.dims.get(dim).copied();
        let Some(upper) = upper else {
            if lower.is_some() {
                return None;
            }
            return match own {
                Some(dim) => self.extent(&dim),
                None => None,
            };
        };
        if let Some(lower) = lower {
            if let (Some(a), Some(b)) = (self.integer(lower), self.integer(upper)) {
                return Some((b - a + 1).to_string());
            }
            if self.integer(lower) == Some(0)
                && let Some(count) = self.one_more(upper)
            {
                return Some(count);
            }
            let first = self.at(lower, Level::Product, None);
            return Some(match &*first {
                "1" => self.at(upper, Level::Sum, None),
                "0" => format!("{} + 1", self.at(upper, Level::Sum, None)),
                _ => format!("{} - {first} + 1", self.at(upper, Level::Sum, None)),
            });
        }
        let first = self.lower(entity, dim);
        Some(format!("{} - ({first}) + 1", self.at(upper, Level::Sum, None)))
    }

    /// Whether each element of the value depends on elements at the same place only.
    fn is_elementwise(&self, expr: ExprId) -> bool {
        let node = &self.doc.exprs[expr];
        if node.ty.rank == 0 {
            return true;
        }
        match &node.kind {
            ExprKind::Ref(reference) => {
                self.doc.refs[*reference].parts.iter().all(|part| match part {
                    Part::Elements(subscripts) => {
                        subscripts.iter().all(|subscript| match subscript {
                            Subscript::Index(index) => self.doc.exprs[*index].ty.rank == 0,
                            Subscript::Section { .. } => true,
                        })
                    }
                    _ => true,
                })
            }
            ExprKind::Intrinsic { name, operands, .. } => {
                let elemental = xaif_schema::intrinsics::by_xaif(name)
                    .is_none_or(|row| row.class == xaif_schema::intrinsics::Class::Elemental);
                elemental && operands.iter().all(|one| self.is_elementwise(one.expr))
            }
            ExprKind::Boolean { operands, .. } => {
                operands.iter().all(|one| self.is_elementwise(one.expr))
            }
            ExprKind::Constant(_)
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        }
    }

    /// Whether the value has elements of the array that is assigned to, other than at the same place.
    fn overlaps(&self, lhs: RefId, rhs: ExprId) -> bool {
        let target = &self.doc.refs[lhs];
        let own = self.reference(lhs, Some(&vec!["k".to_owned(); usize::from(target.ty.rank)]));
        let mut stack = vec![rhs];
        while let Some(expr) = stack.pop() {
            match &self.doc.exprs[expr].kind {
                ExprKind::Ref(reference) => {
                    let data = &self.doc.refs[*reference];
                    if data.base == target.base {
                        let rank = usize::from(data.ty.rank);
                        let other = self.reference(*reference, Some(&vec!["k".to_owned(); rank]));
                        if other != own {
                            return true;
                        }
                    }
                }
                ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                    stack.extend(operands.iter().map(|one| one.expr));
                }
                ExprKind::Call(_) => return true,
                ExprKind::Constant(_)
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => {}
            }
        }
        false
    }
}
