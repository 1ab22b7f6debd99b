//! The operations of the tape: what is popped is what was pushed last, whatever its type, and
//! everything else is a message at its place.

use fortran_frontend::source::Options;
use fortran_frontend::translate_texts;
use xaif_run::{Counts, Limits, Mode, Request, run};
use xaif_schema::model::{Document, InlinableCall, StmtKind};
use xaif_schema::verify::verify;

/// The document of a main program with this body, in which `call tape_x` means the operation `x`.
fn document(body: &str) -> Document {
    let source = format!("program p\n{body}\nend program\n");
    let translation = translate_texts(&[("p.f90", &source)], &Options::default());
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    let mut doc = translation.document;
    let calls = doc.stmts.iter().filter_map(|(id, stmt)| match &stmt.kind {
        StmtKind::Call(call) => {
            let name = doc.name(call.callee.symbol).strip_prefix("tape_")?.to_owned();
            Some((id, name, call.args.clone()))
        }
        _ => None,
    });
    for (id, name, args) in calls.collect::<Vec<_>>() {
        let call = InlinableCall { name: name.into(), args };
        doc.stmts[id].kind = StmtKind::InlinableCall(Box::new(call));
    }
    doc
}

fn limits() -> Limits {
    Limits { steps: 100_000, memory: 1 << 20, stack: 8 << 20, ..Limits::default() }
}

/// What the program prints, what it counts, and its warnings.
fn outcome(body: &str) -> (String, Counts, String) {
    let doc = document(body);
    assert_eq!(verify(&doc), Default::default());
    let request = Request { limits: limits(), mode: Mode::Tangent, ..Request::default() };
    let outcome = run(&doc, &request).expect("it runs");
    let warnings: Vec<_> = outcome.warnings.iter().map(|d| d.to_string()).collect();
    (outcome.stdout.trim().to_owned(), outcome.counts, warnings.join("\n"))
}

#[track_caller]
fn fails(body: &str, expected: &str) {
    let request = Request { limits: limits(), ..Request::default() };
    let found = run(&document(body), &request).expect_err("it fails");
    let found: Vec<_> = found.iter().map(|d| d.to_string()).collect();
    assert_eq!(found.join("\n"), expected);
}

#[test]
fn scalars_of_every_type_and_kind_come_back() {
    let kinds = [
        ("integer(1)", "i1", "-7_1", 1),
        ("integer(2)", "i2", "300_2", 2),
        ("integer(4)", "i4", "70000_4", 4),
        ("integer(8)", "i8", "5000000000_8", 8),
        ("real(4)", "r4", "0.25", 4),
        ("real(8)", "r8", "0.5d0", 8),
        ("complex(4)", "c4", "(1.0, 2.0)", 8),
        ("complex(8)", "c8", "(3.0d0, 4.0d0)", 16),
        ("logical(1)", "l1", ".true._1", 1),
        ("logical(2)", "l2", ".true._2", 2),
        ("logical(4)", "l4", ".true.", 4),
        ("logical(8)", "l8", ".true._8", 8),
        ("character(5)", "ch", "'abcde'", 5),
    ];
    let (mut declared, mut forward, mut backward) = (String::new(), String::new(), String::new());
    for (ty, name, value, _) in kinds {
        declared += &format!("{ty} :: {name}\n");
        let other = match ty.split('(').next() {
            Some("character") => "'     '",
            Some("logical") => ".false.",
            _ => "0",
        };
        forward += &format!("{name} = {value}\ncall tape_push({name})\n{name} = {other}\n");
        let test = match ty.starts_with("logical") {
            true => format!("{name} .eqv. {value}"),
            false => format!("{name} == {value}"),
        };
        backward = format!("call tape_pop({name})\nprint *, {test}\n{backward}");
    }
    let (printed, counts, warnings) = outcome(&format!("{declared}{forward}{backward}"));
    assert_eq!(printed.split_whitespace().collect::<String>(), "T".repeat(kinds.len()));
    assert_eq!((counts.pushes, counts.pops), (13, 13));
    assert_eq!(counts.peak_tape_bytes, kinds.iter().map(|kind| kind.3).sum::<u64>());
    assert_eq!(warnings, "");
}

#[test]
fn arrays_sections_and_derived_types_come_back() {
    let (printed, counts, _) = outcome(
        "type :: inner\n integer :: k\n real(8) :: v(2)\nend type\n\
         type :: t\n type(inner) :: a\n real(8), pointer :: p => null()\nend type\n\
         type(t) :: x, y(3)\nreal(8) :: a(4, 5)\nreal(8), target :: there\n\
         integer :: i, j\n\
         a = reshape([(i*1d0, i = 1, 20)], [4, 5])\nthere = 9\n\
         x%a%k = 1\nx%a%v = [2, 3]\nx%p => there\ny = x\ny(2)%a%k = 5\n\
         call tape_push_array(a)\ncall tape_push_array(a(1:4:2, 2:3))\n\
         call tape_push_array(x)\ncall tape_push_array(y(2:3))\ncall tape_push_array(a(:, 5:4))\n\
         call tape_push(a(2, 2) + 1)\n\
         a(2, 2) = 100\nx%a%v = 0\nx%p => null()\ny(2:3) = x\n\
         call tape_pop(a(2, 1))\ncall tape_pop_array(a(:, 5:4))\n\
         call tape_pop_array(y(2:3))\ncall tape_pop_array(x)\n\
         a(1, 2) = -1\ncall tape_pop_array(a(1:4:2, 2:3))\n\
         print *, int(a(2, 1)), int(a(2, 2)), int(a(1, 2)), y(2)%a%k, int(x%p), int(x%a%v)\n\
         a = 0\ncall tape_pop_array(a)\nprint *, int(a(2, 2)), int(sum(a))",
    );
    let numbers: Vec<i64> =
        printed.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    assert_eq!(numbers, [7, 100, 5, 5, 9, 2, 3, 6, 210]);
    assert_eq!((counts.pushes, counts.pops), (20 + 4 + 1 + 2 + 1, 28));
    assert_eq!(counts.peak_tape_bytes % 8, 0);
}

#[test]
fn what_was_never_defined_may_be_recorded_and_is_not_defined_when_it_comes_back() {
    let (printed, _, warnings) = outcome(
        "real :: x, a(2)\ncall tape_push(x)\ncall tape_push_array(a)\na = 1\nx = 1\n\
         call tape_pop_array(a)\ncall tape_pop(x)\nprint *, 'done'",
    );
    assert_eq!((printed.as_str(), warnings.as_str()), ("done", ""));
    fails(
        "real :: x\ncall tape_push(x)\nx = 1\ncall tape_pop(x)\nprint *, x + 1",
        "p.f90:6:10: error[OX3004]: `x` is used before it has got a value",
    );
}

#[test]
fn a_pop_that_does_not_fit_is_an_error_that_tells_both_places() {
    fails(
        "real :: x\ninteger :: i\ni = 1\ncall tape_push(i)\ncall tape_pop(x)",
        "p.f90:6:1: error[OX3008]: what is popped (real(4)) is not what was pushed last \
         (integer(4) at p.f90:5:1)",
    );
    fails(
        "real(8) :: x(4)\nx = 1\ncall tape_push_array(x)\ncall tape_pop_array(x(1:3))",
        "p.f90:5:1: error[OX3008]: what is popped (3 values of real(8)) is not what was pushed \
         last (4 values of real(8) at p.f90:4:1)",
    );
    fails(
        "character(3) :: s\ncharacter(4) :: t\ns = 'abc'\ncall tape_push(s)\ncall tape_pop(t)",
        "p.f90:6:1: error[OX3008]: what is popped (character(4)) is not what was pushed last \
         (character(3) at p.f90:5:1)",
    );
    fails(
        "real :: x\ncall tape_pop(x)",
        "p.f90:3:1: error[OX3008]: a value is popped from an empty tape",
    );
}

#[test]
fn values_that_are_left_on_the_tape_are_a_warning() {
    let (_, _, warnings) = outcome("real :: x(3)\nx = 1\ncall tape_push_array(x)");
    assert!(warnings.contains("3 values are left on the tape"), "{warnings}");
}

#[test]
fn a_type_with_allocatable_components_is_refused() {
    fails(
        "type :: t\n real, allocatable :: a(:)\nend type\ntype :: u\n type(t) :: inside\nend type\n\
         type(u) :: x\ncall tape_push_array(x)",
        "p.f90:9:1: error[OX3002]: cannot execute a derived type with allocatable components on \
         the tape",
    );
}

#[test]
fn blocks_are_found_again_beside_pushes_and_other_blocks() {
    let (printed, counts, warnings) = outcome(
        "implicit none\nreal(8), pointer, contiguous :: p(:)\n\
         integer, pointer, contiguous :: q(:)\ninteger :: i, j\n\
         call tape_block_alloc(p, 3)\ncall tape_block_alloc(q, 4_8 - 1)\n\
         do i = 1, 3\np(i) = i\nq(i) = i*i\ncall tape_push(i)\nend do\n\
         call tape_block_push(q)\ncall tape_block_push(p)\nnullify(p, q)\n\
         call tape_block_pop(p)\ncall tape_block_pop(q)\nprint *, size(p), size(q)\n\
         do i = 3, 1, -1\ncall tape_pop(j)\nprint *, j, int(p(i)), q(i)\nend do\n\
         call tape_block_free(q)\ncall tape_block_free(p)\nprint *, associated(p)",
    );
    let words: Vec<&str> = printed.split_whitespace().collect();
    assert_eq!(words, ["3", "3", "3", "3", "9", "2", "2", "4", "1", "1", "1", "F"]);
    assert_eq!((counts.pushes, counts.pops, warnings.as_str()), (9, 9, ""));
    assert_eq!(counts.peak_tape_bytes, (24 + 16) + (12 + 16) + 12 + 16 + 16);
}

#[test]
fn a_block_that_is_not_where_it_should_be_is_an_error() {
    let start = "implicit none\nreal, pointer, contiguous :: p(:)\n\
                 integer, pointer, contiguous :: q(:)\ncall tape_block_alloc(p, 3)\n";
    fails(
        &format!("{start}call tape_block_alloc(q, 3)\ncall tape_block_free(p)"),
        "p.f90:7:1: error[OX3008]: the block that is freed is not the one that was allocated last",
    );
    fails(
        &format!("{start}call tape_block_push(p)\ncall tape_block_pop(q)"),
        "p.f90:7:1: error[OX3008]: no block of this type is what was pushed last",
    );
    fails(
        &format!("{start}p = 1\ncall tape_pop_array(p)"),
        "p.f90:7:1: error[OX3008]: what is popped (3 values of real(4)) is not what was pushed \
         last (block at p.f90:5:1)",
    );
}
