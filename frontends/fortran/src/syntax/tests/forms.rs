//! Source forms: blanks, continuation, labels, comments, places.

use super::*;

fn kinds(parsed: &Parsed) -> Vec<String> {
    statements(parsed).iter().map(|stmt| first_word(&format!("{:?}", stmt.kind))).collect()
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric()).collect()
}

#[test]
fn blanks_do_not_count_in_fixed_form() {
    let parsed = fixed(
        "      DO10I=1,5\n      A B C = 1\n   10 CONTI NUE\n      DO10I=1.5\n      GOTO10\n      END\n",
    );
    assert_eq!(kinds(&parsed), ["Do", "Assign", "Goto"]);
}

#[test]
fn the_call_behind_if_keeps_its_keyword() {
    let parsed = fixed("      IF(X.GT.0)CALLXERMSG('A B',1)\n      END\n");
    let StmtKind::LogicalIf { action, .. } = &statements(&parsed)[0].kind else { panic!() };
    let StmtKind::Call { procedure, .. } = &action.kind else { panic!() };
    assert_eq!(designator_text(procedure), "XERMSG");
}

#[test]
fn operators_may_have_blanks_in_fixed_form() {
    let parsed = fixed("      L = A .AND . B\n      END\n");
    let StmtKind::Assign { value, .. } = &statements(&parsed)[0].kind else { panic!() };
    assert_eq!(shown(value), "{A And B}");
}

#[test]
fn tokens_are_split_over_continuation_lines() {
    let parsed = fixed("      CALL FO\n     1O(X\nC between\n\n     2 )\n      END\n");
    let StmtKind::Call { procedure, .. } = &statements(&parsed)[0].kind else { panic!() };
    assert_eq!(designator_text(procedure), "FOO");
    assert_eq!(statements(&parsed)[0].head.comments.len(), 1);
    let parsed = free("x = lo&\n ! between\n  &ng + &\n  1\nend\n");
    let StmtKind::Assign { value, .. } = &statements(&parsed)[0].kind else { panic!() };
    assert_eq!(shown(value), "{long Add 1}");
}

#[test]
fn strings_are_continued_with_their_blanks() {
    let parsed = fixed("      X = 'A\n     1B'\n      END\n");
    let StmtKind::Assign { value, .. } = &statements(&parsed)[0].kind else { panic!() };
    assert_eq!(shown(value), format!("'A{}B'", " ".repeat(72 - 12)));
    let parsed = free("x = 'a&\n   &b ! c'\nend\n");
    let StmtKind::Assign { value, .. } = &statements(&parsed)[0].kind else { panic!() };
    assert_eq!(shown(value), "'ab ! c'");
}

#[test]
fn text_behind_column_72_is_ignored() {
    let line = format!("      X = 1{}+ 2\n      END\n", " ".repeat(72 - 11));
    let parsed = fixed(&line);
    let StmtKind::Assign { value, .. } = &statements(&parsed)[0].kind else { panic!() };
    assert_eq!(shown(value), "1");
    let wide = Options { line_length: Some(132), ..Options::default() };
    let parsed = parse_text("t.f", &line, &wide);
    let StmtKind::Assign { value, .. } = &statements(&parsed)[0].kind else { panic!() };
    assert_eq!(shown(value), "{1 Add 2}");
}

#[test]
fn a_tab_ends_the_label_field_and_a_digit_behind_it_continues() {
    let parsed = fixed("10\tX = 1 +\n\t12\n\tEND\n");
    let stmt = statements(&parsed)[0];
    assert_eq!(stmt.head.label, Some(Label(10)));
    let StmtKind::Assign { value, .. } = &stmt.kind else { panic!() };
    assert_eq!(shown(value), "{1 Add 2}");
}

#[test]
fn semicolons_part_statements_and_strings_keep_theirs() {
    assert_eq!(kinds(&free("a = 1; b = ';'; stop\nend\n")), ["Assign", "Assign", "Stop"]);
}

#[test]
fn hollerith_keeps_blanks_and_quotes() {
    let parsed = fixed("      DATA X/4HA 'B/,Y/2*3H; !/\n      REAL*8 HELLO\n      END\n");
    let [SpecKind::Data(sets), SpecKind::Declaration(_)] = specs(&parsed)[..] else { panic!() };
    assert_eq!(shown(&sets[0].values[0].value), "4HA 'B");
    assert_eq!(shown(&sets[1].values[0].value), "3H; !");
}

#[test]
fn crlf_and_a_missing_last_newline_are_taken() {
    assert_eq!(kinds(&free("a = 1\r\nb = 2\r\nend")), ["Assign", "Assign"]);
}

#[test]
fn comments_directives_and_blank_lines_stay_in_place() {
    let parsed =
        free("a = 1 ! trailing\n\n\n! own\n!$omp parallel do\n!$openad independent(x)\nend\n");
    let unit = parsed.file.units().next().unwrap();
    let found: Vec<String> = unit
        .exec
        .iter()
        .map(|item| match item {
            ExecItem::Stmt(stmt) => format!("stmt:{}", stmt.head.comments[0].text),
            ExecItem::Trivia(Trivia::Blank { lines, .. }) => format!("blank {lines}"),
            ExecItem::Trivia(Trivia::Comment(comment)) => format!("comment:{}", comment.text),
            ExecItem::Trivia(Trivia::Directive(d)) => format!("{} | {}", d.sentinel, d.text),
        })
        .collect();
    assert_eq!(
        found,
        [
            "stmt: trailing",
            "blank 2",
            "comment: own",
            "$omp | parallel do",
            "$openad | independent(x)"
        ]
    );
}

#[test]
fn fixed_form_directives_begin_with_any_comment_character() {
    let parsed =
        fixed("c$openad INDEPENDENT(x)\nC$AD II-LOOP\nCADJ STORE x\nc $Id: a$\n      END\n");
    let sentinels: Vec<_> = parsed
        .file
        .items
        .iter()
        .filter_map(|item| match item {
            UnitItem::Trivia(Trivia::Directive(d)) => Some(&*d.sentinel),
            _ => None,
        })
        .collect();
    assert_eq!(sentinels, ["$openad", "$ad", "adj"]);
}

#[test]
fn places_are_those_of_the_source_through_continuation() {
    let parsed = free("program p\n  x = a + &\n      b\nend\n");
    let stmt = statements(&parsed)[0];
    assert_eq!(stmt.head.place.to_string(), "2:3");
    let StmtKind::Assign { value, .. } = &stmt.kind else { panic!() };
    let ExprKind::Binary(_, _, right) = &value.kind else { panic!() };
    assert_eq!((value.place.to_string(), right.place.to_string()), ("2:9".into(), "3:7".into()));
}

#[test]
fn line_markers_move_places_to_other_files() {
    let parsed = free("# 1 \"a.F90\"\nprogram p\n# 7 \"b.h\" 1\nx = 1\n# 3 \"a.F90\" 2\nend\n");
    let place = statements(&parsed)[0].head.place;
    assert_eq!((&*parsed.file.spot(place).file, place.line), ("b.h", 7));
    assert_eq!(parsed.file.units().next().unwrap().end.head.place.line, 3);
}

#[test]
fn names_keep_their_spelling_and_compare_without_case() {
    let parsed = free("Foo = FOO\nend\n");
    let StmtKind::Assign { target, value } = &statements(&parsed)[0].kind else { panic!() };
    assert_eq!(target.base().unwrap().spelling(), "Foo");
    let ExprKind::Designator(value) = &value.kind else { panic!() };
    assert_eq!(target.base(), value.base());
}

#[test]
fn included_files_are_read_in_place() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("c.inc"), "      COMMON /C/ X\n").unwrap();
    let options = Options { include_dirs: vec![dir.path().into()], ..Options::default() };
    let text = "      SUBROUTINE S\n      INCLUDE 'c.inc'\n      END\n";
    let parsed = parse_text("t.f", text, &options);
    assert!(matches!(specs(&parsed)[..], [SpecKind::Common(_)]));
}

#[test]
fn cpp_expands_and_places_stay_those_of_the_source() {
    let text = "#define N 3\n#ifdef HIDDEN\nnonsense here\n#endif\nx = N\nend\n";
    let parsed = parse_text("t.F90", text, &Options::default());
    let stmt = statements(&parsed)[0];
    let StmtKind::Assign { value, .. } = &stmt.kind else { panic!() };
    assert_eq!((shown(value), stmt.head.place.line), ("3".to_owned(), 5));
}
