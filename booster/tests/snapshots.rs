//! The verifier of snapshots: what a joint call overwrites and somebody reads again is on the tape.

use booster_tests::adjoint::{differentiated, split, with_facts};
use xaif_booster::analysis::snapshots;
use xaif_booster::externals::Externals;
use xaif_booster::transform::adjoint::{Modes, Options};
use xaif_schema::diag::{Code, Diagnostics};
use xaif_schema::model::{ArgValue, Body, Document, StmtId, StmtKind, VertexKind};
use xaif_schema::verify::verify;

/// Values of arguments, module variables and components, allocation and bounds, functions, a loop, a branch.
const SOURCE: &str = "
module m
  implicit none
  type state
    real(8) :: level, other
  end type
  real(8) :: c(3), unused(1000)
  real(8), allocatable :: w(:)
contains
  subroutine step(a, s)
    real(8), intent(inout) :: a(:)
    type(state), intent(inout) :: s
    a = a*c
    c = c*a(1)
    s%level = s%level*c(2)
    unused(1) = a(1)
  end subroutine
  real(8) function total(v, t)
    real(8), intent(in) :: v(:)
    real(8), intent(inout) :: t
    t = t*v(1)
    total = t*sum(v)
  end function
  subroutine renew(a)
    real(8), intent(inout) :: a(:)
    if (size(w) == 2) a = a*sin(w(1))
    w = [w, a(1)]
    a = a*a
  end subroutine
  subroutine head(x, y)
    real(8), intent(inout) :: x(3), y
    type(state) :: s
    integer :: i
    c = x
    s%level = y
    s%other = x(1)*y
    do i = 1, 2
      call step(x, s)
      if (x(1) > 0) then
        y = y*x(2) + total(x, s%level)
      end if
      x(3) = sin(x(3))*s%other
    end do
    w = [x(1), y]
    call renew(x)
    call renew(c)
    y = y*sum(c)*x(2)*s%level
  end subroutine
end module
";

fn found(doc: &Document) -> Diagnostics {
    snapshots::check(doc, &Externals::new())
}

fn joint() -> Options {
    Options { modes: Modes::default(), ..Options::default() }
}

/// The operations of the tape by which `head_b` records and takes back a variable, in order.
fn pushes_and_pops(doc: &Document, head: &str) -> Vec<(StmtId, String)> {
    let mut list = Vec::new();
    for proc in doc.procs.values().filter(|proc| doc.name(proc.symbol) == head) {
        let Body::Flow(cfg) = &proc.body else { continue };
        for &vertex in &cfg.layout {
            let VertexKind::BasicBlock { stmts, .. } = &cfg.vertices[vertex].kind else { continue };
            for &stmt in stmts {
                let StmtKind::InlinableCall(call) = &doc.stmts[stmt].kind else { continue };
                let ArgValue::Expr(arg) = call.args[0].value else { continue };
                let Some(reference) = doc.exprs[arg].reference() else { continue };
                let name = doc.name(doc.refs[reference].base);
                list.push((stmt, format!("{} {name}", call.name)));
            }
        }
    }
    list
}

fn remove(doc: &mut Document, gone: &[StmtId]) {
    for proc in doc.procs.values_mut() {
        let Body::Flow(cfg) = &mut proc.body else { continue };
        for vertex in cfg.vertices.values_mut() {
            if let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind {
                stmts.retain(|stmt| !gone.contains(stmt));
            }
        }
    }
}

/// The pushes of a body with the pops that mirror them.
fn mirrored(list: &[(StmtId, String)]) -> Vec<([StmtId; 2], String)> {
    let mut pairs = Vec::new();
    let mut open: Vec<(StmtId, &str)> = Vec::new();
    for (stmt, text) in list {
        let (operation, name) = text.split_once(' ').expect("an operation and a name");
        if operation.starts_with("push") {
            open.push((*stmt, name));
        } else if let Some(at) = open.iter().rposition(|(_, pushed)| *pushed == name) {
            let (push, name) = open.remove(at);
            pairs.push(([push, *stmt], name.to_owned()));
        }
    }
    pairs
}

#[test]
fn a_snapshot_that_lacks_a_pair_is_found() {
    for facts in [false, true] {
        let doc = match facts {
            true => with_facts(SOURCE, Some("head"), &joint()).expect("an adjoint"),
            false => differentiated(SOURCE).expect("an adjoint").0,
        };
        assert!(found(&doc).is_empty(), "{:?}", found(&doc));
        let pairs = mirrored(&pushes_and_pops(&doc, "head_b"));
        let mut caught = Vec::new();
        for (pair, name) in &pairs {
            let mut broken = doc.clone();
            remove(&mut broken, pair);
            // The two sweeps still go together.
            assert!(!verify(&broken).iter().any(|one| one.code == Code::UNPAIRED_TAPE), "{name}");
            let told = found(&broken);
            if let Some(one) = told.iter().next() {
                assert_eq!(one.code, Code::UNCOVERED_CALL);
                assert!(one.spot.is_some(), "{one}");
                assert!(one.message.contains(name.as_str()), "{name}: {one}");
                caught.push(name.as_str());
            }
        }
        // The other pairs belong to assignments, or to what the calls return.
        caught.sort_unstable();
        // What the callee only records is needed by nobody.
        assert_eq!(caught, ["c", "s", "s", "x"]);
    }
}

#[test]
fn halves_with_joint_calls_are_compared() {
    let modes = Modes { split: vec!["outer".into()], ..Modes::default() };
    let source = SOURCE.replace(
        "  subroutine head",
        "  subroutine outer(x, s)
    real(8), intent(inout) :: x(:)
    type(state), intent(inout) :: s
    call step(x, s)
    x = x*c
  end subroutine
  subroutine head",
    );
    let source = source.replace("call step(x, s)\n      if", "call outer(x, s)\n      if");
    let doc = with_facts(&source, Some("head"), &Options { modes, ..Options::default() });
    let doc = doc.expect("an adjoint");
    assert!(found(&doc).is_empty(), "{:?}", found(&doc));
    let pushes = pushes_and_pops(&doc, "outer_fwd");
    let push = pushes.iter().find(|(_, text)| text.ends_with(" c")).expect("a push of `c`");
    let mut broken = doc.clone();
    remove(&mut broken, &[push.0]);
    assert!(found(&broken).has_errors());
}

#[test]
fn split_calls_have_no_snapshot() {
    let doc = with_facts(SOURCE, Some("head"), &split()).expect("an adjoint");
    assert!(found(&doc).is_empty(), "{:?}", found(&doc));
}
