//! Chains whose sets share their parts say the same as chains in full.

mod reference;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use booster_facts::externals::Externals;
use booster_facts::side_effects::SideEffects;
use booster_facts::side_effects::chains::{Answers, Chains, End, IN_FULL};
use booster_facts::{Accesses, Bodies, Storage};
use booster_tests::document;
use fortran_frontend::{source, translate_texts};
use proptest::prelude::*;
use xaif_schema::model::Document;

use self::reference::Reference;

/// The members of all sets that are asked for.
fn in_full<K: Ord + Copy>(answers: &Answers<K>) -> BTreeMap<K, BTreeSet<End>> {
    let mut full: Vec<BTreeSet<End>> = Vec::new();
    for set in &answers.sets {
        let mut members: BTreeSet<End> = set.ends.iter().copied().collect();
        for &part in &set.parts {
            members.extend(&full[part as usize]);
        }
        full.push(members);
    }
    answers.of.iter().map(|(&key, &set)| (key, full[set as usize].clone())).collect()
}

/// Compares the chains of all bodies; how many sets include others.
fn compare(doc: &Document, what: &str) -> usize {
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let externals = Externals::new();
    let effects = SideEffects::new(&accesses, &bodies, &externals);
    let mut composed = 0;
    for body in bodies.iter() {
        let expected = Reference::new(&accesses, body, &externals, &effects);
        let found = Chains::new(&accesses, body, &externals, &effects);
        assert_eq!(in_full(&found.definitions), expected.definitions, "{what}: definitions");
        assert_eq!(in_full(&found.uses), expected.uses, "{what}: uses");
        assert_eq!(in_full(&found.overwrites), expected.overwrites, "{what}: overwrites");
        let sets = found.definitions.sets.iter().chain(&found.uses.sets);
        composed += sets.filter(|set| !set.parts.is_empty()).count();
    }
    composed
}

#[test]
fn chains_of_all_sources_are_those_of_reaching_definitions() {
    let mut count = 0;
    for folder in
        ["sideeffects", "adjoint", "tangent", "both", "activity", "canonicalize", "reversal"]
    {
        let folder = booster_tests::folder().join(folder);
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "f90") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a source");
            let translation = translate_texts(&[("test.f90", &text)], &source::Options::default());
            compare(&translation.document, &path.display().to_string());
            count += 1;
        }
    }
    assert!(count > 100, "{count} sources");
}

#[test]
fn many_elements_share_their_sets() {
    let lines = |count: usize| {
        let writes: String = (1..=count).map(|i| format!("a({i}) = s\ns = s*a({i})\n")).collect();
        let text = format!("subroutine p(a, s, n)\nreal :: a(n), s\n{writes}end subroutine\n");
        document(&text)
    };
    assert!(compare(&lines(4 * IN_FULL), "elements") > 0);
    let size = |count: usize| {
        let doc = lines(count);
        let storage = Storage::new(&doc);
        let accesses = Accesses::new(&doc, &storage);
        let bodies = Bodies::new(&accesses);
        let externals = Externals::new();
        let effects = SideEffects::new(&accesses, &bodies, &externals);
        let body = bodies.iter().next().expect("a body");
        let chains = Chains::new(&accesses, body, &externals, &effects);
        let sets = [&chains.definitions.sets, &chains.uses.sets, &chains.overwrites.sets];
        sets.into_iter().flatten().map(|set| set.ends.len() + set.parts.len()).sum::<usize>()
    };
    let (one, four) = (size(500), size(2000));
    assert!(four < 5 * one, "{one} members for 500 elements, {four} for 2000");
}

/// Statements with labels and jumps in any direction, so that ways join anywhere.
fn body(choices: &[(u8, u8, u8)]) -> String {
    let variable = |n: u8| ["x", "y", "a(1)", "a(i)", "a(2)"][usize::from(n) % 5];
    let mut text = "subroutine p(x, y, a, i)\nreal :: x, y, a(3), t\ninteger :: i\n".to_owned();
    let count = choices.len() as u8;
    for (label, &(kind, one, other)) in choices.iter().enumerate() {
        let (left, right, to) = (variable(one), variable(other), other % count + 1);
        let statement = match kind % 6 {
            0 | 1 => format!("{left} = {right}"),
            2 => format!("t = {left}*{right}"),
            3 => format!("if ({left} > 1.0) goto {to}"),
            4 => format!("if (t < {left}) {right} = t"),
            _ => format!("goto {to}"),
        };
        text += &format!("{} {statement}\n", label + 1);
    }
    text + "end subroutine\n"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn chains_of_any_graph_are_those_of_reaching_definitions(
        choices in prop::collection::vec((any::<u8>(), any::<u8>(), any::<u8>()), 1..40),
    ) {
        let text = body(&choices);
        compare(&document(&text), &text);
    }
}
