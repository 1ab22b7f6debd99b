//! The shapes of arrays in runs, and what variables for partial derivatives and entries are declared
//! as.
//!
//! A variable for an array is an automatic array where its shape is known as the procedure begins: by the
//! declaration of an array, or as that of a section whose bounds nothing in the procedure changes. Else
//! (allocatable arrays, pointers, sections whose bounds vary) it is allocatable: it is allocated for its run, with the
//! extents that an array has there, and released behind it. So an adjoint records no allocation from round to
//! round, and what is on the tape are the extents and the values of entries. All arrays that a sum or product of a run
//! joins have one shape, as they stand in one elementwise assignment after the other.

use xaif_schema::intrinsics;
use xaif_schema::model::{
    Attr, Base, Dim, Document, ExprId, ExprKind, Intent, Part, Place, ProcId, ProcKind, RefId,
    Role, ScopeId, Subscript, SymbolId, Ty,
};

use booster_build::{
    Copier, FreshNames, binary, integer, intrinsic, nodes_of, promote, same_expr, same_reference,
    size_along, value_of, whole,
};
use booster_canonical::has_entries;
use booster_facts::Storage;
use booster_facts::side_effects::Summary;

/// How many elements there are along a dimension.
#[derive(Clone, Copy, Debug)]
enum Length {
    /// So many.
    Number(i64),
    /// From a lower bound, or 1, to an upper one.
    Bounds(Option<ExprId>, ExprId),
    /// As many as an array has along its dimension with this number.
    Of(SymbolId, u8),
    /// From a lower bound to the end of a dimension that begins with 1.
    From(ExprId, SymbolId, u8),
    /// As many as what is referred to has along a dimension, as long as the run is executed.
    Along(RefId, u8),
}

/// The extents of an array.
#[derive(Clone, Debug)]
struct Shape {
    lengths: Vec<Length>,
    /// Whether they are known where a run is executed, and not where the procedure begins.
    here: bool,
}

/// A shape, by its number in the procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ShapeId(usize);

/// The shapes of a procedure.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    known: Vec<Shape>,
}

impl Shapes {
    /// The number of a shape; written alike two shapes have one.
    fn number(&mut self, doc: &Document, shape: Shape) -> ShapeId {
        let alike = |known: &Shape| {
            let (one, other) = (&known.lengths, &shape.lengths);
            known.here == shape.here
                && one.len() == other.len()
                && one.iter().zip(other).all(|(a, b)| same(doc, *a, *b))
        };
        let found = self.known.iter().position(alike);
        ShapeId(found.unwrap_or_else(|| {
            self.known.push(shape);
            self.known.len() - 1
        }))
    }

    /// Whether a variable of this shape is allocated for its run.
    pub(super) fn is_allocated(&self, shape: ShapeId) -> bool {
        self.known.get(shape.0).is_some_and(|known| known.here)
    }

    /// The number of elements along each dimension, as new expressions.
    pub(super) fn extents(&self, doc: &mut Document, shape: ShapeId, place: Place) -> Vec<ExprId> {
        let lengths = self.known.get(shape.0).map(|known| known.lengths.clone());
        let lengths = lengths.unwrap_or_default().into_iter();
        lengths.map(|length| extent(doc, length, place)).collect()
    }

    /// How a variable of this shape is declared.
    fn dims(&self, doc: &mut Document, shape: ShapeId, place: Place) -> Vec<Dim> {
        if self.is_allocated(shape) {
            let rank = self.known.get(shape.0).map_or(0, |known| known.lengths.len());
            return vec![Dim::Deferred; rank];
        }
        let extents = self.extents(doc, shape, place).into_iter();
        extents.map(|upper| Dim::Explicit { lower: None, upper }).collect()
    }
}

fn same(doc: &Document, a: Length, b: Length) -> bool {
    let alike = |a: Option<ExprId>, b: Option<ExprId>| match (a, b) {
        (Some(a), Some(b)) => same_expr(doc, a, b),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    match (a, b) {
        (Length::Bounds(a, upper), Length::Bounds(b, other)) => {
            alike(a, b) && same_expr(doc, upper, other)
        }
        (Length::Number(a), Length::Number(b)) => a == b,
        (Length::Of(a, dimension), Length::Of(b, other)) => a == b && dimension == other,
        (Length::From(lower, a, dimension), Length::From(other, b, along)) => {
            a == b && dimension == along && same_expr(doc, lower, other)
        }
        (Length::Along(a, dimension), Length::Along(b, other)) => {
            dimension == other && same_reference(doc, a, b)
        }
        (Length::Number(_) | Length::Bounds(..) | Length::Of(..), _)
        | (Length::From(..) | Length::Along(..), _) => false,
    }
}

/// The number of elements as an expression.
fn extent(doc: &mut Document, length: Length, place: Place) -> ExprId {
    let size_of = |doc: &mut Document, array: RefId, dimension: u8| {
        let array = value_of(doc, array);
        size_along(doc, array, dimension)
    };
    let size = |doc: &mut Document, symbol: SymbolId, dimension: u8| {
        let array = whole(doc, symbol, place);
        size_of(doc, array, dimension)
    };
    let (upper, lower) = match length {
        Length::Number(count) => (integer(doc, count, place), None),
        Length::Bounds(lower, upper) => (Copier::new().expr(doc, upper), lower),
        Length::Of(symbol, dimension) => (size(doc, symbol, dimension), None),
        Length::From(lower, symbol, dimension) => (size(doc, symbol, dimension), Some(lower)),
        Length::Along(array, dimension) => {
            let array = Copier::new().reference(doc, array);
            // `size(a)`, not `size(a(:), 1)`.
            if let Some(Part::Elements(list)) = doc.refs[array].parts.last()
                && is_whole(list)
            {
                doc.refs[array].parts.pop();
            }
            let size = match doc.refs[array].ty.rank {
                1 => {
                    let array = value_of(doc, array);
                    intrinsic(doc, "size", &[array], Ty::scalar(Base::Integer(4)))
                }
                _ => size_of(doc, array, dimension),
            };
            (size, None)
        }
    };
    match lower {
        Some(lower) => less(doc, upper, lower),
        None => upper,
    }
}

/// Whether subscripts select all elements.
pub(super) fn is_whole(list: &[Subscript]) -> bool {
    list.iter().all(|subscript| {
        matches!(subscript, Subscript::Section { lower: None, upper: None, stride: None })
    })
}

/// `upper - lower + 1`, shorter where the lower bound is a literal.
fn less(doc: &mut Document, upper: ExprId, lower: ExprId) -> ExprId {
    let place = doc.exprs[upper].place;
    let Some(mut first) = literal(doc, lower) else {
        let lower = Copier::new().expr(doc, lower);
        let distance = binary(doc, "sub_scal_scal", upper, lower);
        let one = integer(doc, 1, place);
        return binary(doc, "add_scal_scal", distance, one);
    };
    first -= 1;
    let mut upper = upper;
    if let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[upper].kind
        && &**name == "sub_scal_scal"
        && let [a, b] = &operands[..]
        && let Some(taken) = literal(doc, b.expr)
    {
        first += taken;
        upper = a.expr;
    }
    let number = integer(doc, first.abs(), place);
    match first {
        0 => upper,
        1.. => binary(doc, "sub_scal_scal", upper, number),
        _ => binary(doc, "add_scal_scal", upper, number),
    }
}

/// By how much the value of one expression is larger than that of another, where they are the same but for
/// a literal that is added or subtracted.
fn distance(doc: &Document, from: ExprId, to: ExprId) -> Option<i64> {
    let parts = |expr: ExprId| match &doc.exprs[expr].kind {
        ExprKind::Intrinsic { name, operands, .. } if operands.len() == 2 => {
            let [a, b] = [operands.first()?.expr, operands.get(1)?.expr];
            match &**name {
                "add_scal_scal" => Some((a, literal(doc, b)?)),
                "sub_scal_scal" => Some((a, -literal(doc, b)?)),
                _ => None,
            }
        }
        ExprKind::Intrinsic { .. }
        | ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => None,
    };
    let ((from, less), (to, more)) =
        (parts(from).unwrap_or((from, 0)), parts(to).unwrap_or((to, 0)));
    same_expr(doc, from, to).then_some(more - less)
}

fn literal(doc: &Document, expr: ExprId) -> Option<i64> {
    match &doc.exprs[expr].kind {
        // So near to zero that sums of a few do not overflow.
        ExprKind::Constant(constant) => constant.text.parse::<i32>().ok().map(i64::from),
        ExprKind::Intrinsic { name, operands, .. } if &**name == "minus_scal" => {
            literal(doc, operands.first()?.expr).map(|value| -value)
        }
        ExprKind::Intrinsic { .. }
        | ExprKind::Ref(_)
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => None,
    }
}

/// The declaration of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    /// Its type.
    pub(super) base: Base,
    /// Its shape, if it is an array.
    pub(super) shape: Option<ShapeId>,
}

impl Form {
    /// A number.
    pub(super) fn scalar(base: Base) -> Self {
        Form { base, shape: None }
    }

    /// What a product or a sum is.
    pub(super) fn join(self, other: Self) -> Self {
        Form { base: promote(self.base, other.base), shape: self.shape.or(other.shape) }
    }

    /// A new variable.
    pub(super) fn variable(
        self,
        doc: &mut Document,
        shapes: &Shapes,
        names: &mut FreshNames,
        (wish, place): (&str, Place),
    ) -> SymbolId {
        let symbol = names.variable(doc, wish, self.base, place);
        if let Some(shape) = self.shape {
            let dims = shapes.dims(doc, shape, place);
            doc.symbols[symbol].rank = u8::try_from(dims.len()).ok();
            if let Some(decl) = &mut doc.symbols[symbol].decl {
                decl.dims = dims;
                if shapes.is_allocated(shape) {
                    decl.attrs.insert(Attr::Allocatable);
                }
            }
        }
        symbol
    }
}

/// Tells shapes that are known where a procedure begins.
pub(super) struct Extents<'a> {
    doc: &'a Document,
    storage: &'a Storage,
    proc: ProcId,
    scope: ScopeId,
    /// What the procedure does.
    summary: &'a Summary,
    /// Whether only literals are known: of several entries, or of a program.
    literal: bool,
}

impl<'a> Extents<'a> {
    /// Those of `proc`.
    pub(super) fn new(
        doc: &'a Document,
        storage: &'a Storage,
        proc: ProcId,
        summary: &'a Summary,
    ) -> Self {
        let data = &doc.procs[proc];
        let literal = data.kind == ProcKind::Program || has_entries(doc, proc);
        Extents { doc, storage, proc, scope: data.scope, summary, literal }
    }

    /// The shape of the first reference whose shape is known.
    pub(super) fn of(
        &self,
        shapes: &mut Shapes,
        references: impl IntoIterator<Item = RefId>,
    ) -> Option<ShapeId> {
        let arrays = references.into_iter().filter(|&one| self.doc.refs[one].ty.rank > 0);
        let lengths = arrays.into_iter().find_map(|reference| self.lengths(reference))?;
        Some(shapes.number(self.doc, Shape { lengths, here: false }))
    }

    /// The shape that an array has where it stands, as long as nothing changes it.
    pub(super) fn here(&self, shapes: &mut Shapes, reference: RefId) -> ShapeId {
        let data = &self.doc.refs[reference];
        let lists = data.parts.iter().filter_map(|part| match part {
            Part::Elements(list) => Some(list),
            Part::Component { .. } | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => {
                None
            }
        });
        // Only one part of a reference has a rank; where none selects sections, a whole array does.
        let sections = lists.flatten().filter_map(|subscript| match *subscript {
            Subscript::Section { lower: Some(lower), upper: Some(upper), stride: None } => {
                Some(Some((lower, upper)))
            }
            Subscript::Section { .. } => Some(None),
            Subscript::Index(_) => None,
        });
        let mut sections = sections.collect::<Vec<_>>().into_iter();
        let lengths = (1..=data.ty.rank).map(|dimension| match sections.next().flatten() {
            Some((lower, upper)) => Length::Bounds(Some(lower), upper),
            None => Length::Along(reference, dimension),
        });
        let lengths = lengths.collect();
        shapes.number(self.doc, Shape { lengths, here: true })
    }

    fn lengths(&self, reference: RefId) -> Option<Vec<Length>> {
        let data = &self.doc.refs[reference];
        let mut parts = data.parts.iter().peekable();
        let mut symbol = data.base;
        // Only one part of a reference has a rank.
        let mut found = Vec::new();
        loop {
            let list = match parts.peek() {
                Some(Part::Elements(list)) => Some(list),
                Some(_) | None => None,
            };
            found.extend(self.selected(symbol, list.map(|list| &list[..]))?);
            if list.is_some() {
                parts.next();
            }
            match parts.next() {
                None => break,
                Some(Part::Component { symbol: Some(component), .. }) => symbol = *component,
                Some(_) => return None,
            }
        }
        (found.len() == usize::from(data.ty.rank)).then_some(found)
    }

    /// The extents of a variable or component, or of a section of it.
    fn selected(&self, symbol: SymbolId, list: Option<&[Subscript]>) -> Option<Vec<Length>> {
        let decl = self.doc.symbols[symbol].decl.as_ref()?;
        let mut found = Vec::new();
        for (number, &dim) in (1..).zip(&decl.dims) {
            let subscript = list.map(|list| list.get(usize::from(number) - 1));
            match subscript {
                None => found.push(self.declared(symbol, number, dim)?),
                Some(Some(&Subscript::Index(_))) => {}
                Some(Some(&Subscript::Section { lower, upper, stride })) => {
                    let length = match self.number(dim, (lower, upper), stride) {
                        Some(number) => Length::Number(number),
                        None if stride.is_some() => return None,
                        None => self.section(symbol, (number, dim), (lower, upper))?,
                    };
                    found.push(length);
                }
                Some(None) => return None,
            }
        }
        Some(found)
    }

    /// All of a dimension, as it was where the procedure began.
    fn declared(&self, symbol: SymbolId, number: u8, dim: Dim) -> Option<Length> {
        let data = &self.doc.symbols[symbol];
        let here = !self.literal && data.scope == self.scope && self.is_variable(symbol);
        match dim {
            Dim::Explicit { lower, upper } => {
                let known = |expr: ExprId| here || literal(self.doc, expr).is_some();
                (lower.is_none_or(known) && known(upper)).then_some(Length::Bounds(lower, upper))
            }
            Dim::AssumedShape { .. } => {
                (here && !self.is(symbol, Attr::Optional)).then_some(Length::Of(symbol, number))
            }
            Dim::Deferred | Dim::AssumedSize { .. } | Dim::AssumedRank => None,
        }
    }

    /// How many elements a section has, where all bounds are literals or both are the same but for a literal.
    fn number(
        &self,
        dim: Dim,
        (lower, upper): (Option<ExprId>, Option<ExprId>),
        stride: Option<ExprId>,
    ) -> Option<i64> {
        let of = |expr: Option<ExprId>| expr.and_then(|expr| literal(self.doc, expr));
        if let (Some(lower), Some(upper), None) = (lower, upper, stride)
            && let Some(distance) = distance(self.doc, lower, upper)
        {
            return Some((distance + 1).max(0));
        }
        let stride = if stride.is_some() { of(stride)? } else { 1 };
        let (first, last) = match dim {
            Dim::Explicit { lower, upper } => {
                let first = if lower.is_some() { of(lower) } else { Some(1) };
                (first, of(Some(upper)))
            }
            Dim::AssumedShape { lower: None } | Dim::AssumedSize { lower: None } => (Some(1), None),
            Dim::AssumedShape { .. }
            | Dim::AssumedSize { .. }
            | Dim::Deferred
            | Dim::AssumedRank => (None, None),
        };
        let (first, last) = if stride < 0 { (last, first) } else { (first, last) };
        let first = if lower.is_some() { of(lower) } else { first };
        let last = if upper.is_some() { of(upper) } else { last };
        Some(((last? - first? + stride).checked_div(stride)?).max(0))
    }

    fn section(
        &self,
        symbol: SymbolId,
        (number, dim): (u8, Dim),
        bounds: (Option<ExprId>, Option<ExprId>),
    ) -> Option<Length> {
        // A bound of the declaration is evaluated where the procedure begins.
        let settled = |expr: ExprId| self.is_settled(expr).then_some(expr);
        match (bounds, dim) {
            ((None, None), _) => self.declared(symbol, number, dim),
            ((Some(lower), Some(upper)), _) => {
                Some(Length::Bounds(Some(settled(lower)?), settled(upper)?))
            }
            (
                (None, Some(upper)),
                Dim::Explicit { lower, .. }
                | Dim::AssumedShape { lower }
                | Dim::AssumedSize { lower },
            ) => {
                let lower = match lower {
                    Some(lower) => Some(settled(lower)?),
                    None => None,
                };
                Some(Length::Bounds(lower, settled(upper)?))
            }
            ((Some(lower), None), Dim::Explicit { upper, .. }) => {
                Some(Length::Bounds(Some(settled(lower)?), settled(upper)?))
            }
            ((Some(lower), None), Dim::AssumedShape { lower: None }) => {
                self.declared(symbol, number, dim)?;
                Some(Length::From(settled(lower)?, symbol, number))
            }
            ((Some(_), None), Dim::AssumedShape { lower: Some(_) } | Dim::AssumedSize { .. })
            | ((None, Some(_)) | (Some(_), None), Dim::Deferred | Dim::AssumedRank) => None,
        }
    }

    /// Whether an integer has, wherever the procedure is, the value that it would have in a
    /// declaration: a sum or product of literals, constants and arguments that nobody changes.
    fn is_settled(&self, expr: ExprId) -> bool {
        nodes_of(self.doc, [expr]).into_iter().all(|node| match &self.doc.exprs[node].kind {
            ExprKind::Constant(_) => true,
            ExprKind::Ref(reference) => {
                let data = &self.doc.refs[*reference];
                let plain = data.parts.is_empty() && matches!(data.ty.base, Base::Integer(_));
                plain && self.is_unchanged(data.base)
            }
            ExprKind::Intrinsic { name, .. } => intrinsics::operator(name).is_some(),
            ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        })
    }

    fn is_unchanged(&self, symbol: SymbolId) -> bool {
        if self.is(symbol, Attr::Parameter) {
            return true;
        }
        let is_argument =
            self.doc.procs[self.proc].args.iter().any(|arg| arg.symbol == Some(symbol));
        if self.literal || !is_argument || self.is(symbol, Attr::Optional) {
            return false;
        }
        let intent = self.doc.symbols[symbol].decl.as_ref().and_then(|decl| decl.intent);
        let written = |location: &booster_facts::LocationId| {
            self.summary.out.contains(location) || self.summary.world
        };
        intent == Some(Intent::In) || !self.storage.locations_of_symbol(symbol).iter().any(written)
    }

    fn is_variable(&self, symbol: SymbolId) -> bool {
        matches!(self.doc.role(symbol), Some(Role::Variable))
    }

    fn is(&self, symbol: SymbolId, attr: Attr) -> bool {
        let decl = self.doc.symbols[symbol].decl.as_ref();
        decl.is_some_and(|decl| decl.has(attr))
    }
}
