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
//! A program `NAME.main` beside a source is compiled with its adjoint and prints what is wrong with it.
//!
//! `OXAD_BLESS=1` writes the texts anew. A text that begins with `refused` holds the messages.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use booster_tests::adjoint::{
    auto_split, check_call, check_call_after, differentiated, differentiated_by, split, with_facts,
    with_facts_for,
};
use booster_tests::passes::{Seen, left_out};
use booster_tests::refused;
use booster_tests::trials::each;
use booster_tests::{
    Call, Compiler, add_activity, as_blessed_for_mode, calls, document, pairs, printed, read,
    reread, runtime, sources, sources_of_mode, told, told_at_top, verified,
};
use libtest_mimic::Trial;
use xaif_booster::analysis::{liveness, tbr};
use xaif_booster::externals::Externals;
use xaif_booster::passes::Selection;
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::adjoint::prepare::prepare;
use xaif_booster::transform::adjoint::{
    Modes, Options, adjoint, list, observed, plan_recomputation,
};
use xaif_booster::transform::preaccumulate::{self, Store};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

pub(crate) fn trials() -> Vec<Trial> {
    let own = || sources_of_mode("adjoint");
    let recording = || [sources("tbr"), sources("liveness"), own()].concat();
    let with_program = own().into_iter().filter(|path| path.with_extension("main").exists());
    [
        each("adjoint::gfortran", own(), compiled),
        each("adjoint::executed", recording(), executed),
        each("adjoint::passes", own(), passes),
        each("adjoint::program", with_program, program),
        each("adjoint::relies_on_modes", recording(), relies_on_modes),
        each("adjoint::blessed", own(), blessed),
        each("adjoint::refused_with_facts", refused::refused(own(), "adjoint"), refused_with_facts),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn blessed(path: &Path) {
    let text = match differentiated(&read(path)) {
        Ok((doc, warnings)) => told(&warnings) + &printed(&doc),
        Err(messages) => format!("refused\n{}", told(&messages)),
    };
    as_blessed_for_mode(path, "adjoint", &text);
}

/// The pipeline with facts of activity and of what is to be recorded refuses, too.
fn refused_with_facts(path: &Path) {
    let Err(plain) = differentiated(&read(path)) else { panic!("it is not refused without facts") };
    refused::refused_with_facts(path, &plain, |source, head| {
        let ways = [Options::default(), split()];
        ways.iter().filter_map(|by| with_facts(source, Some(head), by).err()).collect()
    });
}

/// gfortran takes the adjoint without a warning, and that with all calls split.
fn compiled(path: &Path) {
    // The paths on which gfortran sees an unset variable are never taken.
    let strict = ["-Wall", "-Wextra", "-Werror", "-Wno-maybe-uninitialized"];
    // gfortran warns of an uninitialised variable where an assignment allocates it. A warning for the source is
    // allowed for the adjoint.
    let unset = ["-Wno-uninitialized"];
    let source = read(path);
    let derived = [Options::default(), split()].map(|by| differentiated_by(&source, &by).ok());
    let mut texts: Vec<String> = derived.iter().flatten().map(|(doc, _)| printed(doc)).collect();
    // Without calls these are the same.
    texts.dedup();
    let Some((first, others)) = texts.split_first() else { return };
    if source.contains("\n! not compiled") {
        return;
    }
    let is_unset = source.contains("\n! gfortran warns: unset");
    let mut flags = [&strict[..], if is_unset { &unset[..] } else { &[] }].concat();
    let gfortran = Compiler::default();
    gfortran.compile(&source, &["-w", "-fsyntax-only"]);
    if !gfortran.takes(first, &flags) {
        if !gfortran.takes(&source, &["-Wall", "-Werror=uninitialized"]) {
            gfortran.compile(&source, &["-w"]);
            flags.extend(unset);
        }
        gfortran.compile(first, &flags);
    }
    // The first text has had the warnings that follow the flow of values.
    flags.push("-fsyntax-only");
    others.iter().for_each(|text| gfortran.compile(text, &flags));
}

/// The program `NAME.main` beside a source prints what is wrong with the adjoint that it is compiled with.
fn program(path: &Path) {
    let (doc, _) = differentiated(&read(path)).expect("an adjoint");
    for optimise in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().expect("a folder");
        let run = |program: &str, args: &[&str]| {
            let mut command = Command::new(program);
            let output = command.args(args).current_dir(&folder).output().expect("a program");
            let told = [output.stdout, output.stderr].concat();
            let told = String::from_utf8_lossy(&told).into_owned();
            assert!(output.status.success() && told.is_empty(), "{told}");
        };
        for file in ["oxad_tape_chunks.c", "oxad_tape.f90"] {
            std::fs::copy(runtime().join(file), folder.path().join(file)).expect("the tape");
        }
        std::fs::copy(path, folder.path().join("user.f90")).expect("a copy");
        std::fs::write(folder.path().join("user_b.f90"), printed(&doc)).expect("a file");
        std::fs::copy(path.with_extension("main"), folder.path().join("main.f90")).expect("a copy");
        run("gcc", &[optimise, "-c", "oxad_tape_chunks.c"]);
        let files = ["oxad_tape.f90", "user.f90", "user_b.f90", "main.f90", "oxad_tape_chunks.o"];
        let options = [optimise, "-w", "-fcheck=all", "-o", "main"];
        run("gfortran", &[&options[..], &files[..]].concat());
        run("./main", &[]);
    }
}

/// One combination of options. Each field selects one of three choices.
struct Way {
    /// No activity facts; activity facts; activity facts and a second call, which finds the state that the first
    /// call has left.
    activity: usize,
    /// No TBR facts; facts of liveness, recomputations and TBR facts of the prepared document; TBR facts from before preparation.
    recording: usize,
    /// Calls are joint, split, or split where that costs no more tape.
    modes: usize,
    /// No local Jacobians; recorded entries; recorded operands.
    jacobians: usize,
    /// The optimisation that is left out.
    without: Option<&'static str>,
}

impl Way {
    const CHOICES: [usize; 4] = [3; 4];

    fn options(&self) -> Options {
        let selection = Selection::without(self.without);
        Options { selection, ..[Options::default(), split(), auto_split()][self.modes].clone() }
    }

    /// The adjoint, and the program as it is before the last stage.
    fn adjoint(&self, original: &Document, call: &Call) -> Result<[Document; 2], Diagnostics> {
        let (mut doc, options) = (original.clone(), self.options());
        if self.activity > 0 {
            add_activity(&mut doc, &call.procedure)?;
        }
        if self.jacobians > 0 {
            let store = [Store::Entries, Store::Operands][self.jacobians - 1];
            let choice = preaccumulate::Options { always: true, store, ..Default::default() };
            preaccumulate::preaccumulate(&mut doc, &choice)?;
            verified(&doc);
        }
        let rules = (Externals::new(), Catalogue::standard());
        // Half of the ways are those of a pipe.
        let piped = |doc: &mut Document| {
            if self.activity != 1 {
                *doc = reread(doc);
            }
        };
        piped(&mut doc);
        if self.recording == 1 {
            prepare(&mut doc)?;
            piped(&mut doc);
            liveness::liveness(&mut doc, &rules.0, &rules.1, &options.modes);
            piped(&mut doc);
            let planned = plan_recomputation(&mut doc, &rules.0, &rules.1, &options.modes);
            PLANNED.fetch_add(planned, Ordering::Relaxed);
        }
        if self.recording == 0 && self.jacobians > 0 {
            prepare(&mut doc)?;
            liveness::liveness(&mut doc, &rules.0, &rules.1, &options.modes);
            piped(&mut doc);
        }
        let program = doc.clone();
        if self.recording > 0 {
            tbr::tbr(&mut doc, &rules.0, &rules.1, &options.modes);
            piped(&mut doc);
        }
        adjoint(&mut doc, &options)?;
        verified(&doc);
        Ok([doc, program])
    }

    fn told(&self) -> String {
        format!(
            "{}, {}, {}, {}, without {}",
            ["no activity", "activity", "activity, the second call"][self.activity],
            ["no facts of recording", "facts of recording", "facts from before the canonical form"]
                [self.recording],
            ["joint", "split", "split where that pays"][self.modes],
            ["no local Jacobians", "entries", "operands"][self.jacobians],
            self.without.unwrap_or("nothing"),
        )
    }
}

/// Executes the adjoint of each combination: the adjoint is the transpose of the derivative by dual numbers.
fn executed(path: &Path) {
    let source = read(path);
    let original = document(&source);
    let is_refused = |options| adjoint(&mut original.clone(), &options).is_err();
    let refused = [Options::default(), split(), auto_split()].map(is_refused);
    assert!(refused[0] || !refused[1], "with all calls split it is refused");
    let is_called_once = !told_at_top(&source, "once:").is_empty();
    let left_out = left_out(path, &list());
    for ((row, seed), without) in pairs::rows(&Way::CHOICES).iter().zip(1..).zip(left_out) {
        let way =
            Way { activity: row[0], recording: row[1], modes: row[2], jacobians: row[3], without };
        let before = u32::from(way.activity == 2 && !is_called_once);
        let mut shared = None;
        for call in calls(&source) {
            let own;
            let made = if way.activity == 0 {
                shared.get_or_insert_with(|| way.adjoint(&original, &call))
            } else {
                own = way.adjoint(&original, &call);
                &own
            };
            match made {
                Ok([doc, program]) => {
                    SEEN.fetch_add(1, Ordering::Relaxed);
                    let what = format!("{} ({})", path.display(), way.told());
                    // Recomputations change nothing in the program.
                    let program = if way.recording == 1 { program } else { &original };
                    check_call_after(&what, program, doc, &call, (seed, before));
                }
                // Facts cause no refusal: the plain document is refused, too.
                Err(messages) => {
                    assert!(refused[way.modes], "{}: {}", way.told(), told(messages));
                }
            }
        }
    }
}

/// Each pass leaves a valid document, and the passes are those of the list in its order.
fn passes(path: &Path) {
    let source = read(path);
    for options in [Options::default(), split()] {
        let mut seen = Seen::default();
        let done = observed(&mut document(&source), &options, &mut seen);
        let names: Vec<&str> = list().iter().map(|row| row.about.name).collect();
        match done {
            Ok(_) => assert_eq!(seen.names, names),
            Err(messages) => {
                assert_eq!(seen.faults, "", "{}", told(&messages));
                assert!(names.starts_with(&seen.names), "{:?}", seen.names);
            }
        }
        assert_eq!(seen.faults, "");
    }
}

/// Facts rely on calls being joint; where they are split, the facts are not used.
fn relies_on_modes(path: &Path) {
    let source = read(path);
    if !source.contains("call ") {
        return;
    }
    let Ok(doc) = with_facts_for(&Modes::default(), &source, None, &split()) else { return };
    if doc.stmts.values().all(|stmt| stmt.recorded.is_none()) {
        RELIED.fetch_add(1, Ordering::Relaxed);
    }
    for call in calls(&source) {
        check_call(path, &source, &doc, &call, 6);
    }
}

/// How many adjoints were executed.
static SEEN: AtomicUsize = AtomicUsize::new(0);
/// How many recomputations were planned.
static PLANNED: AtomicUsize = AtomicUsize::new(0);
/// In how many sources facts rely on calls being joint.
static RELIED: AtomicUsize = AtomicUsize::new(0);

/// Panics if the checks of a complete run were vacuous.
pub(crate) fn assert_seen() {
    let [seen, relied, planned] =
        [&SEEN, &RELIED, &PLANNED].map(|count| count.load(Ordering::Relaxed));
    assert!(
        seen > 2000 && relied > 5 && planned > 100,
        "{seen} adjoints were executed, {relied} sources rely on modes, {planned} recomputations"
    );
}
