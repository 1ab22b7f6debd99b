//! References: elements, members, and what is passed for a pointer.

use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Decl, Dim, ExprId, Part, ProcId, RefId, Subscript, SymbolId,
};

use crate::context::Context;
use crate::expression::{At, Level};

/// Subscripts of one array.
enum Index {
    One(String),
    /// A section, which begins there.
    From(String),
}

impl Context<'_> {
    /// The text of a reference; of an array the element at a distance from its first one.
    pub(crate) fn reference(&self, reference: RefId, at: At<'_>) -> String {
        let data = &self.doc.refs[reference];
        if data.deriv {
            return self.refuse(data.place, "a derivative that has no variable yet");
        }
        self.walk(reference, data.parts.len(), at)
    }

    /// The text of the first `count` parts.
    fn walk(&self, reference: RefId, count: usize, at: At<'_>) -> String {
        let data = &self.doc.refs[reference];
        let name = self.refer(data.base);
        let mut text = name.clone();
        let mut pointer = self.is_reference(data.base);
        let mut entity = data.base;
        // The dimensions that no part has subscripted yet.
        let mut open = self.decl(entity).is_some_and(|decl| !decl.dims.is_empty());
        for part in data.parts.iter().take(count) {
            match part {
                Part::Component { symbol, name } => {
                    let member = symbol.map_or_else(
                        || name.to_string(),
                        |symbol| self.names.of(symbol).to_owned(),
                    );
                    text = if std::mem::take(&mut pointer) {
                        format!("{text}->{member}")
                    } else {
                        format!("{text}.{member}")
                    };
                    if let Some(symbol) = symbol {
                        entity = *symbol;
                        open = self.decl(entity).is_some_and(|decl| !decl.dims.is_empty());
                    }
                }
                Part::Elements(subscripts) => {
                    open = false;
                    let mut distances = at.unwrap_or(&[]).iter();
                    let mut indices = Vec::new();
                    for subscript in subscripts {
                        indices.push(match subscript {
                            Subscript::Index(index) => {
                                Index::One(self.at(*index, Level::Sum, None))
                            }
                            Subscript::Section { lower, stride, .. } => {
                                if stride.is_some_and(|stride| self.integer(stride) != Some(1)) {
                                    return self.refuse(data.place, "a section with a stride");
                                }
                                let from = lower.map_or_else(
                                    || self.lower(entity, indices.len()),
                                    |lower| self.at(lower, Level::Sum, None),
                                );
                                Index::From(from)
                            }
                        });
                    }
                    let indices = indices.into_iter().map(|index| match index {
                        Index::One(text) => text,
                        Index::From(from) => match distances.next() {
                            Some(distance) if from == "0" => distance.clone(),
                            Some(distance) => format!("{from} + {distance}"),
                            None => from,
                        },
                    });
                    text =
                        self.subscripted(&text, entity, &indices.collect::<Vec<_>>(), data.place);
                }
                Part::Substring { .. } => return self.refuse(data.place, "a part of a string"),
                Part::Inquiry(_) => return self.refuse(data.place, "an inquiry by a part"),
                Part::Deref => {
                    return self.refuse(data.place, "a pointer that the document dereferences");
                }
            }
        }
        if let (true, Some(distances)) = (open, at) {
            let rank = self.decl(entity).map_or(0, |decl| decl.dims.len());
            let indices: Vec<String> = (0..rank)
                .map(|dim| {
                    let lower = self.lower(entity, dim);
                    let distance = distances.get(dim).cloned().unwrap_or_default();
                    if lower == "0" { distance } else { format!("{lower} + {distance}") }
                })
                .collect();
            return self.subscripted(&text, entity, &indices, data.place);
        }
        if pointer { format!("*{text}") } else { text }
    }

    /// The lower bound of a dimension.
    pub(crate) fn lower(&self, entity: SymbolId, dim: usize) -> String {
        if let Some(lowers) = self.lower_of_deferred(entity)
            && self.is_deferred(entity)
        {
            return lowers.get(dim).copied().unwrap_or(0).to_string();
        }
        let Some(decl) = self.decl(entity) else { return "0".to_owned() };
        match decl.dims.get(dim) {
            Some(
                Dim::Explicit { lower: Some(lower), .. } | Dim::AssumedSize { lower: Some(lower) },
            ) => self.at(*lower, Level::Sum, None),
            Some(Dim::Explicit { lower: None, .. } | Dim::AssumedSize { lower: None }) => {
                "1".to_owned()
            }
            _ => self.refuse(decl.place, format!("the bounds of `{}` are not known", decl.name)),
        }
    }

    /// `text[i][j]`: the last subscript of a document is the first one of C.
    fn subscripted(
        &self,
        text: &str,
        entity: SymbolId,
        indices: &[String],
        place: xaif_schema::model::Place,
    ) -> String {
        let Some(decl) = self.decl(entity) else { return text.to_owned() };
        if decl.dims.len() != indices.len() {
            return self.refuse(place, "subscripts that do not fit the declaration");
        }
        let shifted: Vec<String> = indices
            .iter()
            .enumerate()
            .map(|(dim, index)| less(index, &self.lower(entity, dim)))
            .collect();
        if self.is_deferred(entity) && decl.dims.len() > 1 {
            return format!("{text}[{}]", self.flat(text, &shifted));
        }
        let mut result = text.to_owned();
        for index in shifted.iter().rev() {
            result.push_str(&format!("[{index}]"));
        }
        result
    }

    /// The position of an element in the memory of an allocated array.
    fn flat(&self, text: &str, indices: &[String]) -> String {
        let mut result = String::new();
        for (dim, index) in indices.iter().enumerate().rev() {
            result = match result.is_empty() {
                true => index.clone(),
                false => format!("({result})*{text}_extent{} + {index}", dim + 1),
            };
        }
        result
    }

    /// The actual arguments of a call.
    pub(crate) fn arguments(&self, callee: SymbolId, args: &[Arg]) -> String {
        let proc = self.doc.described_by(callee);
        let dummies: Vec<Option<SymbolId>> = proc
            .map(|proc| self.doc.procs[proc].args.iter().map(|arg| arg.symbol).collect())
            .unwrap_or_default();
        let mut texts = vec![None; dummies.len().max(args.len())];
        for (place, arg) in args.iter().enumerate() {
            let position = match &arg.keyword {
                Some(keyword) => dummies.iter().position(|dummy| {
                    dummy.is_some_and(|dummy| self.doc.name(dummy).eq_ignore_ascii_case(keyword))
                }),
                None => usize::try_from(arg.position).ok().and_then(|one| one.checked_sub(1)),
            };
            let position = position.unwrap_or(place);
            let ArgValue::Expr(value) = arg.value else { continue };
            if let Some(slot) = texts.get_mut(position) {
                *slot = Some(self.argument(value, dummies.get(position).copied().flatten(), proc));
            }
        }
        let texts: Vec<String> = texts
            .into_iter()
            .map(|text| {
                text.unwrap_or_else(|| {
                    self.needs("stddef.h");
                    "NULL".to_owned()
                })
            })
            .collect();
        texts.join(", ")
    }

    fn argument(&self, value: ExprId, dummy: Option<SymbolId>, _proc: Option<ProcId>) -> String {
        let node = &self.doc.exprs[value];
        let decl = dummy.and_then(|dummy| self.decl(dummy));
        let by_value = decl.is_none_or(|decl| decl.has(Attr::Value));
        if by_value {
            return self.at(value, Level::Conditional, None);
        }
        let array = decl.is_some_and(|decl| !decl.dims.is_empty());
        match (node.reference(), array) {
            (Some(reference), true) if !node.parens => self.array_argument(reference, decl),
            (Some(reference), false) if !node.parens => address(&self.reference(reference, None)),
            (None, true) => self.refuse(node.place, "an expression is passed for an array"),
            _ => {
                let ty = self.type_name(node.ty.base);
                format!("&({ty}){{{}}}", self.at(value, Level::Conditional, None))
            }
        }
    }

    /// What is passed for an array: the pointer to its first element or row.
    fn array_argument(&self, reference: RefId, dummy: Option<&Decl>) -> String {
        let data = &self.doc.refs[reference];
        let rank = dummy.map_or(1, |decl| decl.dims.len());
        let entity = data.entity().unwrap_or(data.base);
        let own = self.decl(entity).map_or(0, |decl| decl.dims.len());
        match data.parts.last() {
            Some(Part::Elements(subscripts)) => {
                let text = match data.ty.rank {
                    0 => self.reference(reference, None),
                    _ => {
                        let zeros = vec!["0".to_owned(); usize::from(data.ty.rank)];
                        self.reference(reference, Some(&zeros))
                    }
                };
                if rank == 1 {
                    return address(&text);
                }
                // Rows: the contiguous subscripts are the first ones.
                let starts =
                    subscripts.iter().take(rank - 1).enumerate().all(|(dim, subscript)| {
                        match subscript {
                            Subscript::Index(index) => {
                                self.at(*index, Level::Sum, None) == self.lower(entity, dim)
                            }
                            Subscript::Section { .. } => true,
                        }
                    });
                let cut = text.rmatch_indices('[').nth(rank - 2).map(|(at, _)| at);
                match cut {
                    Some(cut) if starts && own >= rank && !self.is_deferred(entity) => {
                        address(&text[..cut])
                    }
                    _ => self.refuse(
                        data.place,
                        "a part of an array is passed for one with several subscripts",
                    ),
                }
            }
            _ if self.is_reference(data.base) && data.parts.is_empty() => self.refer(data.base),
            _ if own == 0 => address(&self.reference(reference, None)),
            _ => {
                let text = self.walk(reference, data.parts.len(), None);
                if own == rank && !(self.is_deferred(entity) && rank > 1) {
                    text
                } else if rank == 1 && !self.is_deferred(entity) {
                    format!("&{text}{}", "[0]".repeat(own))
                } else if rank == 1 {
                    text
                } else if self.is_deferred(entity) && own == rank {
                    format!("(void *){text}")
                } else {
                    self.refuse(
                        data.place,
                        "an array is passed for one with another number of subscripts",
                    )
                }
            }
        }
    }

    /// The type of one element.
    pub(crate) fn type_name(&self, base: Base) -> String {
        match base {
            Base::Void => "void".to_owned(),
            Base::Integer(1) => "signed char".to_owned(),
            Base::Integer(2) => "short".to_owned(),
            Base::Integer(4) | Base::Logical(_) => "int".to_owned(),
            Base::Integer(8) => "long".to_owned(),
            Base::Unsigned(1) => "unsigned char".to_owned(),
            Base::Unsigned(2) => "unsigned short".to_owned(),
            Base::Unsigned(4) => "unsigned".to_owned(),
            Base::Unsigned(8) => "unsigned long".to_owned(),
            Base::Real(4) => "float".to_owned(),
            Base::Real(8) => "double".to_owned(),
            Base::Complex(4) => "float _Complex".to_owned(),
            Base::Complex(8) => "double _Complex".to_owned(),
            Base::Derived(symbol) => format!("struct {}", self.names.of(symbol)),
            other => self.refuse(Default::default(), format!("C has no type for {other:?}")),
        }
    }
}

/// `&text`, or the pointer behind `*p`.
pub(crate) fn address(text: &str) -> String {
    match text.strip_prefix('*') {
        Some(pointer) => pointer.to_owned(),
        None => format!("&{text}"),
    }
}

/// `index - lower`
fn less(index: &str, lower: &str) -> String {
    if lower == "0" {
        return index.to_owned();
    }
    if let (Ok(index), Ok(lower)) = (index.parse::<i64>(), lower.parse::<i64>()) {
        return (index - lower).to_string();
    }
    // `i + 1` with the lower bound 1.
    if let Some(distance) = index.strip_suffix(lower).and_then(|rest| rest.strip_suffix(" + ")) {
        return distance.to_owned();
    }
    // `lower + distance`
    if let Some(distance) = index.strip_prefix(lower).and_then(|rest| rest.strip_prefix(" + ")) {
        return distance.to_owned();
    }
    match lower.strip_prefix('-') {
        Some(positive) if positive.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{index} + {positive}")
        }
        _ if lower.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') => {
            format!("{index} - {lower}")
        }
        _ => format!("{index} - ({lower})"),
    }
}
