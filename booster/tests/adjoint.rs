//! Texts of the adjoints of single sources in `adjoint/`. `files/adjoint.rs` checks all of them.

use std::collections::BTreeMap;

use booster_tests::adjoint::{check_call, differentiated_by, split, with_facts};
use booster_tests::{calls, folder, printed, read};
use xaif_booster::passes::Selection;
use xaif_booster::transform::adjoint::Options;

/// What the mirror of an iteration can compute again is not recorded; what goes from round to round, or was
/// computed of what the iteration overwrites, is.
#[test]
fn scalars_that_a_round_sets_are_computed_again() {
    let path = folder().join("adjoint/scalars_again.f90");
    let pushes = Options { selection: Selection::without(["indexed-tape"]), ..Options::default() };
    let doc = with_facts(&read(&path), None, &pushes).expect("an adjoint");
    let text = printed(&doc);
    let (first, rest) = text.split_once("end subroutine p_b").expect("the first procedure");
    assert!(!first.contains("push("), "{first}");
    for recorded in ["push(s)", "push(k)", "push(f)"] {
        assert!(rest.contains(recorded), "{recorded}: {rest}");
    }
}

/// The adjoint of each procedure of a source, with facts of activity and of recording.
fn by_procedure(source: &str) -> Vec<(String, String)> {
    let path = folder().join("adjoint").join(source);
    let source = read(&path);
    let mut found: Vec<(String, String)> = Vec::new();
    for call in calls(&source) {
        let doc = with_facts(&source, Some(&call.procedure), &Options::default());
        found.push((call.procedure, printed(&doc.expect("an adjoint"))));
    }
    found
}

#[test]
fn loops_whose_rounds_depend_on_nothing_run_upwards() {
    for (procedure, text) in by_procedure("loops_that_may_run_upwards.f90") {
        let (up, down): (&[&str], &[&str]) = match procedure.as_str() {
            "stencil" => (&["do i = 2, n - 1\n    eb = ", "do i = 1, n\n    yb(i) = 2*yb(i)"], &[]),
            "order" => (&[], &["do i = n, 2, -1\n    xb(i-1) = xb(i-1) + xb(i)"]),
            "planes" => (&["do j = 2, m\n    do i = 1, n\n      bb(i, j-1)"], &["do j = m, 2, -1"]),
            "twos" => (&[], &[", 1, -2"]),
            "places" => {
                (&["do i = 1, n\n    xb(k(i))"], &["do i = n, 1, -1\n    xb(i) = xb(i) + 3*yb(k"])
            }
            other => panic!("{other}"),
        };
        for part in up.iter().chain(down) {
            assert!(text.contains(part), "{procedure}: {part}: {text}");
        }
    }
}

#[test]
fn what_rounds_record_goes_to_room() {
    let pushes = Options { selection: Selection::without(["indexed-tape"]), ..Options::default() };
    let names = [
        "tape_blocks",
        "tape_blocks_beside",
        "tape_blocks_constructs",
        "tape_blocks_in_place",
        "tape_blocks_refused",
    ];
    let mut found = BTreeMap::new();
    for name in names {
        let name = format!("{name}.f90");
        for (procedure, text) in by_procedure(&name) {
            found.insert(procedure.clone(), text.matches("call block_alloc(").count());
            let pushed = match procedure.as_str() {
                "twice" | "old" | "saved" => Some("t"),
                "some_arms" => Some("1"),
                "not_each_arm" => Some("f"),
                _ => None,
            };
            let pushed = pushed.map(|own| format!("    call push({own})\n"));
            assert!(pushed.is_none_or(|push| text.contains(&push)), "{procedure}: {text}");
        }
        // Without it the numbers are the same.
        let path = folder().join("adjoint").join(&name);
        let source = read(&path);
        for options in
            [&pushes, &Options { selection: Selection::without(["indexed-tape"]), ..split() }]
        {
            let (doc, _) = differentiated_by(&source, options).expect("an adjoint");
            assert!(!printed(&doc).contains("call block_alloc("), "{name}");
            for call in calls(&source) {
                check_call(&path, &source, &doc, &call, 12);
            }
        }
    }
    let expected = [
        ("plain several down from behind counters labelled gives sometimes", 1),
        ("elements in_arms_too twice old saved passed each_arm not_each_arm", 1),
        ("nested moves calls around branches upwind cases some_arms deep moving shrinks", 2),
        ("steps descends in_arms", 3),
        ("kinds", 4),
        ("leaves cycles outside any_step short hosts", 0),
    ];
    let expected: BTreeMap<String, usize> = expected
        .iter()
        .flat_map(|&(names, blocks)| names.split(' ').map(move |name| (name.to_owned(), blocks)))
        .collect();
    assert_eq!(found, expected);
}

/// What the forward half keeps the backward half finds.
#[test]
fn the_halves_of_a_split_call_share_blocks() {
    let path = folder().join("adjoint/tape_blocks_beside.f90");
    let (doc, _) = differentiated_by(&read(&path), &split()).expect("adjoints");
    let text = printed(&doc);
    let of = |name: &str| {
        let (_, rest) = text.split_once(&format!("subroutine {name}(")).expect("the half");
        rest.split_once("\nend subroutine").expect("its end").0.to_owned()
    };
    let (forward, backward) = (of("inner_fwd"), of("inner_bwd"));
    assert!(forward.contains("call block_alloc(tape, 2_8*n)\n  do i = 1, n\n"), "{forward}");
    assert!(
        forward.contains("    tape(2_8*i-1) = u\n  end do\n  call block_push(tape)"),
        "{forward}"
    );
    assert!(forward.contains("    tape(2_8*i) = y(i)\n    y(i) = u*u*y(i)\n"), "{forward}");
    let begin =
        "call block_pop(tape)\n  do i = n, 1, -1\n    u = tape(2_8*i-1)\n    y(i) = tape(2_8*i)\n";
    assert!(backward.contains(begin), "{backward}");
    assert!(backward.contains("  end do\n  call block_free(tape)"), "{backward}");
}

#[test]
fn time_levels_that_are_copied_change_places() {
    for (procedure, text) in by_procedure("time_levels.f90") {
        let expected = match procedure.as_str() {
            "heat" | "leap" => 3,
            "waves" | "sections" => 6,
            _ => 0,
        };
        let moves = text.matches("call move_alloc(").count();
        assert_eq!(moves, expected, "{procedure}: {text}");
        let places =
            Options { selection: Selection::without(["buffer-swap"]), ..Options::default() };
        let source = read(&folder().join("adjoint/time_levels.f90"));
        let doc = with_facts(&source, Some(&procedure), &places).expect("an adjoint");
        assert!(!printed(&doc).contains("move_alloc"), "{procedure}");
    }
}
