//! Directives of fixed form: what a compiler reads in them is the same in the free form that is
//! printed.

use std::process::Command;

use crate::common::{Build, print};
use fortran_backend::{Layout, unparse};
use xaif_schema::diag::Code;
use xaif_schema::model::*;

/// A directive in `column` of a source of this form; `text` is what stands behind the `c`.
fn directive(b: &mut Build, language: Language, column: u32, text: &str) -> StmtId {
    let file = b
        .doc
        .files
        .keys()
        .next()
        .unwrap_or_else(|| b.doc.files.push(SourceFile { path: "a.f".to_owned(), language }));
    let place = Place { file: Some(file), line: 1, column };
    let kind = CommentKind::Directive;
    let comment = Comment { text: text.into(), trailing: false, kind, place };
    b.stmt(StmtKind::Comment(comment))
}

/// `s(i, k)` with the directives, then `do j = 1, 10; k = k + 1; end do`, then the others.
fn around_a_loop(language: Language, before: &[&str], after: &[&str]) -> Document {
    let mut b = Build::new();
    b.dummy("i");
    b.dummy("k");
    let before: Vec<StmtId> =
        before.iter().map(|text| directive(&mut b, language, 1, text)).collect();
    let after: Vec<StmtId> =
        after.iter().map(|text| directive(&mut b, language, 1, text)).collect();
    let entry = b.vertex(VertexKind::Entry(None));
    let first = b.block(&before);
    let head = b.counted("j", 10, ForForm::Counted);
    let step = b.step("k");
    let inside = b.block(&[step]);
    let end = b.vertex(VertexKind::EndLoop);
    let last = b.block(&after);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, first, head]);
    b.cfg.connect_if(head, inside, 1);
    b.path(&[inside, end, head]);
    b.cfg.connect(head, last);
    b.path(&[last, exit]);
    b.finish()
}

fn body(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.filter(|line| !line.contains("::")).skip(1).collect()
}

/// What gfortran makes of a text: its assignments and pragmas.
fn meaning(name: &str, option: &str, text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), text).expect("written");
    let output = Command::new("gfortran")
        .args([option, "-fdump-tree-original=dump", "-c", name])
        .current_dir(folder.path())
        .output()
        .expect("gfortran runs");
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let dump = std::fs::read_to_string(folder.path().join("dump")).expect("a dump");
    let told = dump.lines().map(str::trim).filter(|line| line.contains(['=', '#']));
    told.map(str::to_owned).collect()
}

#[test]
fn a_directive_of_fixed_form_goes_on_as_free_form_has_it() {
    let before = ["$omp parallel do ! all", "$omp& private(j)", "$OMP+reduction(+:k)"];
    let text = print(&around_a_loop(Language::FixedFortran, &before, &["$omp end parallel do"]));
    assert_eq!(
        body(&text)[..4],
        ["!$omp parallel do & ! all", "!$omp private(j) &", "!$OMP reduction(+:k)", "do j = 1, 10"]
    );
    let source = "      subroutine s(i, k)\n      implicit none\n      integer i, k, j\n\
                  c$omp parallel do ! all\nc$omp& private(j)\nC$OMP+reduction(+:k)\n\
                  \x20     do j = 1, 10\n      k = k + 1\n      end do\nc$omp end parallel do\n\
                  \x20     end\n";
    for option in ["-fopenmp", "-fno-openmp"] {
        assert_eq!(meaning("a.f90", option, &text), meaning("a.f", option, source), "{text}");
    }
}

#[test]
fn conditional_compilation_of_fixed_form_goes_on_as_free_form_has_it() {
    let before = ["$    k = 7 +", "$   &  3", "$ 10 continue"];
    let text = print(&around_a_loop(Language::FixedFortran, &before, &[]));
    assert_eq!(body(&text)[..3], ["!$ k = 7 + &", "!$ 3", "!$ 10 continue"]);
    let source = "      subroutine s(i, k)\n      implicit none\n      integer i, k, j\n\
                  c$    k = 7 +\nc$   &  3\nc$ 10 continue\n\
                  \x20     do j = 1, 10\n      k = k + 1\n      end do\n      end\n";
    for option in ["-fopenmp", "-fno-openmp"] {
        let printed = meaning("a.f90", option, &text);
        assert_eq!(printed, meaning("a.f", option, source), "{text}");
        assert_eq!(printed.iter().any(|line| line.contains("= 10;")), option == "-fopenmp");
    }
}

#[test]
fn openacc_of_fixed_form_goes_on_as_free_form_has_it() {
    let before = ["$acc parallel loop", "$acc&reduction(+:k)"];
    let text = print(&around_a_loop(Language::FixedFortran, &before, &[]));
    let source = "      subroutine s(i, k)\n      implicit none\n      integer i, k, j\n\
                  c$acc parallel loop\nc$acc&reduction(+:k)\n\
                  \x20     do j = 1, 10\n      k = k + 1\n      end do\n      end\n";
    let printed = meaning("a.f90", "-fopenacc", &text);
    assert_eq!(printed, meaning("a.f", "-fopenacc", source), "{text}");
}

#[test]
fn directives_of_free_form_stay_as_they_are() {
    let before = ["$omp parallel do &", "$omp& private(j)", "$    k = 7", "$openad xxx"];
    let text = print(&around_a_loop(Language::FreeFortran, &before, &[]));
    assert_eq!(
        body(&text)[..4],
        ["!$omp parallel do &", "!$omp& private(j)", "!$    k = 7", "!$openad xxx"]
    );
}

#[test]
fn what_fixed_form_takes_for_a_comment_stays_one() {
    let mut b = Build::new();
    let stmts = [
        directive(&mut b, Language::FixedFortran, 7, "$omp barrier"),
        directive(&mut b, Language::FixedFortran, 1, "$   words"),
        directive(&mut b, Language::FixedFortran, 1, "$openad independent(x)"),
    ];
    let entry = b.vertex(VertexKind::Entry(None));
    let block = b.block(&stmts);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, block, exit]);
    let text = print(&b.finish());
    assert!(text.contains("! $omp barrier\n"), "{text}");
    assert!(text.contains("! $   words\n"), "{text}");
    assert!(text.contains("!$openad independent(x)\n"), "{text}");
}

#[test]
fn a_continuation_of_nothing_and_of_a_string_are_refused() {
    let refused = |before: &[&str]| -> Vec<Code> {
        let doc = around_a_loop(Language::FixedFortran, before, &[]);
        let problems = unparse(&doc, Layout::OneText).expect_err("it cannot be printed");
        problems.iter().map(|problem| problem.code).collect()
    };
    assert_eq!(refused(&["$omp& private(j)"]), [Code::NO_FORTRAN_FOR_IT]);
    assert_eq!(refused(&["$    k = 1", "$omp& private(j)"]), [Code::NO_FORTRAN_FOR_IT]);
    assert_eq!(refused(&["$    k = len('a", "$   &b')"]), [Code::NO_FORTRAN_FOR_IT]);
}
