//! Adjoints: for each source in `adjoint/` the text that is printed stands beside it, gfortran takes
//! it without a warning, and executed it is the transpose of what dual numbers give for the original.
//!
//! A source says in comments at its top what is executed:
//!
//! - `! call p n=3 x=[1,2,3]`: a procedure and the values of its arguments and of module variables.
//! - `! once: why`: the program itself cannot be called twice.
//! - `! not compiled: why`: gfortran is not asked.
//! - `! gfortran warns: unset`: of pointers whose status the tape gives back, it does.
//!
//! For every variable v that has an adjoint the direction v' before the call and the weight on v
//! after it are pseudo-random. With v' after the call from dual numbers, and the adjoint before it
//! from the adjoint procedure, the sums of weight times v' after, and of adjoint times v' before, are
//! the same number. That holds for inputs and outputs alike: an input only accumulates, an output
//! that is overwritten ends with a zero adjoint.
//!
//! A program `NAME.main` beside a source is compiled with its adjoint and prints what is wrong with it.
//!
//! `OXAD_ONLY=name` looks at the sources with `name` in theirs alone.
//!
//! `OXAD_BLESS=1` writes the texts anew. A text that begins with `refused` holds the messages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use xaif_booster::analysis::{activity, tbr};
use xaif_booster::externals::Externals;
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::adjoint::prepare::prepare;
use xaif_booster::transform::adjoint::{Modes, Options, adjoint};
use xaif_booster::transform::preaccumulate::{self, Store};
use xaif_run::{Element, Given, Mode, Request};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;
use xaif_schema::verify;

use crate::harness::{
    Call, as_blessed_for_mode, calls, derivatives, document, each_compiled, execute, printed, read,
    sources_of_mode, told, told_at_top, verified,
};

/// The document with adjoints and the warnings, or the messages.
fn differentiated(source: &str) -> Result<(Document, Diagnostics), Diagnostics> {
    differentiated_by(source, &Options::default())
}

/// All calls are split.
fn split() -> Options {
    Options { modes: Modes { all: true, ..Modes::default() }, ..Options::default() }
}

/// Calls are split where that costs no more tape.
fn thrifty() -> Options {
    Options { modes: Modes { thrifty: true, ..Modes::default() }, ..Options::default() }
}

fn differentiated_by(
    source: &str,
    options: &Options,
) -> Result<(Document, Diagnostics), Diagnostics> {
    let mut doc = document(source);
    let warnings = adjoint(&mut doc, options)?;
    verified(&doc);
    Ok((doc, warnings))
}

#[test]
fn the_adjoints_are_as_blessed() {
    as_blessed_for_mode("adjoint", |source| match differentiated(source) {
        Ok((doc, warnings)) => told(&warnings) + &printed(&doc),
        Err(messages) => format!("refused\n{}", told(&messages)),
    });
}

#[test]
fn gfortran_takes_them_without_a_warning() {
    // What may be unset in gfortran's eyes is so on no path that is taken.
    let strict = ["-Wall", "-Wextra", "-Werror", "-Wno-maybe-uninitialized"];
    // Assignments that allocate a variable are told by gfortran to use it uninitialised. What it
    // says of the source it may say of the adjoint.
    let unset = ["-Wno-uninitialized"];
    each_compiled(&sources_of_mode("adjoint"), |gfortran, path| {
        let (source, what) = (read(path), path.display().to_string());
        let derived = [Options::default(), split()].map(|by| differentiated_by(&source, &by).ok());
        let mut texts: Vec<String> =
            derived.iter().flatten().map(|(doc, _)| printed(doc)).collect();
        // Without calls these are the same.
        texts.dedup();
        let Some((first, others)) = texts.split_first() else { return };
        if source.contains("\n! not compiled") {
            return;
        }
        let is_unset = source.contains("\n! gfortran warns: unset");
        let mut flags = [&strict[..], if is_unset { &unset[..] } else { &[] }].concat();
        gfortran.compile(&source, &["-w", "-fsyntax-only"], &what);
        if !gfortran.takes(first, &flags) {
            if !gfortran.takes(&source, &["-Wall", "-Werror=uninitialized"]) {
                gfortran.compile(&source, &["-w"], &what);
                flags.extend(unset);
            }
            gfortran.compile(first, &flags, &what);
        }
        // What follows the flow of values has been looked for in the first.
        flags.push("-fsyntax-only");
        for text in others {
            gfortran.compile(text, &flags, &what);
        }
    });
}

/// A program `NAME.main` beside a source prints what is wrong with the adjoint that it is compiled with.
#[test]
fn programs_that_are_compiled_with_them_find_nothing_wrong() {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../backends/runtime");
    let mut seen = 0;
    for path in
        sources_of_mode("adjoint").into_iter().filter(|path| path.with_extension("main").exists())
    {
        let (doc, _) = differentiated(&read(&path)).expect("an adjoint");
        for optimise in ["-O0", "-O2"] {
            let folder = tempfile::tempdir().expect("a folder");
            let run = |program: &str, args: &[&str]| {
                let mut command = Command::new(program);
                let output = command.args(args).current_dir(&folder).output().expect("a program");
                let told = [output.stdout, output.stderr].concat();
                let told = String::from_utf8_lossy(&told).into_owned();
                assert!(output.status.success() && told.is_empty(), "{}:\n{told}", path.display());
            };
            for file in ["oxad_tape_chunks.c", "oxad_tape.f90"] {
                std::fs::copy(runtime.join(file), folder.path().join(file)).expect("the tape");
            }
            std::fs::copy(&path, folder.path().join("user.f90")).expect("a copy");
            std::fs::write(folder.path().join("user_b.f90"), printed(&doc)).expect("a file");
            std::fs::copy(path.with_extension("main"), folder.path().join("main.f90"))
                .expect("a copy");
            run("gcc", &[optimise, "-c", "oxad_tape_chunks.c"]);
            let files =
                ["oxad_tape.f90", "user.f90", "user_b.f90", "main.f90", "oxad_tape_chunks.o"];
            let options = [optimise, "-w", "-fcheck=all", "-o", "main"];
            run("gfortran", &[&options[..], &files[..]].concat());
            run("./main", &[]);
            seen += 1;
        }
    }
    assert!(seen > 2 || std::env::var_os("OXAD_ONLY").is_some(), "{seen}");
}

/// Numbers between -1 and 1 that look random.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (self.0 >> 40) as f64 / f64::from(1 << 24);
        (bits * 64.0).round() / 32.0 - 1.0
    }

    fn like(&mut self, elements: &[Element], shape: &[i64]) -> Given {
        let words = elements.iter().map(|element| match element {
            Element::Complex(..) => format!("({:?},{:?})", self.next(), self.next()),
            _ => format!("{:?}", self.next()),
        });
        Given { shape: shape.to_vec(), words: words.collect() }
    }
}

/// The real and imaginary parts of values or, with `tangent`, of their tangents.
fn parts(elements: &[Element], tangent: bool) -> Vec<f64> {
    let mut found = Vec::new();
    for element in elements {
        match element {
            Element::Real(value, derivative) => {
                found.push(if tangent { *derivative } else { *value })
            }
            Element::Complex(value, derivative) => {
                found.extend(if tangent { derivative } else { value });
            }
            _ => found.push(0.0),
        }
    }
    found
}

/// The numbers of what is given.
fn numbers(given: &Given) -> Vec<f64> {
    let split = given.words.iter().flat_map(|word| {
        word.trim_matches(['(', ')']).split(',').map(str::to_owned).collect::<Vec<_>>()
    });
    split.map(|word| word.parse().expect("a number")).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn check_call(path: &Path, source: &str, derived: &Document, call: &Call, seed: u64) {
    check_call_after(path, source, derived, call, (seed, 0));
}

/// The same of the call behind others, which finds what these have left: `p_b` what `p` leaves.
fn check_call_after(
    path: &Path,
    source: &str,
    derived: &Document,
    call: &Call,
    (seed, before): (u64, u32),
) {
    let original = document(source);
    let what = format!("{} {}", path.display(), call.procedure);
    let procedure = format!("{}_b", call.procedure);
    let names = derivatives(derived, &procedure);
    let own = |name: &str| name.strip_suffix('b').unwrap_or(name).to_owned();
    // A first run tells shapes and types.
    let plain = Request {
        procedure: Some(call.procedure.clone()),
        values: call.values.clone(),
        before,
        ..Request::default()
    };
    let shapes = execute(&original, &plain, &what);
    let mut random = Numbers(seed);
    let mut directions: Vec<(String, Given)> = Vec::new();
    let mut weights: Vec<(String, Given)> = Vec::new();
    for name in &names {
        let Some(output) = shapes.outputs.iter().find(|output| output.name == own(name)) else {
            continue;
        };
        let direction = random.like(&output.elements, &output.shape);
        weights.push((name.clone(), random.like(&output.elements, &output.shape)));
        // The result of a function has no value before the call.
        if derived_is_argument(&original, &call.procedure, &output.name) {
            directions.push((output.name.clone(), direction));
        }
    }
    let primal = Request { direction: directions.clone(), mode: Mode::Tangent, ..plain };
    let after = execute(&original, &primal, &what);
    let mut values = call.values.clone();
    values.extend(weights.clone());
    let request = Request { procedure: Some(procedure), values, before, ..Request::default() };
    let found = execute(derived, &request, &what);
    assert!(found.warnings.is_empty(), "{what}: {}", told(&found.warnings));
    let (mut left, mut right, mut size) = (0.0, 0.0, 1.0_f64);
    for (name, weight) in &weights {
        let output = after.outputs.iter().find(|output| output.name == own(name));
        let tangent = parts(&output.expect("an output").elements, true);
        let product = dot(&numbers(weight), &tangent);
        left += product;
        size = size.max(product.abs());
    }
    for (name, direction) in &directions {
        let adjoint = found.outputs.iter().find(|output| output.name == format!("{name}b"));
        let adjoint = parts(&adjoint.expect("an adjoint").elements, false);
        let product = dot(&numbers(direction), &adjoint);
        right += product;
        size = size.max(product.abs());
    }
    assert!(!weights.is_empty(), "{what}: nothing was compared");
    if before > 0 && !left.is_finite() && !right.is_finite() {
        // What a program goes on from may grow beyond all numbers.
        return;
    }
    let close = (left - right).abs() <= 1e-11 * size;
    assert!(close, "{what}: dual numbers give {left}, the adjoint {right}");
}

fn derived_is_argument(doc: &Document, procedure: &str, name: &str) -> bool {
    let proc = doc.procs.values().find(|proc| doc.name(proc.symbol) == procedure);
    let args = proc.map(|proc| proc.args.clone()).unwrap_or_default();
    args.iter().filter_map(|arg| arg.symbol).any(|symbol| doc.name(symbol) == name)
}

#[test]
fn executed_they_are_the_transpose_of_dual_numbers() {
    for path in sources_of_mode("adjoint") {
        let source = read(&path);
        let Ok((derived, _)) = differentiated(&source) else { continue };
        for call in calls(&source) {
            (1..=4).for_each(|seed| check_call(&path, &source, &derived, &call, seed));
        }
    }
}

#[test]
fn executed_with_all_calls_split_they_are_the_transpose_of_dual_numbers() {
    for path in sources_of_mode("adjoint") {
        let source = read(&path);
        if differentiated(&source).is_err() {
            continue;
        }
        let (derived, _) = differentiated_by(&source, &split())
            .unwrap_or_else(|messages| panic!("{}: {}", path.display(), told(&messages)));
        for call in calls(&source) {
            (1..=2).for_each(|seed| check_call(&path, &source, &derived, &call, seed));
        }
    }
}

#[test]
fn executed_with_facts_of_activity_they_are_the_transpose_of_dual_numbers() {
    for path in sources_of_mode("adjoint") {
        let source = read(&path);
        if differentiated(&source).is_err() {
            continue;
        }
        for call in calls(&source) {
            let mut doc = document(&source);
            let options =
                activity::Options { heads: vec![call.procedure.clone()], ..Default::default() };
            let what = path.display();
            activity::activity(&mut doc, &options, &Externals::new())
                .unwrap_or_else(|messages| panic!("{what}: {}", told(&messages)));
            adjoint(&mut doc, &Options::default())
                .unwrap_or_else(|messages| panic!("{what}: {}", told(&messages)));
            let problems = verify::verify(&doc);
            assert!(problems.is_empty(), "{what}: {problems:?}");
            check_call(&path, &source, &doc, &call, 5);
            if told_at_top(&source, "once:").is_empty() {
                check_call_after(&path, &source, &doc, &call, (6, 1));
            }
        }
    }
}

/// As the pipeline makes it with facts of what is to be recorded; with those of activity only where
/// `head` is given.
fn with_facts(
    source: &str,
    head: Option<&str>,
    options: &Options,
) -> Result<Document, Diagnostics> {
    with_facts_for(&options.modes, source, head, options)
}

/// As [`with_facts`], where the facts are found for calls in other modes.
fn with_facts_for(
    modes: &Modes,
    source: &str,
    head: Option<&str>,
    options: &Options,
) -> Result<Document, Diagnostics> {
    let mut doc = document(source);
    if let Some(head) = head {
        let options = activity::Options { heads: vec![head.to_owned()], ..Default::default() };
        activity::activity(&mut doc, &options, &Externals::new())?;
    }
    prepare(&mut doc)?;
    tbr::tbr(&mut doc, &Externals::new(), &Catalogue::standard(), modes);
    adjoint(&mut doc, options)?;
    verified(&doc);
    Ok(doc)
}

/// The sources of this stage and those of the analysis.
fn recording_sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tbr");
    let entries = std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("entry").path());
    let is_source = |path: &PathBuf| path.extension().is_some_and(|e| e == "f90");
    let mut all: Vec<PathBuf> = entries.filter(is_source).collect();
    all.sort();
    all.into_iter().chain(sources_of_mode("adjoint")).collect()
}

/// Checks the calls of the source at `index` in the documents that `make` makes in one of three ways (from 0):
/// without a head in all ways, and with each call's procedure as head in one, in turn.
fn check_three_ways(
    (index, path): (usize, &Path),
    make: impl Fn(&str, Option<&str>, usize) -> Option<Document>,
) {
    let source = read(path);
    let calls = calls(&source);
    for way in 0..3 {
        let Some(doc) = make(&source, None, way) else { continue };
        for (call, seed) in calls.iter().zip(6..) {
            check_call(path, &source, &doc, call, seed);
        }
    }
    for (number, call) in calls.iter().enumerate() {
        if let Some(doc) = make(&source, Some(&call.procedure), (index + number) % 3) {
            (6..=7).for_each(|seed| check_call(path, &source, &doc, call, seed));
        }
    }
}

#[test]
fn executed_with_facts_of_recording_they_are_the_transpose_of_dual_numbers() {
    let ways = [Options::default(), split(), thrifty()];
    for (index, path) in recording_sources().iter().enumerate() {
        check_three_ways((index, path), |source, head, way| {
            match with_facts(source, head, &ways[way]) {
                Ok(doc) => Some(doc),
                Err(messages) => {
                    // What is refused without facts is refused with them.
                    let without = differentiated_by(source, &ways[way]);
                    assert!(without.is_err(), "{}: {}", path.display(), told(&messages));
                    None
                }
            }
        });
    }
}

/// Whoever calls `xaif-tbr` before constructs and expressions have been taken apart gets facts that hold behind
/// it, too.
#[test]
fn executed_with_facts_from_before_the_canonical_form_they_are_the_transpose() {
    let words = ["forall", "block", "associate", "concurrent", "select"];
    let mut seen = 0;
    for path in recording_sources() {
        let source = read(&path);
        for options in [Options::default(), split()] {
            let concerned = words.iter().any(|word| source.contains(word));
            if !concerned || differentiated_by(&source, &options).is_err() {
                continue;
            }
            for call in calls(&source) {
                let (mut doc, what) = (document(&source), path.display());
                tbr::tbr(&mut doc, &Externals::new(), &Catalogue::standard(), &options.modes);
                adjoint(&mut doc, &options)
                    .unwrap_or_else(|messages| panic!("{what}: {}", told(&messages)));
                check_call(&path, &source, &doc, &call, 11);
                seen += 1;
            }
        }
    }
    assert!(seen > 20 || std::env::var_os("OXAD_ONLY").is_some(), "{seen}");
}

/// What the mirror of a round can compute again is not recorded; what goes from round to round, or was
/// computed of what the round overwrites, is.
#[test]
fn scalars_that_a_round_sets_are_computed_again() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adjoint/scalars_again.f90");
    let pushes = Options { rooms: false, ..Options::default() };
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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adjoint").join(source);
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
    let pushes = Options { rooms: false, ..Options::default() };
    let names = ["rooms", "rooms_beside", "rooms_constructs", "rooms_in_place", "rooms_refused"];
    let mut found = BTreeMap::new();
    for name in names {
        let name = format!("{name}.f90");
        for (procedure, text) in by_procedure(&name) {
            found.insert(procedure.clone(), text.matches("call reserve(").count());
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
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adjoint").join(&name);
        let source = read(&path);
        for options in [&pushes, &Options { rooms: false, ..split() }] {
            let (doc, _) = differentiated_by(&source, options).expect("an adjoint");
            assert!(!printed(&doc).contains("call reserve("), "{name}");
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
        .flat_map(|&(names, rooms)| names.split(' ').map(move |name| (name.to_owned(), rooms)))
        .collect();
    assert_eq!(found, expected);
}

/// What the forward half keeps the backward half finds.
#[test]
fn the_halves_of_a_split_call_share_rooms() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adjoint/rooms_beside.f90");
    let (doc, _) = differentiated_by(&read(&path), &split()).expect("adjoints");
    let text = printed(&doc);
    let of = |name: &str| {
        let (_, rest) = text.split_once(&format!("subroutine {name}(")).expect("the half");
        rest.split_once("\nend subroutine").expect("its end").0.to_owned()
    };
    let (forward, backward) = (of("inner_fwd"), of("inner_bwd"));
    assert!(forward.contains("call reserve(room, 2_8*n)\n  do i = 1, n\n"), "{forward}");
    assert!(forward.contains("    room(2_8*i-1) = u\n  end do\n  call keep(room)"), "{forward}");
    assert!(forward.contains("    room(2_8*i) = y(i)\n    y(i) = u*u*y(i)\n"), "{forward}");
    let begin =
        "call reserved(room)\n  do i = n, 1, -1\n    u = room(2_8*i-1)\n    y(i) = room(2_8*i)\n";
    assert!(backward.contains(begin), "{backward}");
    assert!(backward.contains("  end do\n  call release(room)"), "{backward}");
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
        let places = Options { exchange: false, ..Options::default() };
        let source =
            read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adjoint/time_levels.f90"));
        let doc = with_facts(&source, Some(&procedure), &places).expect("an adjoint");
        assert!(!printed(&doc).contains("move_alloc"), "{procedure}");
    }
}

/// Facts rely on calls being joint; where they are split, the facts are not used.
#[test]
fn facts_for_joint_calls_are_not_used_for_split_ones() {
    let mut relied = 0;
    for path in recording_sources() {
        let source = read(&path);
        if !source.contains("call ") {
            continue;
        }
        let Ok(doc) = with_facts_for(&Modes::default(), &source, None, &split()) else { continue };
        relied += usize::from(doc.stmts.values().all(|stmt| stmt.recorded.is_none()));
        for call in calls(&source) {
            check_call(&path, &source, &doc, &call, 6);
        }
    }
    assert!(relied > 5, "{relied}");
}

/// Behind preaccumulation, with facts of activity where `head` is given, with those of what is to be
/// recorded where `facts` says so.
fn preaccumulated(
    source: &str,
    head: Option<&str>,
    (store, facts): (Store, bool),
    options: &Options,
) -> Result<Document, Diagnostics> {
    let mut doc = document(source);
    if let Some(head) = head {
        let options = activity::Options { heads: vec![head.to_owned()], ..Default::default() };
        activity::activity(&mut doc, &options, &Externals::new())?;
    }
    let choice = preaccumulate::Options { always: true, store, ..Default::default() };
    preaccumulate::preaccumulate(&mut doc, &choice)?;
    verified(&doc);
    if facts {
        prepare(&mut doc)?;
        tbr::tbr(&mut doc, &Externals::new(), &Catalogue::standard(), &options.modes);
    }
    adjoint(&mut doc, options)?;
    verified(&doc);
    Ok(doc)
}

#[test]
fn executed_behind_preaccumulation_they_are_the_transpose_of_dual_numbers() {
    let ways = [(false, split()), (true, Options::default()), (true, split())];
    for (index, path) in recording_sources().iter().enumerate() {
        check_three_ways((index, path), |source, head, way| {
            let (facts, options) = &ways[way];
            let store =
                [Store::Entries, Store::Operands][(index + usize::from(head.is_some())) % 2];
            preaccumulated(source, head, (store, *facts), options)
                .inspect_err(|messages| {
                    // What is refused behind it is refused without it.
                    let without = differentiated_by(source, options);
                    assert!(without.is_err(), "{}: {}", path.display(), told(messages));
                })
                .ok()
        });
    }
}
