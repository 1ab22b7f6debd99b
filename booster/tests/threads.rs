//! What the stages write does not depend on the number of threads.

use std::fmt::Write as _;

use rayon::ThreadPoolBuilder;
use xaif_booster::analysis::activity;
use xaif_booster::externals::Externals;
use xaif_booster::stages::{ExternalsArgs, SideEffectsArgs};
use xaif_booster::transform::tangent::{Options, tangent};
use xaif_schema::xml;

/// Many procedures that call each other, by twos and in a circle, with a COMMON block and a module.
fn program() -> String {
    let mut text =
        String::from("module state\n  implicit none\n  real(8) :: s(3), u = 1\nend module state\n");
    for number in 0..40 {
        let (one, two) = ((number * 2 + 1) % 40, (number * 2 + 2) % 40);
        write!(
            text,
            "recursive subroutine p{number}(n, x, y)\n  use state\n  implicit none\n  integer :: n\n  \
             real(8) :: x(3), y, z, c\n  common /block/ c\n  if (n <= 0) return\n  \
             z = x(1)*u + c\n  call p{one}(n - 1, x, z)\n  s({place}) = z*x(2)\n  \
             call p{two}(n - 2, s, y)\n  if (z > {number}) c = c + y\n  y = y + z*s(1)\n\
             end subroutine p{number}\n",
            place = number % 3 + 1,
        )
        .expect("a string");
    }
    text
}

/// The documents behind each stage, and the warnings.
fn written(source: &str, threads: usize) -> Vec<Vec<u8>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let options = fortran_frontend::source::Options::default();
        let translation = fortran_frontend::translate_texts(&[("test.f90", source)], &options);
        let mut doc = translation.document;
        let externals = Externals::new();
        let mut stages = Vec::new();
        let mut note = |doc: &_, warnings: String| {
            let mut bytes = warnings.into_bytes();
            xml::write(doc, &mut bytes).expect("a document");
            stages.push(bytes);
        };
        note(&doc, format!("{:?}", translation.diagnostics));
        let warnings =
            SideEffectsArgs::default().apply(&mut doc, &ExternalsArgs::default(), &externals);
        note(&doc, format!("{warnings:?}"));
        let heads = activity::Options { heads: vec!["p0".into()], ..Default::default() };
        let warnings = activity::activity(&mut doc, &heads, &externals).expect("facts");
        note(&doc, format!("{warnings:?}"));
        let warnings = tangent(&mut doc, &Options::default()).expect("a tangent");
        note(&doc, format!("{warnings:?}"));
        stages
    })
}

#[test]
fn one_thread_and_many_write_the_same() {
    let source = program();
    let alone = written(&source, 1);
    assert_eq!(alone.len(), 4);
    for threads in [2, 3, 8] {
        for (stage, (one, many)) in alone.iter().zip(written(&source, threads)).enumerate() {
            assert!(*one == many, "stage {stage}, {threads} threads");
        }
    }
}
