//! The call graph.

use booster_flow::CallGraph;
use xaif_schema::model::ProcId;

use super::graphs::document_with_calls;

fn levels(calls: &[(u32, u32)], procs: usize) -> Vec<Vec<Vec<u32>>> {
    let doc = document_with_calls(procs, calls);
    let numbers = |c: &Vec<ProcId>| c.iter().map(|p| p.as_u32()).collect();
    CallGraph::new(&doc).bottom_up().map(|l| l.iter().map(numbers).collect()).collect()
}

#[test]
fn callees_come_first() {
    assert_eq!(levels(&[(0, 1), (1, 2), (0, 2)], 3), [[[2]], [[1]], [[0]]]);
}

#[test]
fn independent_procedures_share_a_level() {
    assert_eq!(levels(&[(0, 1), (0, 2)], 3), [vec![vec![1], vec![2]], vec![vec![0]]]);
}

#[test]
fn recursion_is_one_component() {
    assert_eq!(levels(&[(0, 1), (1, 2), (2, 1)], 3), [vec![vec![1, 2]], vec![vec![0]]]);
    assert_eq!(levels(&[(0, 0)], 1), [[[0]]]);
}
