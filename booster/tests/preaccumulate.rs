//! Decisions and reports of preaccumulation. `files/preaccumulate.rs` checks all sources.

use std::fmt::Write as _;

use booster_tests::preaccumulated::{compare, executed, made, tolerance};
use booster_tests::{calls, document, folder, read, told};
use elimination::{Chain, Choice, TECHNIQUES, Technique};
use xaif_booster::transform::preaccumulate::{
    Options, Store, Told, preaccumulate, preaccumulate_and_report,
};
use xaif_run::{Element, Output};
use xaif_schema::model::LocalJacobian;

/// Scalars or elements of an array: it takes seconds, not minutes.
#[test]
fn a_run_may_have_thousands_of_statements() {
    let count = 5000;
    for elements in [false, true] {
        let name = |n: usize| if elements { format!("w({n})") } else { format!("v{n}") };
        let mut source = format!("subroutine p(x, y)\n  real(8) :: x({count}), y\n");
        match elements {
            true => writeln!(source, "  real(8) :: w({count})"),
            false => (1..=count).try_for_each(|n| writeln!(source, "  real(8) :: v{n}")),
        }
        .expect("a string");
        writeln!(source, "  {} = x(1)*x(2)", name(1)).expect("a string");
        for n in 2..=count {
            let line = format!("  {} = sin(x({n}))*{}", name(n), name(n - 1));
            writeln!(source, "{line}").expect("a string");
        }
        writeln!(source, "  y = {}\nend subroutine", name(count)).expect("a string");
        let found = parts(&source, &Options { always: true, ..Options::default() });
        let whole = |part: &&LocalJacobian| **part == LocalJacobian::Propagator;
        assert_eq!(found.iter().filter(whole).count(), 1);
    }
}

/// `max(log(x), -10.0)` has a derivative where the logarithm has none, be that in one run or in two.
#[test]
fn what_is_not_chosen_may_have_no_derivative() {
    let source = "! call p x=0.0 y=0.5\n! along x=1 y=2\nsubroutine p(x, y)\n  real(8) :: x, y, t, u\n  \
                  t = log(x)*y\n  y = merge(t, y, x > 0.0d0)*y\n  t = max(log(x), -10.0d0)\n  \
                  u = log(x)\n  if (y > 0.0d0) t = 3.0d0*max(u, t) + t - min(2.0d0, max(u, t))\n  u = 1.0d0\n  \
                  x = t*y*t\nend subroutine\n";
    let call = &calls(source)[0];
    let plain = document(source);
    let before = executed(&plain, call, "poles");
    let finite = |output: &Output| {
        output.elements.iter().all(|one| matches!(one, Element::Real(_, d) if d.is_finite()))
    };
    assert!(before.iter().all(finite), "{before:?}");
    for technique in TECHNIQUES {
        for chain in Chain::portfolio() {
            let what = format!("poles, {} by {chain}", technique.name());
            let choice =
                Choice { technique: Some(technique), heuristic: Some(chain), ..Choice::default() };
            let behind = made(&plain, &Options { choice, ..Options::default() }, &what);
            compare(&before, &executed(&behind, call, &what), tolerance(source), &what);
        }
    }
}

/// The parts of local Jacobians in the document that `options` make of a source.
fn parts(source: &str, options: &Options) -> Vec<LocalJacobian> {
    let mut doc = document(source);
    preaccumulate(&mut doc, options).unwrap_or_else(|messages| panic!("{}", told(&messages)));
    doc.stmts.values().filter_map(|stmt| stmt.local_jacobian).collect()
}

#[test]
fn a_jacobian_pays_the_sooner_the_more_directions_use_it() {
    // Four edges, one entry, three products: not for one direction, but for two.
    let source = "subroutine p(x, y)\n  real(8) :: x, y, a, b, c\n  a = sin(x)\n  b = exp(a)\n  \
                  c = cos(b)\n  y = exp(c)\nend subroutine\n";
    let with = |directions| parts(source, &Options { directions, ..Options::default() }).is_empty();
    assert!(with(None));
    assert!(with(Some(1)));
    assert!(!with(Some(2)));
}

#[test]
fn of_each_jacobian_is_recorded_what_costs_less() {
    let auto = Options { always: true, store: Store::Auto, ..Options::default() };
    // One value tells six entries.
    let few = "subroutine p(x, a, y)\n  real(8) :: x(6), y\n  integer :: a\n  \
               y = a*x(1) + (a + 1)*x(2) + (a + 2)*x(3) + (a + 3)*x(4) + (a + 4)*x(5) + (a + 5)*x(6)\n\
               end subroutine\n";
    assert!(parts(few, &auto).contains(&LocalJacobian::Again));
    // Two values tell one; if nobody overwrites them, they tell it for nothing.
    let with = |behind: &str| {
        let many = format!(
            "subroutine p(x, a, b, y)\n  real(8) :: x, y\n  integer :: a, b\n  y = x*(a*b + a)\n{behind}\
             end subroutine\n"
        );
        parts(&many, &auto)
    };
    let found = with("  a = 0\n  b = 0\n");
    assert!(found.contains(&LocalJacobian::Entry) && !found.contains(&LocalJacobian::Again));
    assert!(with("  a = 0\n").contains(&LocalJacobian::Entry));
    assert!(with("").contains(&LocalJacobian::Again));
    // Round by round: what the loop overwrites, and what it reads.
    let round = |read: &str| {
        let source = format!(
            "subroutine p(n, x, w, y)\n  integer :: n, i\n  real(8) :: x(n), w(n), y, u, v\n  do i = 1, n\n\
             y = {read}*x(i) + {read}*{read}*y\n  end do\nend subroutine\n"
        );
        parts(&source, &auto)
    };
    // Elements go to the block of a counted loop as entries do: what is fewer is recorded.
    let loops = |open: &str, assigned: &str, close: &str| {
        let source = format!(
            "subroutine p(n, x, z, y, k, m)\n  integer :: n, i, k(n), m(n)\n  real(8) :: x(n), z(n), y(n)\n  \
             do i = 1, n\n{open}  y(i) = {assigned}\n  k(i) = 0\n  m(i) = 0\n{close}  end do\nend subroutine\n"
        );
        parts(&source, &auto)
    };
    // In a branch, too.
    for (open, close) in [("", ""), ("  if (n > 3) then\n", "  end if\n")] {
        let found = loops(open, "k(i)*x(i) + (k(i)*k(i))*z(i)", close);
        assert!(found.contains(&LocalJacobian::Again) && !found.contains(&LocalJacobian::Entry));
        let found = loops(open, "x(i)*(k(i)*m(i) + k(i))", close);
        assert!(found.contains(&LocalJacobian::Entry) && !found.contains(&LocalJacobian::Again));
    }
    assert!(round("w(i)").contains(&LocalJacobian::Again));
    assert!(!round("y").contains(&LocalJacobian::Again));
}

/// Paper 2, equation 5: the sequence of eliminations and the accumulation expressions that it leads to, told of
/// the document.
#[test]
fn the_sequence_of_the_paper_is_told() {
    let path = "preaccumulate/the_example_of_the_paper.f90";
    let source = read(&folder().join(path));
    let choice = Choice {
        technique: Some(Technique::Edge),
        heuristic: Some("hs,lm,reverse".parse().expect("a chain")),
        ..Choice::default()
    };
    let options = Options { choice, always: true, named: true, ..Options::default() };
    let mut doc = document(&source);
    let told = preaccumulate_and_report(&mut doc, &options, Told { costs: false, steps: true });
    let text = told.unwrap_or_else(|messages| panic!("{}", self::told(&messages))).report;
    let (heading, steps) = text.split_once('\n').expect("lines");
    assert_eq!(
        heading,
        "test.f90:9:3: 2 inputs, 1 intermediates, 4 outputs, 9 edges, 9 of them variable; \
         edge elimination by hs,lm,reverse: 12 multiplications, 5 additions, 8 entries; rewritten"
    );
    let (steps, entries) = steps.split_at(steps.find("J(").expect("entries"));
    assert_eq!(
        steps,
        "eliminate (v3, t)_f\n\
         eliminate (v4, v7)_b\n\
         eliminate (v3, v7)_b\n\
         eliminate (t, v7)_b\n\
         eliminate (v4, v6)_b\n\
         eliminate (v3, v6)_b\n\
         eliminate (v3, v4)_b\n\
         c_v7_v3 = c_t_v3*c_v7_t\n\
         c_v7_v1 = c_v4_v1*c_v7_v4\n\
         c_v7_v3 = c_v7_v3 + c_v4_v3*c_v7_v4\n\
         c_v7_v1 = c_v7_v1 + c_v3_v1*c_v7_v3\n\
         c_v7_v2 = c_v3_v2*c_v7_v3\n\
         c_v7_v2 = c_v7_v2 + c_t_v2*c_v7_t\n\
         c_v6_v1 = c_v4_v1*c_v6_v4\n\
         c_v6_v3 = c_v4_v3*c_v6_v4\n\
         c_v6_v1 = c_v6_v1 + c_v3_v1*c_v6_v3\n\
         c_v6_v2 = c_v3_v2*c_v6_v3\n\
         c_v4_v1 = c_v4_v1 + c_v3_v1*c_v4_v3\n\
         c_v4_v2 = c_v3_v2*c_v4_v3\n"
    );
    assert_eq!(entries.lines().count(), 8);
}
