//! The passed object of `call object%binding(…)` as an actual argument like others, as the call of a
//! derivative procedure by its own name has it.
//!
//! Which procedure is called is not found here: `Counterparts` has the derivative of the binding.

use std::borrow::Cow;

use xaif_schema::model::{
    Arg, ArgValue, Attr, Callee, Document, ExprId, Part, RefId, Role, Subscript, Ty,
};

use crate::{Copier, value_of};

/// The actual arguments with the passed object at its position.
pub fn with_object<'a>(doc: &mut Document, callee: &Callee, args: &'a [Arg]) -> Cow<'a, [Arg]> {
    let Some((position, value)) = passed_object(doc, callee) else { return Cow::Borrowed(args) };
    let object = Arg { position, keyword: None, value: ArgValue::Expr(value) };
    let mut all = args.to_vec();
    let at = all.iter().take_while(|arg| arg.position < position).count();
    all.insert(at, object);
    Cow::Owned(all)
}

/// The passed object of a call and the position of its dummy argument.
pub fn passed_object(doc: &mut Document, callee: &Callee) -> Option<(u32, ExprId)> {
    let (position, object) = passed_at(doc, callee)?;
    let object = before_the_binding(doc, object);
    Some((position, value_of(doc, object)))
}

/// The position of the passed object of a call, and `a%binding`.
pub fn passed_at(doc: &Document, callee: &Callee) -> Option<(u32, RefId)> {
    let object = callee.object?;
    let named = match doc.refs[object].parts.last() {
        Some(Part::Component { symbol: Some(symbol), .. }) => *symbol,
        Some(_) | None => callee.symbol,
    };
    // A generic binding has no PASS of its own.
    let named = match doc.role(named) {
        Some(Role::Binding { .. } | Role::Procedure(_)) => named,
        Some(_) | None => callee.symbol,
    };
    let decl = doc.symbols[named].decl.as_deref()?;
    if decl.has(Attr::NoPass) {
        return None;
    }
    let pass = match &decl.role {
        Role::Binding { pass, .. } => pass.clone(),
        Role::Procedure(info) => info.pass.as_deref().map(str::to_owned),
        _ => None,
    };
    let dummies = doc.described_by(named).map(|proc| &doc.procs[proc].args);
    let at = pass.and_then(|name| {
        dummies?.iter().position(|arg| {
            arg.symbol.is_some_and(|symbol| doc.name(symbol).eq_ignore_ascii_case(&name))
        })
    });
    Some((u32::try_from(at.unwrap_or(0) + 1).unwrap_or(u32::MAX), object))
}

/// `a%b(i)` of `a%b(i)%binding`.
pub fn before_the_binding(doc: &mut Document, reference: RefId) -> RefId {
    let copy = Copier::new().reference(doc, reference);
    doc.refs[copy].parts.pop();
    let data = &doc.refs[copy];
    let mut base = doc.declared_base(data.base);
    let mut rank = doc.symbols[data.base].rank.unwrap_or(0);
    for part in &data.parts {
        match part {
            Part::Component { symbol: Some(symbol), .. } => {
                // At most one part of a reference is an array.
                rank = rank.max(doc.symbols[*symbol].rank.unwrap_or(0));
                base = doc.declared_base(*symbol);
            }
            Part::Elements(list) => {
                let ranks = list.iter().map(|subscript| match subscript {
                    Subscript::Index(index) => doc.exprs[*index].ty.rank,
                    Subscript::Section { .. } => 1,
                });
                rank = ranks.sum();
            }
            Part::Component { symbol: None, .. }
            | Part::Substring { .. }
            | Part::Inquiry(_)
            | Part::Deref => {}
        }
    }
    doc.refs[copy].ty = Ty { base, rank };
    copy
}
