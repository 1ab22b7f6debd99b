//! A specification expression of a procedure (a bound of its result) in terms of the actual arguments of a call.
//!
//! A dummy argument has bounds, extents and a length of its own: `b(0:)` begins at 0 whatever is passed. So an
//! inquiry about a dummy argument, or about another variable of the procedure, becomes its declared property,
//! and only a property that the declaration leaves open is asked of the actual argument.

use std::collections::HashMap;

use xaif_schema::model::{
    Arg, ArgValue, Base, BoolOp, Callee, CharLen, ConstantKind, Dim, Document, ExprId, ExprKind,
    Part, Place, RefId, Reference, ScopeId, Subscript, SymbolId, Ty, TypeSpec,
};

use booster_build::{
    Copier, Named, binary, boolean, bound, children_of, constant_integer, integer, intrinsic,
    named_constant, node, passed_object, sum,
};
use booster_linearize::extent;

/// How many declarations an expression may lead through: a bound names an array whose bounds name another.
const DEEPEST: u32 = 20;

const INTEGER: Base = Base::Integer(4);

/// The actual arguments of one call, by the dummy arguments of the procedure that is called.
pub(super) struct AtCall {
    actuals: HashMap<SymbolId, ExprId>,
    scope: Option<ScopeId>,
    place: Place,
}

/// The inquiries that a declaration may answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inquiry {
    Lower,
    Upper,
    Size,
    Shape,
    Length,
}

/// An inquiry about a whole variable of the procedure that is called.
struct Question {
    inquiry: Inquiry,
    symbol: SymbolId,
    dimension: Option<ExprId>,
    kind: Option<ExprId>,
}

impl AtCall {
    /// The arguments of a call of `callee`.
    pub(super) fn new(doc: &mut Document, callee: &Callee, args: &[Arg], place: Place) -> Self {
        let mut actuals = HashMap::new();
        let mut scope = None;
        let object = passed_object(doc, callee);
        if let Some(proc) = doc.described_by(callee.symbol) {
            scope = Some(doc.procs[proc].scope);
            for (arg, number) in doc.procs[proc].args.iter().zip(1..) {
                let actual = args.iter().find(|actual| actual.position == number);
                let value = match (object, actual.map(|actual| actual.value)) {
                    (Some((at, object)), _) if at == number => Some(object),
                    (_, Some(ArgValue::Expr(value))) => Some(value),
                    (_, Some(ArgValue::AlternateReturn(_)) | None) => None,
                };
                actuals.extend(arg.symbol.zip(value));
            }
        }
        AtCall { actuals, scope, place }
    }

    /// The extents of an array that the procedure declares, if all of them can be told before the call. An extent
    /// may be negative, which means that there are no elements.
    pub(super) fn extents(&self, doc: &mut Document, symbol: SymbolId) -> Option<Vec<ExprId>> {
        let dims = doc.symbols[symbol].decl.as_ref()?.dims.len();
        let mut extent = |along| {
            let extent = self.extent(doc, symbol, along, DEEPEST)?;
            Some(folded(doc, extent))
        };
        (0..dims).map(&mut extent).collect()
    }

    fn is_own(&self, doc: &Document, symbol: SymbolId) -> bool {
        self.scope == Some(doc.symbols[symbol].scope)
    }

    fn actual(&self, doc: &mut Document, symbol: SymbolId) -> Option<ExprId> {
        let actual = *self.actuals.get(&symbol)?;
        Some(Copier::new().expr(doc, actual))
    }

    fn dim(doc: &Document, symbol: SymbolId, along: usize) -> Option<Dim> {
        let dims = &doc.symbols[symbol].decl.as_ref()?.dims;
        match dims.first() {
            Some(Dim::AssumedRank) => Some(Dim::AssumedRank),
            _ => dims.get(along).cloned(),
        }
    }

    /// The extent of a dimension, counted from 0; less than 0 where a declaration gives such bounds.
    fn extent(
        &self,
        doc: &mut Document,
        symbol: SymbolId,
        along: usize,
        deep: u32,
    ) -> Option<ExprId> {
        let deep = deep.checked_sub(1)?;
        match Self::dim(doc, symbol, along)? {
            Dim::Explicit { lower, upper } => {
                if let Some((other, along)) = self.all_of(doc, lower, upper) {
                    return self.extent(doc, other, along, deep);
                }
                let lower = self.declared_lower(doc, lower, deep)?;
                let upper = self.instance(doc, upper, deep)?;
                let Some(lower) = lower else { return Some(unclamped(doc, upper)) };
                let distance = sum(doc, "sub_scal_scal", upper, lower);
                let one = integer(doc, 1, self.place);
                Some(sum(doc, "add_scal_scal", distance, one))
            }
            Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedRank => {
                let actual = *self.actuals.get(&symbol)?;
                Some(extent(doc, actual, along + 1))
            }
            Dim::AssumedSize { .. } => None,
        }
    }

    /// Which array of the procedure `lower:upper` takes its bounds from, and from which dimension.
    fn all_of(
        &self,
        doc: &Document,
        lower: Option<ExprId>,
        upper: ExprId,
    ) -> Option<(SymbolId, usize)> {
        let (lower, upper) = (self.question(doc, lower?)?, self.question(doc, upper)?);
        let along = |question: &Question| constant_integer(doc, question.dimension?);
        let same = (lower.inquiry, upper.inquiry) == (Inquiry::Lower, Inquiry::Upper)
            && lower.symbol == upper.symbol
            && along(&lower) == along(&upper);
        let along = along(&lower).filter(|_| same)?;
        Some((lower.symbol, usize::try_from(along).ok()?.checked_sub(1)?))
    }

    /// A declared lower bound; `Some(None)` for 1.
    fn declared_lower(
        &self,
        doc: &mut Document,
        lower: Option<ExprId>,
        deep: u32,
    ) -> Option<Option<ExprId>> {
        let Some(lower) = lower else { return Some(None) };
        let lower = self.instance(doc, lower, deep)?;
        Some(Some(lower).filter(|&lower| constant_integer(doc, lower) != Some(1)))
    }

    /// LBOUND of a dimension. An array without elements begins at 1, except the last dimension of one of assumed size.
    fn lower(
        &self,
        doc: &mut Document,
        symbol: SymbolId,
        along: usize,
        deep: u32,
    ) -> Option<ExprId> {
        let one = integer(doc, 1, self.place);
        let lower = match Self::dim(doc, symbol, along)? {
            Dim::Explicit { lower, .. } | Dim::AssumedShape { lower } => lower,
            Dim::AssumedSize { lower } => {
                let lower = self.declared_lower(doc, lower, deep)?;
                return Some(lower.unwrap_or(one));
            }
            Dim::Deferred => return self.bound_of_actual(doc, symbol, "lbound", along),
            Dim::AssumedRank => return Some(one),
        };
        let Some(lower) = self.declared_lower(doc, lower, deep)? else { return Some(one) };
        self.if_any(doc, lower, one, (symbol, along), deep)
    }

    /// UBOUND of a dimension: 0 where there are no elements.
    fn upper(
        &self,
        doc: &mut Document,
        symbol: SymbolId,
        along: usize,
        deep: u32,
    ) -> Option<ExprId> {
        let lower = match Self::dim(doc, symbol, along)? {
            Dim::Explicit { lower, .. } | Dim::AssumedShape { lower } => lower,
            Dim::Deferred => return self.bound_of_actual(doc, symbol, "ubound", along),
            Dim::AssumedRank => None,
            Dim::AssumedSize { .. } => return None,
        };
        let extent = self.extent(doc, symbol, along, deep)?;
        let Some(lower) = self.declared_lower(doc, lower, deep)? else {
            return Some(clamped(doc, extent));
        };
        let last = behind(doc, lower, extent);
        let none = integer(doc, 0, self.place);
        self.if_any(doc, last, none, (symbol, along), deep)
    }

    /// `value` where a dimension has elements, else `otherwise`.
    fn if_any(
        &self,
        doc: &mut Document,
        value: ExprId,
        otherwise: ExprId,
        (symbol, along): (SymbolId, usize),
        deep: u32,
    ) -> Option<ExprId> {
        let extent = self.extent(doc, symbol, along, deep)?;
        match constant_integer(doc, extent) {
            Some(extent) if extent > 0 => return Some(value),
            Some(_) => return Some(otherwise),
            None => {}
        }
        let none = integer(doc, 0, self.place);
        let some = boolean(doc, BoolOp::GreaterThan, &[extent, none]);
        let value = default_integer(doc, value);
        Some(intrinsic(doc, "merge", &[value, otherwise, some], Ty::scalar(INTEGER)))
    }

    fn bound_of_actual(
        &self,
        doc: &mut Document,
        symbol: SymbolId,
        name: &str,
        along: usize,
    ) -> Option<ExprId> {
        let ExprKind::Ref(actual) = doc.exprs[*self.actuals.get(&symbol)?].kind else {
            return None;
        };
        Some(bound(doc, actual, name, i64::try_from(along).ok()? + 1))
    }

    /// The length of a character variable of the procedure.
    fn length(&self, doc: &mut Document, symbol: SymbolId, deep: u32) -> Option<ExprId> {
        match declared_length(doc, symbol)? {
            CharLen::One => Some(integer(doc, 1, self.place)),
            CharLen::Expr(length) => {
                let length = self.instance(doc, length, deep)?;
                Some(clamped(doc, length))
            }
            CharLen::Assumed | CharLen::Deferred => {
                let actual = self.actual(doc, symbol)?;
                Some(intrinsic(doc, "len", &[actual], Ty::scalar(INTEGER)))
            }
        }
    }

    /// A copy of an expression of the procedure with the actual arguments in it. `None` where it cannot be told
    /// outside the procedure.
    fn instance(&self, doc: &mut Document, expr: ExprId, deep: u32) -> Option<ExprId> {
        let deep = deep.checked_sub(1)?;
        let root = Copier::new().expr(doc, expr);
        let mut work = vec![root];
        while let Some(node) = work.pop() {
            if let Some(question) = self.question(doc, node) {
                let answer = self.answer(doc, &question, deep)?;
                put(doc, node, answer);
                continue;
            }
            match doc.exprs[node].kind.clone() {
                ExprKind::Ref(reference) => {
                    if self.is_own(doc, doc.refs[reference].base)
                        && doc.refs[reference].parts.is_empty()
                    {
                        let (value, again) = self.whole(doc, reference)?;
                        put(doc, node, value);
                        work.extend(again.then_some(node));
                        continue;
                    }
                    self.part(doc, reference, deep)?;
                }
                ExprKind::Constant(constant) => {
                    if let ConstantKind::Named(symbol) = constant.kind
                        && self.is_own(doc, symbol)
                    {
                        return None;
                    }
                }
                ExprKind::Call(call) => {
                    if self.is_own(doc, call.callee.symbol) {
                        return None;
                    }
                    if let Some(object) = call.callee.object {
                        self.part(doc, object, deep)?;
                    }
                }
                ExprKind::Procedure(symbol) if self.is_own(doc, symbol) => return None,
                ExprKind::Opaque(_) => return None,
                ExprKind::Intrinsic { .. }
                | ExprKind::Boolean { .. }
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_) => {}
            }
            children_of(doc, node, &mut work);
        }
        Some(root)
    }

    /// The value of a whole variable or constant of the procedure, and whether that is an expression of the procedure.
    fn whole(&self, doc: &mut Document, reference: RefId) -> Option<(ExprId, bool)> {
        let symbol = doc.refs[reference].base;
        if self.actuals.contains_key(&symbol) {
            let same = has_extents_of_actual(doc, symbol) && has_length_of_actual(doc, symbol);
            let actual = self.actual(doc, symbol).filter(|_| same)?;
            return Some((actual, false));
        }
        let ty = doc.refs[reference].ty;
        match named_constant(doc, reference)? {
            Named::Whole(value) if ty == Ty::scalar(INTEGER) => {
                Some((integer(doc, value, self.place), false))
            }
            Named::Init(init) if doc.exprs[init].ty == ty => {
                Some((Copier::new().expr(doc, init), true))
            }
            Named::Whole(_) | Named::Init(_) => None,
        }
    }

    /// Makes a reference to a part of a dummy argument one to that part of the actual argument.
    fn part(&self, doc: &mut Document, reference: RefId, deep: u32) -> Option<()> {
        let dummy = doc.refs[reference].base;
        if !self.is_own(doc, dummy) {
            return Some(());
        }
        let ExprKind::Ref(named) = doc.exprs[*self.actuals.get(&dummy)?].kind else { return None };
        let actual = Copier::new().reference(doc, named);
        let mut parts = doc.refs[actual].parts.clone();
        let mut own = doc.refs[reference].parts.clone();
        match own.first() {
            Some(Part::Elements(_)) => {
                let Part::Elements(subscripts) = own.remove(0) else { return None };
                parts.push(Part::Elements(self.elements(doc, dummy, actual, &subscripts, deep)?));
            }
            Some(Part::Substring { .. }) | None
                if matches!(parts.last(), Some(Part::Substring { .. })) =>
            {
                return None;
            }
            Some(Part::Substring { .. }) => {}
            Some(Part::Component { .. } | Part::Inquiry(_) | Part::Deref) | None => {
                if !has_extents_of_actual(doc, dummy) || !has_length_of_actual(doc, dummy) {
                    return None;
                }
            }
        }
        parts.extend(own);
        let base = doc.refs[actual].base;
        let own = &mut doc.refs[reference];
        (own.base, own.parts) = (base, parts);
        Some(())
    }

    /// The subscripts that an element of an array dummy argument has in the actual argument, which is a whole array.
    fn elements(
        &self,
        doc: &mut Document,
        dummy: SymbolId,
        actual: RefId,
        subscripts: &[Subscript],
        deep: u32,
    ) -> Option<Vec<Subscript>> {
        let entity = doc.refs[actual].whole_entity()?;
        let rank = usize::from(doc.symbols[entity].rank?);
        if rank != subscripts.len() || rank != usize::from(doc.refs[actual].ty.rank) {
            return None;
        }
        let mut found = Vec::new();
        for (along, subscript) in subscripts.iter().enumerate() {
            let &Subscript::Index(index) = subscript else { return None };
            let mut index = self.instance(doc, index, deep)?;
            let first = match Self::dim(doc, dummy, along)? {
                Dim::AssumedShape { lower } => Some(lower),
                // The elements of a vector follow each other, whatever is passed.
                Dim::Explicit { lower, .. } | Dim::AssumedSize { lower } if rank == 1 => {
                    Some(lower)
                }
                Dim::Deferred => None,
                Dim::Explicit { .. } | Dim::AssumedSize { .. } | Dim::AssumedRank => return None,
            };
            if let Some(first) = first {
                let first = self.declared_lower(doc, first, deep)?;
                index = moved(doc, index, first, (actual, entity, along))?;
            }
            found.push(Subscript::Index(index));
        }
        Some(found)
    }

    /// The inquiry that an expression of the procedure is, if it is about a variable of the procedure.
    fn question(&self, doc: &Document, expr: ExprId) -> Option<Question> {
        if let ExprKind::Ref(reference) = doc.exprs[expr].kind {
            let Reference { base, parts, .. } = &doc.refs[reference];
            return match parts.as_slice() {
                [Part::Inquiry(name)] if name.eq_ignore_ascii_case("len") => {
                    let symbol = Some(*base).filter(|&base| self.is_own(doc, base))?;
                    let (inquiry, dimension, kind) = (Inquiry::Length, None, None);
                    Some(Question { inquiry, symbol, dimension, kind })
                }
                _ => None,
            };
        }
        let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else {
            return None;
        };
        let inquiry = match &**name {
            "lbound" => Inquiry::Lower,
            "ubound" => Inquiry::Upper,
            "size" => Inquiry::Size,
            "shape_arr" => Inquiry::Shape,
            "len" => Inquiry::Length,
            _ => return None,
        };
        let at = |position: u16| {
            operands.iter().find(|operand| operand.position == position).map(|found| found.expr)
        };
        let (dimension, kind) = match inquiry {
            Inquiry::Lower | Inquiry::Upper | Inquiry::Size => (at(2), at(3)),
            Inquiry::Shape | Inquiry::Length => (None, at(2)),
        };
        let ExprKind::Ref(about) = doc.exprs[at(1)?].kind else { return None };
        let symbol = doc.refs[about].base;
        let known = doc.refs[about].parts.is_empty() && self.is_own(doc, symbol);
        known.then_some(Question { inquiry, symbol, dimension, kind })
    }

    fn answer(&self, doc: &mut Document, question: &Question, deep: u32) -> Option<ExprId> {
        let &Question { inquiry, symbol, dimension, kind } = question;
        let found = match (inquiry, dimension) {
            (Inquiry::Length, _) => self.length(doc, symbol, deep)?,
            (_, Some(dimension)) => match constant_integer(doc, dimension) {
                Some(along) => {
                    let along = usize::try_from(along).ok()?.checked_sub(1)?;
                    self.along(doc, inquiry, symbol, along, deep)?
                }
                None => {
                    let values = self.all(doc, inquiry, symbol, deep)?;
                    let dimension = self.instance(doc, dimension, deep)?;
                    chosen(doc, values, dimension)?
                }
            },
            (Inquiry::Size, None) => {
                let all = self.all(doc, inquiry, symbol, deep)?.into_iter();
                all.reduce(|one, other| binary(doc, "mul_scal_scal", one, other))?
            }
            (Inquiry::Lower | Inquiry::Upper | Inquiry::Shape, None) => {
                let items = self.all(doc, inquiry, symbol, deep)?;
                let items = items.into_iter().map(|item| default_integer(doc, item)).collect();
                let ty = Ty { base: INTEGER, rank: 1 };
                node(doc, ExprKind::ArrayConstructor { spec: None, items }, ty, self.place)
            }
        };
        let Some(kind) = kind else { return Some(found) };
        let kind = self.instance(doc, kind, deep)?;
        let base = match constant_integer(doc, kind).and_then(|kind| u8::try_from(kind).ok()) {
            Some(bytes) => Base::Integer(bytes),
            None => Base::Integer(0),
        };
        let ty = Ty { base, rank: doc.exprs[found].ty.rank };
        Some(intrinsic(doc, "int", &[found, kind], ty))
    }

    fn all(
        &self,
        doc: &mut Document,
        inquiry: Inquiry,
        symbol: SymbolId,
        deep: u32,
    ) -> Option<Vec<ExprId>> {
        let dims = &doc.symbols[symbol].decl.as_ref()?.dims;
        let rank = match dims.first() {
            Some(Dim::AssumedRank) => usize::from(doc.exprs[*self.actuals.get(&symbol)?].ty.rank),
            _ => dims.len(),
        };
        (0..rank).map(|along| self.along(doc, inquiry, symbol, along, deep)).collect()
    }

    fn along(
        &self,
        doc: &mut Document,
        inquiry: Inquiry,
        symbol: SymbolId,
        along: usize,
        deep: u32,
    ) -> Option<ExprId> {
        match inquiry {
            Inquiry::Lower => self.lower(doc, symbol, along, deep),
            Inquiry::Upper => self.upper(doc, symbol, along, deep),
            Inquiry::Size | Inquiry::Shape => {
                let extent = self.extent(doc, symbol, along, deep)?;
                Some(clamped(doc, extent))
            }
            Inquiry::Length => self.length(doc, symbol, deep),
        }
    }
}

/// Makes `node` the expression `value`.
fn put(doc: &mut Document, node: ExprId, value: ExprId) {
    let parens = doc.exprs[node].parens;
    doc.exprs[node] = doc.exprs[value].clone();
    doc.exprs[node].parens |= parens;
}

/// The subscript in the actual argument, of which `entity` is the array, of the element `index` of an array that begins at `first`.
fn moved(
    doc: &mut Document,
    index: ExprId,
    first: Option<ExprId>,
    (actual, entity, along): (RefId, SymbolId, usize),
) -> Option<ExprId> {
    let dim = *doc.symbols[entity].decl.as_ref()?.dims.get(along)?;
    let begin = match dim {
        Dim::Explicit { lower: None, .. }
        | Dim::AssumedShape { lower: None }
        | Dim::AssumedSize { lower: None } => None,
        Dim::Explicit { lower: Some(_), .. }
        | Dim::AssumedShape { lower: Some(_) }
        | Dim::AssumedSize { lower: Some(_) }
        | Dim::Deferred => Some(bound(doc, actual, "lbound", i64::try_from(along).ok()? + 1)),
        Dim::AssumedRank => return None,
    };
    if first.is_none() && begin.is_none() {
        return Some(index);
    }
    let place = doc.exprs[index].place;
    let first = first.unwrap_or_else(|| integer(doc, 1, place));
    let begin = begin.unwrap_or_else(|| integer(doc, 1, place));
    let distance = sum(doc, "sub_scal_scal", index, first);
    Some(sum(doc, "add_scal_scal", distance, begin))
}

/// `lower + extent - 1`
fn behind(doc: &mut Document, lower: ExprId, extent: ExprId) -> ExprId {
    let place = doc.exprs[extent].place;
    let added = constant_integer(doc, lower).and_then(|lower| lower.checked_sub(1));
    match added {
        Some(added) => {
            let name = if added < 0 { "sub_scal_scal" } else { "add_scal_scal" };
            let added = integer(doc, added.saturating_abs(), place);
            sum(doc, name, extent, added)
        }
        None => {
            let one = integer(doc, 1, place);
            let last = sum(doc, "add_scal_scal", lower, extent);
            sum(doc, "sub_scal_scal", last, one)
        }
    }
}

/// `merge(first, merge(second, third, dimension == 2), dimension == 1)`
fn chosen(doc: &mut Document, values: Vec<ExprId>, dimension: ExprId) -> Option<ExprId> {
    let mut numbered = (1_i64..).zip(values).collect::<Vec<_>>().into_iter().rev();
    let (_, last) = numbered.next()?;
    let mut found = default_integer(doc, last);
    for (number, value) in numbered {
        let again = Copier::new().expr(doc, dimension);
        let number = integer(doc, number, doc.exprs[dimension].place);
        let is_this = boolean(doc, BoolOp::Equal, &[again, number]);
        let value = default_integer(doc, value);
        found = intrinsic(doc, "merge", &[value, found, is_this], Ty::scalar(INTEGER));
    }
    Some(found)
}

/// The number that an expression of numbers makes.
fn folded(doc: &mut Document, extent: ExprId) -> ExprId {
    match constant_integer(doc, extent) {
        Some(number) => integer(doc, number, doc.exprs[extent].place),
        None => extent,
    }
}

/// A number of elements: 0 where the declaration says less.
fn clamped(doc: &mut Document, extent: ExprId) -> ExprId {
    if constant_integer(doc, extent).is_some_and(|extent| extent >= 0) || is_count(doc, extent) {
        return extent;
    }
    let place = doc.exprs[extent].place;
    let (none, extent) = (integer(doc, 0, place), default_integer(doc, extent));
    intrinsic(doc, "max", &[extent, none], Ty::scalar(INTEGER))
}

/// What [`clamped`] was made of.
fn unclamped(doc: &Document, extent: ExprId) -> ExprId {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[extent].kind else { return extent };
    match operands.as_slice() {
        [extent, none] if &**name == "max" && constant_integer(doc, none.expr) == Some(0) => {
            extent.expr
        }
        _ => extent,
    }
}

/// Whether a number is never negative, as it counts elements or characters.
fn is_count(doc: &Document, expr: ExprId) -> bool {
    match &doc.exprs[expr].kind {
        ExprKind::Intrinsic { name, .. } => matches!(&**name, "size" | "len" | "count"),
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    }
}

/// MERGE and MAX take integers of one kind.
fn default_integer(doc: &mut Document, value: ExprId) -> ExprId {
    let ty = doc.exprs[value].ty;
    if ty.base == INTEGER {
        return value;
    }
    intrinsic(doc, "int", &[value], Ty { base: INTEGER, rank: ty.rank })
}

fn declared_length(doc: &Document, symbol: SymbolId) -> Option<CharLen> {
    let decl = doc.symbols[symbol].decl.as_ref()?;
    match (&decl.spec, decl.char_len) {
        (TypeSpec::Character { .. }, Some(len)) => Some(len),
        (TypeSpec::Character { len, .. }, None) => Some(*len),
        _ => None,
    }
}

/// Whether a dummy argument has as many characters as what is passed.
fn has_length_of_actual(doc: &Document, dummy: SymbolId) -> bool {
    match declared_length(doc, dummy) {
        None | Some(CharLen::Assumed | CharLen::Deferred) => true,
        Some(CharLen::One | CharLen::Expr(_)) => false,
    }
}

/// Whether a dummy argument has the elements of what is passed, no more and no less.
fn has_extents_of_actual(doc: &Document, dummy: SymbolId) -> bool {
    let dims = doc.symbols[dummy].decl.as_ref().map(|decl| &decl.dims);
    dims.is_some_and(|dims| {
        dims.iter().all(|dim| match dim {
            Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedRank => true,
            Dim::Explicit { .. } | Dim::AssumedSize { .. } => false,
        })
    })
}
