//! Activity of procedures that call each other in circles of any length: the analysis ends, and what it finds does not
//! depend on the order of the procedures.

use std::collections::BTreeSet;

use booster_facts::activity::{self, Options};
use booster_facts::externals::Externals;
use booster_tests::document;
use proptest::prelude::*;

/// A procedure of a random program.
#[derive(Clone, Debug)]
struct Drawn {
    /// What it overwrites, if anything, and whether before its calls.
    writes: Option<(&'static str, bool)>,
    /// Numbers of procedures, and what is passed.
    calls: Vec<(usize, &'static str)>,
    /// Whether its calls are behind a condition.
    conditional: bool,
}

fn drawn(count: usize) -> impl Strategy<Value = Drawn> {
    let statements =
        vec!["y = y*x", "x = 2.0", "z = x", "y = 0.0", "w = w + 1.0", "g = y", "y = g"];
    let arguments = vec!["x, y, z, w", "y, x, z, w", "z, y, w, x", "x, y, y, w", "x, z, y, w"];
    let writes = prop::option::of((prop::sample::select(statements), any::<bool>()));
    let calls = prop::collection::vec((0..count, prop::sample::select(arguments)), 0..3);
    (writes, calls, any::<bool>()).prop_map(|(writes, calls, conditional)| Drawn {
        writes,
        calls,
        conditional,
    })
}

/// Each procedure calls the next, the last one the first, so that all are one circle.
fn procedure(number: usize, count: usize, drawn: &Drawn) -> String {
    let mut text = format!("recursive subroutine p{number}(n, x, y, z, w)\ninteger, value :: n\n");
    text += "real :: x, y, z, w, g\ncommon /c/ g\n";
    let write = |before: bool| match drawn.writes {
        Some((statement, place)) if place == before => format!("{statement}\n"),
        Some(_) | None => String::new(),
    };
    text += &write(true);
    let condition = if drawn.conditional { "if (n > 0) " } else { "" };
    let next = ((number + 1) % count, "x, y, z, w");
    for (callee, passed) in std::iter::once(&next).chain(&drawn.calls) {
        text += &format!("{condition}call p{callee}(n - 1, {passed})\n");
    }
    text + &write(false) + "end subroutine\n"
}

/// The active variables by procedure and name, and the warnings.
fn found(procedures: impl Iterator<Item = String>) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut doc = document(&procedures.collect::<String>());
    let options = Options {
        heads: vec!["p0".to_owned()],
        independent: vec!["x".to_owned()],
        dependent: vec!["y".to_owned()],
        tests: false,
    };
    let warnings = activity::activity(&mut doc, &options, &Externals::new()).expect("analysed");
    let owner = |scope| doc.procs.values().find(|proc| proc.scope == scope).map(|p| p.symbol);
    let active = doc.symbols.iter().filter(|(_, symbol)| symbol.active == Some(true));
    let active = active.map(|(id, symbol)| {
        let owner = owner(symbol.scope).map(|owner| doc.name(owner)).unwrap_or_default();
        format!("{owner}:{}", doc.name(id))
    });
    let told = warnings.iter().map(|warning| warning.message.clone()).collect();
    (active.collect(), told)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn circles_of_procedures_are_analysed_in_any_order(
        drawn in (1_usize..8).prop_flat_map(|count| prop::collection::vec(drawn(count), count)),
    ) {
        let text = |(number, one): (usize, &Drawn)| procedure(number, drawn.len(), one);
        let forward = found(drawn.iter().enumerate().map(text));
        let backward = found(drawn.iter().enumerate().rev().map(text));
        prop_assert_eq!(forward, backward);
    }
}
