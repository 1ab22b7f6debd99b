//! The data-flow solver.

use std::collections::BTreeSet;

use super::graphs::{diamond, loop_with_statements};
use booster_flow::{Analysis, Direction, Flow, Step, solve};
use xaif_schema::model::StmtId;

/// Which statements may have been executed before this point (or, backward, may still be).
struct Executed<const FORWARD: bool>;

macro_rules! executed {
    ($forward:literal, $direction:ident) => {
        impl Analysis for Executed<$forward> {
            type Domain = BTreeSet<StmtId>;
            const DIRECTION: Direction = Direction::$direction;

            fn bottom(&self) -> Self::Domain {
                BTreeSet::new()
            }

            fn boundary(&self) -> Self::Domain {
                BTreeSet::new()
            }

            fn join(&self, state: &mut Self::Domain, other: &Self::Domain) -> bool {
                let before = state.len();
                state.extend(other);
                state.len() > before
            }

            fn transfer(&self, step: Step<'_>, state: &mut Self::Domain) {
                if let Step::Stmt(stmt) = step {
                    state.insert(stmt);
                }
            }
        }
    };
}
executed!(true, Forward);
executed!(false, Backward);

fn ids(set: &BTreeSet<StmtId>) -> Vec<u32> {
    set.iter().map(|s| s.as_u32()).collect()
}

#[test]
fn arms_join_and_do_not_see_each_other() {
    let cfg = diamond();
    let flow = Flow::new(&cfg);
    let found = solve(&flow, &Executed::<true>);
    let at = |n: usize| ids(found.after(cfg.layout[n]));
    assert_eq!(at(2), [0]);
    assert_eq!(at(3), [1]);
    assert_eq!(at(4), [0, 1]);
}

#[test]
fn a_loop_assigns_its_first_value_on_the_way_in_and_the_next_on_the_way_back() {
    // Layout: entry, for, body, end of loop, exit; s0 init, s1 update, s2 in the body.
    let cfg = loop_with_statements();
    let flow = Flow::new(&cfg);
    let found = solve(&flow, &Executed::<true>);
    assert_eq!(ids(found.after(cfg.layout[0])), Vec::<u32>::new());
    assert_eq!(ids(found.before(cfg.layout[1])), [0, 1, 2]);
    assert_eq!(ids(found.after(cfg.layout[4])), [0, 1, 2]);
}

#[test]
fn backward_flows_from_the_exit() {
    let cfg = loop_with_statements();
    let flow = Flow::new(&cfg);
    let found = solve(&flow, &Executed::<false>);
    assert_eq!(ids(found.before(cfg.layout[4])), Vec::<u32>::new());
    // From the loop's head the update and the body may still follow, the first value may not.
    assert_eq!(ids(found.before(cfg.layout[1])), [1, 2]);
    assert_eq!(ids(found.before(cfg.layout[0])), [0, 1, 2]);
}
