//! References as text: the symbol, its selectors, and what is known of the occurrence.

use super::{Pieces, Text, Work, push};
use crate::model::{ExprId, Part, RefId, Subscript};

impl<'a> Text<'a> {
    pub(super) fn ref_pieces(&self, id: RefId, derivative: bool, to: &mut Pieces<'a>) {
        let Some(reference) = self.doc.refs.get(id) else {
            return push(to, "?");
        };
        let derivative = derivative || reference.deriv;
        if derivative {
            push(to, "d(");
        }
        to.push(Work::Text(self.name(reference.base).into()));
        let mut parts = reference.parts.iter().peekable();
        while let Some(part) = parts.next() {
            match part {
                Part::Deref => match parts.peek() {
                    Some(Part::Component { name, .. }) => {
                        to.push(Work::Text(format!("->{name}").into()));
                        parts.next();
                    }
                    _ => push(to, "[]"),
                },
                Part::Component { name, .. } => to.push(Work::Text(format!("%{name}").into())),
                Part::Inquiry(name) => to.push(Work::Text(format!("%{name}").into())),
                Part::Elements(subscripts) => {
                    push(to, "(");
                    for (index, subscript) in subscripts.iter().enumerate() {
                        if index > 0 {
                            push(to, ", ");
                        }
                        self.subscript(*subscript, to);
                    }
                    push(to, ")");
                }
                Part::Substring { lower, upper } => {
                    push(to, "(");
                    self.section(*lower, *upper, None, to);
                    push(to, ")");
                }
            }
        }
        if self.options.types {
            to.push(Work::Text(format!(":{}", self.ty(reference.ty)).into()));
        }
        let facts = self.reference_facts(id);
        if !facts.is_empty() {
            to.push(Work::Text(format!("{{{}}}", facts.join(",")).into()));
        }
        if derivative {
            push(to, ")");
        } else if reference.active == Some(true) {
            push(to, "~");
        }
    }

    fn reference_facts(&self, id: RefId) -> Vec<String> {
        let reference = &self.doc.refs[id];
        let mut facts = Vec::new();
        if self.options.ids {
            facts.push(id.to_string());
        }
        if self.options.keys {
            facts.extend(reference.alias.map(|key| format!("alias {key}")));
            facts.extend(reference.du_ud.map(|key| format!("du/ud {key}")));
            match reference.constant {
                Some(true) => facts.push("constant".into()),
                Some(false) => facts.push("not constant".into()),
                None => {}
            }
        }
        facts
    }

    fn subscript(&self, subscript: Subscript, to: &mut Pieces<'a>) {
        match subscript {
            Subscript::Index(index) => to.push(Work::Expr(index, 0)),
            Subscript::Section { lower, upper, stride } => self.section(lower, upper, stride, to),
        }
    }

    fn section(
        &self,
        lower: Option<ExprId>,
        upper: Option<ExprId>,
        stride: Option<ExprId>,
        to: &mut Pieces<'a>,
    ) {
        // With types in the text, `1:n:integer4` would not tell a bound from a type.
        let colon = if self.options.types { " : " } else { ":" };
        to.extend(lower.map(|lower| Work::Expr(lower, 0)));
        push(to, colon);
        to.extend(upper.map(|upper| Work::Expr(upper, 0)));
        if let Some(stride) = stride {
            push(to, colon);
            to.push(Work::Expr(stride, 0));
        }
    }
}
