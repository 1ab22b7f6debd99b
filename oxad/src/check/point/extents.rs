//! Extents that the check chooses, where a declaration leaves them open and `--set` gives none.
//!
//! All open extents of a check are equal: programs combine their arrays. The first size is small enough to execute
//! the document; the second one fills more than one chunk of the tape. Where settings tell the extent of another
//! array, the open ones take that extent, and there is no second size.

use std::collections::BTreeSet;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};

use super::node::Node;
use super::plan::Plan;

/// The extents of both sizes for arrays of rank 1, 2, ...; an array of structures adds to the rank of its components.
/// No extent is a power of two. The largest array of the second size has more than 20,000 elements.
const SIZES: [[i64; 2]; 7] = [[10, 20_011], [10, 251], [10, 41], [6, 17], [5, 11], [3, 7], [3, 5]];

/// The extent to begin with.
pub(super) const FIRST: i64 = SIZES[0][0];

/// The second size has no more elements than this.
const MOST_ELEMENTS: i64 = 400_000;

/// Which of the sizes is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// A small one.
    First,
    /// One beyond the first chunk of the tape, halved so many times.
    Second(u32),
}

/// What declarations and settings leave open.
#[derive(Debug, Default)]
pub(crate) struct Open {
    /// An error for each array with an open extent.
    pub(super) missing: Diagnostics,
    /// The highest rank of open extents, those of arrays around a component included.
    pub(super) rank: usize,
    /// Extents of arrays that settings tell.
    pub(super) told: BTreeSet<i64>,
}

impl Open {
    /// Takes note of an open extent.
    pub(super) fn add(&mut self, missing: Diagnostic, rank: usize) {
        self.rank = self.rank.max(rank);
        if !self.missing.iter().any(|known| known.help == missing.help) {
            self.missing.push(missing);
        }
    }

    /// The extent of one size; `None` where the user has to tell, or where there is no second size.
    pub(super) fn extent(&self, size: Size) -> Option<i64> {
        let mut told = self.told.iter();
        match (told.next(), told.next(), size) {
            (None, _, _) => {
                let [first, second] = SIZES.get(self.rank.checked_sub(1)?)?;
                match size {
                    Size::First => Some(*first),
                    Size::Second(halved) => {
                        Some(second >> halved | 1).filter(|extent| *extent >= 2 * first)
                    }
                }
            }
            (Some(&only), None, Size::First) => (only > 1).then_some(only),
            (Some(_), _, _) => None,
        }
    }
}

/// The extents that the check has chosen for a plan.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// Of all open dimensions.
    pub(crate) extent: i64,
    /// Whether there is a second size.
    pub(crate) has_second: bool,
    /// What the user is asked for where the choice is no good.
    missing: Diagnostics,
}

impl Chosen {
    pub(super) fn new(extent: i64, open: Open) -> Chosen {
        let has_second = open.extent(Size::Second(0)).is_some();
        Chosen { extent, has_second, missing: open.missing }
    }

    /// Asks for the shapes: the chosen ones are no good, for `reason`, which is seen at a place.
    pub(crate) fn asked(&self, reason: &str, spot: Option<Spot>) -> Diagnostics {
        let note = format!("the check has tried an extent of {}: {reason}", self.extent);
        let mut missing: Vec<Diagnostic> = self.missing.iter().cloned().collect();
        if let Some(first) = missing.first_mut() {
            *first = first.clone().with_note(spot, note);
        }
        missing.into_iter().collect()
    }
}

/// `x(10), a(10, 10)`: the arrays with chosen extents.
pub(crate) fn listed(plan: &Plan) -> String {
    fn list(node: &Node, names: &mut Vec<String>) {
        if let Some(extents) = node.extents.as_ref().filter(|_| node.open > 0) {
            names.push(format!("{}({})", super::plan::users_name(&node.key), extents.join(", ")));
        }
        node.parts.iter().for_each(|(_, part)| list(part, names));
    }
    let mut names = Vec::new();
    plan.objects.iter().for_each(|object| list(&object.node, &mut names));
    names.join(", ")
}

/// Whether the plan's arrays, with their derivatives, stay within the bound of the second size.
pub(crate) fn is_small_enough(plan: &Plan) -> bool {
    fn elements(node: &Node) -> i64 {
        let extents = node.extents.iter().flatten().filter_map(|extent| extent.parse::<i64>().ok());
        let own = extents.fold(1, i64::saturating_mul);
        let parts = node.parts.iter().map(|(_, part)| elements(part));
        own.saturating_mul(parts.fold(0, i64::saturating_add).max(1))
    }
    let all = plan.objects.iter().map(|object| elements(&object.node));
    all.fold(0, i64::saturating_add) <= MOST_ELEMENTS
}

/// The error that asks for the shape of an array.
pub(super) fn missing(key: &str, rank: usize, or: &str, spot: Option<Spot>) -> Diagnostic {
    let message = format!("the shape of `{key}` is not told");
    let extents = vec!["10"; rank.max(1)].join(",");
    Diagnostic::error(Code::MISSING_SETTING, spot, message)
        .with_help(format!("give it: --set {key}:{extents}{or}"))
}
