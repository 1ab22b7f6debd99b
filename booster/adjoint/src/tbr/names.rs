//! The names by which what a statement overwrites is recorded.
//!
//! An assignment records its left-hand side, a call its actual arguments and the variables that it
//! reaches otherwise. A name is evaluated before the statement; where a subscript of it may be
//! overwritten by the statement itself, the whole variable is recorded instead, or, of a call, the
//! subscript is recorded behind it and so taken back first.

use xaif_schema::model::{Document, Part, Place, ProcId, RefId, Reference, SymbolId};

use booster_facts::access::{Actual, ActualValue, CallSite};
use booster_facts::components::{below, narrowed, rank_of, with_declared_rank};
use booster_facts::storage::Member;
use booster_facts::{LocationId, Storage, side_effects};

/// A name for what is overwritten.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// A reference of the program.
    Ref(RefId),
    /// It without its last part: the array of which an element is passed for an array, the object
    /// of a type-bound call.
    Around(RefId),
    /// It without all parts from the first subscript on.
    Whole(RefId),
    /// A variable that the statement does not name.
    Symbol(SymbolId),
    /// All that is visible under some name of a location.
    Location(LocationId),
    /// Memory of a location that pointers share, by the names by which a call overwrites it.
    Written(Box<[Member]>),
    /// Something that is not recorded: indices of FORALL and the like.
    Hidden,
}

impl Name {
    /// The reference of the program, if the name has its subscripts (or some of them).
    pub(crate) fn reference(&self) -> Option<RefId> {
        match self {
            Name::Ref(reference) | Name::Around(reference) => Some(*reference),
            Name::Whole(_)
            | Name::Symbol(_)
            | Name::Location(_)
            | Name::Written(_)
            | Name::Hidden => None,
        }
    }

    /// Whether recording by this name records all of `location`.
    pub(crate) fn covers(&self, doc: &Document, storage: &Storage, location: LocationId) -> bool {
        let whole = storage.locations()[location].strong_update;
        let is_plain = |reference: RefId| {
            let before = doc.refs[reference].parts.split_last().map_or(&[][..], |(_, all)| all);
            before.iter().all(|part| matches!(part, Part::Component { .. }))
        };
        whole
            && match self {
                Name::Ref(reference) if storage.locations()[location].property => {
                    is_plain(*reference)
                }
                Name::Ref(reference) => storage.kills(doc, *reference),
                Name::Around(reference) => is_plain(*reference),
                Name::Whole(_) | Name::Symbol(_) => true,
                Name::Location(_) => !storage.locations()[location].pointers,
                Name::Written(_) | Name::Hidden => false,
            }
    }

    /// The references that stand for it, to be copied; `locations` are those that must be recorded.
    pub(crate) fn references(
        &self,
        doc: &Document,
        storage: &Storage,
        proc: ProcId,
        place: Place,
        locations: &[LocationId],
    ) -> Vec<Reference> {
        let plain = |reference: RefId| {
            let mut copy = doc.refs[reference].clone();
            copy.forget_facts();
            copy
        };
        let parts = |whole: Reference| -> Vec<Reference> {
            let paths = narrowed(doc, storage, &whole, locations);
            paths.into_iter().map(|path| below(doc, whole.clone(), &path)).collect()
        };
        match self {
            Name::Ref(reference) => parts(plain(*reference)),
            Name::Around(reference) => {
                let mut around = plain(*reference);
                around.parts.pop();
                parts(with_declared_rank(doc, around))
            }
            Name::Whole(reference) => {
                let mut whole = plain(*reference);
                let kept = whole
                    .parts
                    .iter()
                    .position(|part| !matches!(part, Part::Component { .. }))
                    .unwrap_or(whole.parts.len());
                whole.parts.truncate(kept);
                vec![with_declared_rank(doc, whole)]
            }
            Name::Symbol(symbol) => {
                let member = Member { symbol: *symbol, path: Box::default() };
                vec![placed(side_effects::reference(doc, &member), place)]
            }
            Name::Location(location) => side_effects::names_in(doc, storage, proc, *location)
                .into_iter()
                .map(|member| placed(side_effects::reference(doc, member), place))
                .collect(),
            Name::Written(names) => names
                .iter()
                .map(|member| placed(side_effects::reference(doc, member), place))
                .collect(),
            Name::Hidden => Vec::new(),
        }
    }
}

fn placed(mut reference: Reference, place: Place) -> Reference {
    reference.place = place;
    reference
}

/// The name of what is passed to a call and overwritten by it; `None` for what has none.
pub(crate) fn of_actual(
    doc: &Document,
    storage: &Storage,
    call: &CallSite<'_>,
    actual: &Actual,
) -> Option<Name> {
    match actual.value {
        // All that lies there, by all of its names.
        ActualValue::Variable(reference) if storage.is_overrun(doc.refs[reference].base) => {
            storage.locations_of(doc, reference).first().copied().map(Name::Location)
        }
        ActualValue::Variable(reference) => {
            let is_element = doc.refs[reference].ty.rank == 0
                && matches!(doc.refs[reference].parts.last(), Some(Part::Elements(_)));
            // An element that is passed for an array stands for all that follow.
            let around = is_element && takes_array(doc, storage, call, actual);
            Some(if around { Name::Around(reference) } else { Name::Ref(reference) })
        }
        ActualValue::Object(_)
        | ActualValue::Target(..)
        | ActualValue::Value(..)
        | ActualValue::Procedure(_) => None,
    }
}

/// Whether the dummy argument of some body that may be executed is an array; an unknown one may be.
fn takes_array(doc: &Document, storage: &Storage, call: &CallSite<'_>, actual: &Actual) -> bool {
    if call.targets.unknown || !call.targets.outside.is_empty() {
        return true;
    }
    !call.targets.bodies.iter().all(|&entry| {
        let dummies = storage.procedures().dummies(doc, entry);
        let dummy = dummies.get(actual.position).and_then(|dummy| dummy.symbol);
        dummy.is_none_or(|symbol| rank_of(doc, symbol) == 0)
    })
}
