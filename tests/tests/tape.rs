//! The tape that generated code links with: compiled with warnings as errors, and executed.

use std::path::Path;
use std::process::Command;

use fortran_backend::{Layout, unparse};
use fortran_frontend::source::Options;
use fortran_frontend::translate_texts;
use oxad_tests::programs::{Finished, finish, workspace};
use xaif_schema::model::{Document, InlinableCall, StmtKind};
use xaif_schema::{verify, xml};

/// Compiles the runtime and `tests/cases/tape/NAME.f90` in `folder`, and runs the program.
fn run(name: &str, optimise: &str, folder: &Path) -> Finished {
    let case = workspace().join(format!("tests/cases/tape/{name}.f90"));
    run_file(&case, optimise, folder)
}

fn run_file(case: &Path, optimise: &str, folder: &Path) -> Finished {
    let runtime = workspace().join("backends/runtime");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-c"]);
    gcc.args(optimise.split(' ').filter(|flag| !flag.starts_with("-fcheck")));
    compiled(gcc.arg(runtime.join("oxad_tape_chunks.c")).current_dir(folder));
    let mut gfortran = Command::new("gfortran");
    gfortran.args(["-std=f2018", "-Wall", "-Wextra", "-Werror", "-Wno-compare-reals"]);
    gfortran.args(optimise.split(' ')).args(["-o", "program"]);
    gfortran.arg(runtime.join("oxad_tape.f90")).arg(case).arg("oxad_tape_chunks.o");
    compiled(gfortran.current_dir(folder));
    finish(Command::new(folder.join("program")), b"").expect("the program can be started")
}

fn compiled(command: &mut Command) {
    let output = command.output().expect("the compiler can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_was_recorded_last_is_taken_back_first_and_memory_is_kept() {
    for optimise in ["-O0", "-O2", "-O2 -flto"] {
        let folder = tempfile::tempdir().expect("a folder");
        let finished = run("lifo", optimise, folder.path());
        assert_eq!(finished.status, Some(0), "{}", finished.err());
        let peaks: Vec<u64> =
            finished.out().split_whitespace().filter_map(|word| word.parse().ok()).collect();
        assert_eq!(peaks.len(), 3);
        assert_eq!(peaks[0], peaks[1]);
        // Values, sections, a whole array, the room; not more than a chunk's padding beside.
        let values = 8 * 100_000 + 100 * 34 * 49 * 8 + 8 * 10_000 + 8 * 100_000;
        assert!((values..values + 4096).contains(&peaks[0]), "{peaks:?}");
    }
}

#[test]
fn arrays_and_sections_in_one_piece_are_recorded_by_their_address() {
    for optimise in ["-O0 -fcheck=all", "-O2", "-O3 -flto"] {
        let folder = tempfile::tempdir().expect("a folder");
        let finished = run("whole_arrays", optimise, folder.path());
        assert_eq!(finished.status, Some(0), "{}", finished.err());
        assert_eq!(finished.err(), "");
        assert_eq!(finished.out().trim(), "done");
    }
}

/// The printer chooses `push_array` where an array or section is contiguous for sure, and `push_section` elsewhere.
#[test]
fn only_what_is_contiguous_for_sure_is_recorded_by_its_address() {
    let doc = document(
        "subroutine s(n, a, b, c, p, t, m, f)\n implicit none\n integer, intent(in) :: n\n\
         type :: pair\n sequence\n real(8) :: one(2), two(2, 3)\n end type pair\n\
         real(8), intent(in) :: a(n), b(:), m(3, *), f(*)\n\
         real(8), contiguous, intent(in) :: c(:)\n\
         real(8), pointer, intent(in) :: p(:)\n type(pair), intent(in) :: t(2)\n\
         real(8), allocatable :: w(:, :)\n character(3) :: words(2)\n integer :: at(2)\n\
         allocate(w(2, 2), source=1d0)\n words = 'abc'\n at = 1\n\
         call tape_push_array(a)\n call tape_push_array(b)\n\
         call tape_push_array(c)\n call tape_push_array(p)\n call tape_push_array(t)\n\
         call tape_push_array(w)\n call tape_push_array(words)\n\
         call tape_push_array(a(2:n - 1))\n call tape_push_array(a(1:2:2))\n\
         call tape_push_array(a(at))\n call tape_push_array(b(1:2))\n\
         call tape_push_array(p(1:2))\n call tape_push_array(c(1:2))\n\
         call tape_push_array(t(1)%one)\n call tape_push_array(t(2)%two(:, n))\n\
         call tape_push_array(t(1)%two(n, :))\n call tape_push_array(t%one(1))\n\
         call tape_push_array(t(1:2))\n\
         call tape_push_array(w(:, n))\n call tape_push_array(w(n, :))\n\
         call tape_push_array(w(:, 1:n))\n call tape_push_array(w(1:n, :))\n\
         call tape_push_array(w(1:n, 1))\n call tape_push_array(w(:, :))\n\
         call tape_push_array(w(:, at))\n call tape_push_array(m(:, n))\n\
         call tape_push_array(m(:, 1:n))\n call tape_push_array(m(1, 1:n))\n\
         call tape_push_array(f(1:n))\nend subroutine s\n",
    );
    let text = text_of(&doc);
    let pieces = [
        "a",
        "c",
        "w",
        "a(2:n - 1)",
        "c(1:2)",
        "t(1)%one",
        "t(2)%two(:, n)",
        "w(:, n)",
        "w(:, 1:n)",
        "w(1:n, 1)",
        "w(:, :)",
        "m(:, n)",
        "m(:, 1:n)",
        "f(1:n)",
    ];
    let others = [
        "b",
        "p",
        "t",
        "words",
        "a(1:2:2)",
        "a(at)",
        "b(1:2)",
        "p(1:2)",
        "t(1)%two(n, :)",
        "t%one(1)",
        "t(1:2)",
        "w(n, :)",
        "w(1:n, :)",
        "w(:, at)",
        "m(1, 1:n)",
    ];
    for (procedure, names) in [("push_array", &pieces[..]), ("push_section", &others[..])] {
        for name in names {
            let call = format!("call {procedure}({})\n", name.replace(" - ", "-"));
            assert!(text.contains(&call), "{call}: {text}");
        }
    }
}

/// Compiles the runtime with `sequences.c`, and runs `count` sequences in each of two threads.
fn sequences(flags: &[&str], count: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-g"]).args(flags);
    gcc.arg(workspace().join("backends/runtime/oxad_tape_chunks.c"));
    gcc.arg(workspace().join("tests/cases/tape/sequences.c"));
    gcc.args(["-o", "sequences", "-lgfortran", "-lpthread"]);
    compiled(gcc.current_dir(folder.path()));
    let mut program = Command::new(folder.path().join("sequences"));
    program.args(["1", &(2 * count).to_string(), "2"]);
    let finished = finish(program, b"").expect("the program can be started");
    assert_eq!(finished.status, Some(0), "{}", finished.err());
    assert_eq!(finished.out().trim(), "done");
}

#[test]
fn every_sequence_of_operations_gives_back_what_was_recorded() {
    sequences(&["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], 1500);
}

#[test]
fn checkpoints_need_the_fewest_executions_and_restore_the_right_states() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-g"]);
    gcc.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    gcc.arg(workspace().join("backends/runtime/oxad_tape_chunks.c"));
    gcc.arg(workspace().join("tests/cases/tape/checkpoints.c"));
    compiled(gcc.args(["-o", "checkpoints", "-lgfortran"]).current_dir(folder.path()));
    let mut program = Command::new(folder.path().join("checkpoints"));
    program.current_dir(folder.path());
    let finished = finish(program, b"").expect("the program can be started");
    assert_eq!(finished.status, Some(0), "{}", finished.err());
    assert_eq!(finished.out().trim(), "ok");
}

#[test]
fn records_of_a_hundred_megabytes_come_back_among_small_ones() {
    sequences(&["-DLARGEST=100000000"], 5);
}

#[test]
fn the_end_of_memory_is_told_with_a_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "void oxad_push_bytes(const void *, unsigned long);\nstatic char megabyte[1 << 20];\n\
                  int main(void)\n{\n    for (;;)\n        oxad_push_bytes(megabyte, sizeof megabyte);\n}\n";
    std::fs::write(folder.path().join("endless.c"), source).expect("the program is written");
    let mut gcc = Command::new("gcc");
    gcc.arg(workspace().join("backends/runtime/oxad_tape_chunks.c"));
    compiled(gcc.args(["endless.c", "-o", "endless", "-lgfortran"]).current_dir(folder.path()));
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -v 300000; ./endless"]).current_dir(folder.path());
    let finished = finish(limited, b"").expect("the program can be started");
    assert_eq!(finished.status, Some(2), "{}", finished.err());
    assert!(finished.err().contains("no memory for 1048576 bytes more"), "{}", finished.err());
    assert!(finished.err().contains("--joint-all"), "{}", finished.err());
}

#[test]
fn what_is_recorded_beyond_the_caches_comes_back() {
    for optimise in ["-O0", "-O3"] {
        let folder = tempfile::tempdir().expect("a folder");
        let finished = run("deep", optimise, folder.path());
        assert_eq!(finished.status, Some(0), "{}", finished.err());
        assert_eq!(finished.out().trim(), "done");
    }
}

#[test]
fn arrays_that_assignments_have_allocated_come_back() {
    for optimise in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().expect("a folder");
        let finished = run("assigned", optimise, folder.path());
        assert_eq!(finished.status, Some(0), "{}", finished.err());
        assert_eq!(finished.out().trim(), "done");
    }
}

#[test]
fn taking_back_more_than_was_recorded_ends_the_program_with_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let finished = run("underflow", "-O0", folder.path());
    assert_eq!(finished.status, Some(2));
    assert!(finished.err().contains("more is taken back than was recorded"), "{}", finished.err());
}

#[test]
fn a_value_of_every_kind_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let finished = run("kinds", "-O2", folder.path());
    assert_eq!(finished.status, Some(0), "{}", finished.err());
    let out = finished.out();
    let words: Vec<&str> = out.split_whitespace().collect();
    let expected = "111 -bc-- -1 300 70000 5000000000 0.250000000 0.12500000000000000 \
                    (1.00000000,-2.00000000) (3.0000000000000000,-4.0000000000000000) T T T T \
                    abcde onetwo 7 1.0000000000000000 2.0000000000000000 3.0000000000000000 0";
    assert_eq!(words, expected.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn blocks_are_found_again_whatever_lies_between() {
    for optimise in ["-O0 -fcheck=all", "-O3", "-O3 -flto"] {
        let folder = tempfile::tempdir().expect("a folder");
        let finished = run("blocks", optimise, folder.path());
        assert_eq!(finished.status, Some(0), "{}", finished.err());
        assert_eq!(finished.out().trim(), "done");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let finished = run("misplaced", "-O0", folder.path());
    assert_eq!(finished.status, Some(2));
    assert!(finished.err().contains("not the one that was allocated last"), "{}", finished.err());
}

#[test]
fn a_loop_that_records_into_a_block_prints_and_runs() {
    let doc = document(
        "program p\n implicit none\n real(8) :: x(9)\n real(8), pointer, contiguous :: room(:)\n\
         integer :: i, n\n n = 9\n x = 3\n\
         call tape_block_alloc(room, n)\n do i = 1, n\n room(i) = x(i)\n x(i) = x(i)*i\n end do\n\
         call tape_block_push(room)\n print *, int(x)\n\
         call tape_block_pop(room)\n do i = n, 1, -1\n x(i) = room(i)\n end do\n\
         call tape_block_free(room)\n print *, int(x)\nend program\n",
    );
    let text = text_of(&doc);
    assert_eq!(
        uses(&text),
        ["use oxad_tape, only: block_alloc, block_push, block_pop, block_free"]
    );
    agree(&doc, &text);
}

#[test]
fn sections_without_elements_are_recorded_as_nothing() {
    for optimise in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().expect("a folder");
        let finished = run("nothing", optimise, folder.path());
        assert_eq!(finished.status, Some(0), "{}", finished.err());
        assert_eq!(finished.out().trim(), "done");
    }
}

/// The document of `source`, in which `call tape_x` means the operation `x` of the tape.
fn document(source: &str) -> Document {
    let translation = translate_texts(&[("p.f90", source)], &Options::default());
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    let mut doc = translation.document;
    let calls: Vec<_> = doc
        .stmts
        .iter()
        .filter_map(|(id, stmt)| match &stmt.kind {
            StmtKind::Call(call) => {
                let name = doc.name(call.callee.symbol).strip_prefix("tape_")?.to_owned();
                Some((id, name, call.args.clone()))
            }
            _ => None,
        })
        .collect();
    for (id, name, args) in calls {
        let call = InlinableCall { name: name.into(), args };
        doc.stmts[id].kind = StmtKind::InlinableCall(Box::new(call));
    }
    assert_eq!(verify::verify(&doc), Default::default());
    doc
}

fn text_of(doc: &Document) -> String {
    let texts = unparse(doc, Layout::OneText).expect("it can be printed");
    texts.into_iter().map(|(_, text)| text).collect()
}

/// The lines that use the tape, without indentation.
fn uses(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| line.starts_with("use oxad_tape")).collect()
}

/// Prints, compiles and executes the document, and executes it by xaif-run: both print the same.
fn agree(doc: &Document, text: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.f90");
    std::fs::write(&file, text).expect("the file is written");
    let compiled = run_file(&file, "-O1", folder.path());
    assert_eq!(compiled.status, Some(0), "{}", compiled.err());
    let outcome = xaif_run::run(doc, &xaif_run::Request::default()).expect("it runs");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&compiled.out()), words(&outcome.stdout));
}

#[test]
fn each_procedure_uses_the_operations_that_it_calls() {
    let doc = document(
        "module m\n  use, intrinsic :: iso_c_binding, only: c_double\n  implicit none\ncontains\n\
         subroutine forward(x)\n  ! It records.\n  real(c_double), intent(inout) :: x(3)\n\
         integer :: i\n\
         do i = 1, 3\n call tape_push(x(i))\n x(i) = 2*x(i)\n end do\n\
         call tape_push_array(x(1:3:2))\n x = 0\nend subroutine\nend module m\n\
         subroutine backward(x)\n  implicit none\n  real(8), intent(inout) :: x(3)\n\
         integer :: i\n call tape_pop_array(x(1:3:2))\n print *, int(x)\n\
         do i = 3, 1, -1\n call tape_pop(x(i))\n end do\n\
         call inner\ncontains\n subroutine inner\n call tape_push(i)\n i = 5\n\
         call tape_pop(i)\n print *, i\n end subroutine\nend subroutine backward\n\
         program p\n use m\n implicit none\n real(8) :: x(3) = [1d0, 2d0, 3d0]\n\
         call forward(x)\n call backward(x)\n print *, int(x)\nend program\n",
    );
    let text = text_of(&doc);
    assert_eq!(
        uses(&text),
        [
            "use oxad_tape, only: push, push_section",
            "use oxad_tape, only: pop, pop_section",
            "use oxad_tape, only: push, pop",
        ]
    );
    assert!(text.contains("    do i = 1, 3\n      call push(x(i))\n"), "{text}");
    agree(&doc, &text);
    let mut bytes = Vec::new();
    xml::write(&doc, &mut bytes).expect("it can be written");
    let again = xml::read(&bytes, "again.xaif").expect("it can be read");
    assert_eq!(text_of(&again), text);
}

#[test]
fn names_of_the_user_are_not_taken_by_the_tape() {
    let doc = document(
        "module stacks\n implicit none\n integer :: pop = 4\n\
         type :: stack\n integer :: push_section = 3\n end type stack\nend module stacks\n\
         subroutine push(x)\n implicit none\n real, intent(inout) :: x\n x = x + 1\n\
         end subroutine push\n\
         program p\n use stacks\n implicit none\n real :: x = 1\n type(stack) :: s\n\
         external :: push\n\
         call tape_push(x)\n call push(x)\n print *, int(x), pop, s%push_section\n\
         call tape_push_array(s)\n s%push_section = 0\n call tape_pop_array(s)\n\
         call tape_pop(x)\n print *, int(x), s%push_section\nend program p\n",
    );
    let text = text_of(&doc);
    assert_eq!(
        uses(&text),
        ["use oxad_tape, only: push_2 => push, pop_2 => pop, push_section, pop_section"]
    );
    agree(&doc, &text);
}

#[test]
fn a_call_of_the_users_own_push_stays_a_call() {
    let source = "subroutine s(x)\n implicit none\n real :: x\n external :: push\n\
                  call push(x)\nend subroutine s\n";
    let doc = translate_texts(&[("p.f90", source)], &Options::default()).document;
    assert!(!doc.stmts.values().any(|stmt| matches!(stmt.kind, StmtKind::InlinableCall(_))));
    assert!(text_of(&doc).contains("call push(x)"));
    assert_eq!(uses(&text_of(&doc)), Vec::<&str>::new());
}
