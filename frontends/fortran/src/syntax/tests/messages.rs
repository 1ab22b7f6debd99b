//! What is wrong is said, with a code and a place, and nothing panics.

use super::*;
use proptest::prelude::*;

#[test]
fn several_errors_are_reported_in_one_run() {
    let parsed = free("program p\nx = (1 +\ny = 2\ncall 3\nz = 4\nend\n");
    let found = messages(&parsed);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("t.f90:2:8: error[OX1000]: expected"), "{found:?}");
    assert!(found[1].starts_with("t.f90:4:6: error[OX1000]: expected a name"), "{found:?}");
}

/// Checks that `text` gives exactly the message `code` at `place`.
fn refuses(name: &str, text: &str, place: &str, code: &str) {
    let parsed = parse_text(name, text, &Options::default());
    let found = messages(&parsed);
    let start = format!("{name}:{place}: error[{code}]");
    assert!(found.len() == 1 && found[0].starts_with(&start), "{start}: {found:?}");
}

#[test]
fn faults_of_the_text_have_codes() {
    refuses("t.f90", "x = 'abc\nend\n", "1:5", "OX1007");
    refuses("t.f90", "#define X\nend\n", "1:1", "OX1002");
    refuses("t.f90", "include 'no such file'\nend\n", "1:1", "OX1004");
    refuses("t.f", "     1 X = 1\n      END\n", "1:6", "OX1008");
    refuses("t.f", "program p\nc comment\nend\n", "2:1", "OX1001");
}

#[test]
fn the_files_of_a_program_statement_are_refused_not_dropped() {
    refuses("t.f90", "program p(input, output)\nend\n", "1:10", "OX1000");
}

#[test]
fn blocks_that_do_not_match_are_reported() {
    refuses("t.f90", "program p\nif (x) then\ny = 1\nend program\n", "4:1", "OX1010");
    refuses("t.f90", "program p\nend if\nend program\n", "2:1", "OX1010");
    refuses("t.f90", "program p\nx = 1\n", "2:1", "OX1010");
    refuses("t.f90", "subroutine a\nend subroutine b\n", "2:16", "OX1010");
}

#[test]
fn unsupported_constructs_are_named() {
    refuses("t.f90", "x[2] = 1\nend\n", "1:2", "OX1012");
    refuses("t.f90", "subroutine s\npointer (p, x)\nend\n", "2:9", "OX1012");
}

#[test]
fn a_length_behind_a_function_name_is_refused() {
    refuses("t.f", "      REAL FUNCTION F*8(X)\n      F = X\n      END\n", "1:22", "OX1012");
}

#[test]
fn chained_if_statements_do_not_overflow_the_stack() {
    let text = format!("{}x = 1\nend\n", "if (a) ".repeat(100_000));
    assert!(messages(&free(&text))[0].contains("OX1006"));
}

#[test]
fn nested_lists_take_no_exponential_time() {
    let lists = format!("x = {}1{}\nend\n", "[f(".repeat(60), ")]".repeat(60));
    assert!(free(&lists).diagnostics.is_empty());
    let typed = format!("x = {}1{}\nend\n", "[real(".repeat(60), ")(1) :: ]".repeat(60));
    assert!(free(&typed).diagnostics.has_errors());
    let loops = format!("print *, {}1{}\nend\n", "(".repeat(60), ", i=1,2)".repeat(60));
    assert!(free(&loops).diagnostics.is_empty());
}

#[test]
fn deep_blocks_are_refused() {
    let text = format!("{}{}end\n", "if (x) then\n".repeat(5000), "end if\n".repeat(5000));
    assert!(messages(&free(&text))[0].contains("OX1006"));
}

#[test]
fn a_file_that_includes_itself_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.f90");
    std::fs::write(&path, "include 'a.f90'\n").unwrap();
    let parsed = super::super::parse_file(&path, &Options::default());
    assert!(messages(&parsed)[0].contains("OX1005"));
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,200}", form in 0..2) {
        let name = if form == 0 { "t.f" } else { "t.f90" };
        let _ = parse_text(name, &text, &Options::default());
    }

    #[test]
    fn no_sequence_of_fragments_makes_the_parser_panic(
        fragments in proptest::collection::vec(proptest::sample::select(FRAGMENTS), 0..40),
        form in 0..2,
    ) {
        let name = if form == 0 { "t.f" } else { "t.f90" };
        let _ = parse_text(name, &fragments.concat(), &Options::default());
    }
}

/// What random programs are made of.
const FRAGMENTS: &[&str] = &[
    "\n",
    "\n",
    "\n      ",
    "\n      ",
    "\n     &",
    "&\n",
    "x",
    "=",
    "(",
    ")",
    "1",
    "1.e5",
    ".and.",
    "+",
    "*",
    "/",
    "'",
    "\"",
    "!",
    ";",
    ":",
    "::",
    ",",
    "%",
    "[",
    "]",
    "5h",
    "é",
    "\t",
    "if (x) then",
    "else",
    "end if",
    "do 10 i = 1, 2",
    "10 continue",
    "end do",
    "end",
    "select case (x)",
    "case (1)",
    "end select",
    "type t",
    "end type",
    "interface",
    "end interface",
    "contains",
    "function f(x)",
    "subroutine s",
    "module m",
    "data ",
    "real ",
    "format(",
    "write(*,*)",
    "implicit ",
    "enum, bind(c)",
    "block",
    "where (x)",
    "character*8 ",
    "# 1 \"a\"",
    "include 'x'",
    "common /",
    "$omp",
];

#[test]
fn a_file_with_an_error_in_each_line_is_given_up() {
    let text: String = (0..20_000).map(|i| format!("x{i} = * {i}\n")).collect();
    let parsed = free(&text);
    let messages = messages(&parsed);
    assert_eq!(messages.len(), 501);
    assert!(
        messages[500].starts_with("t.f90:500:8: error[OX0005]: more than 500 errors"),
        "{}",
        messages[500]
    );
}
