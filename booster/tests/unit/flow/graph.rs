//! Orders and dominators of flow graphs.

use super::graphs::{diamond, vertex};
use booster_flow::Flow;
use xaif_schema::model::{BranchForm, Vertex, VertexId, VertexKind};

#[test]
fn order_puts_a_vertex_before_its_successors() {
    let cfg = diamond();
    let flow = Flow::new(&cfg);
    let rank = |v: VertexId| flow.order().iter().position(|&o| o == v);
    for edge in cfg.edges.values() {
        assert!(rank(edge.source) < rank(edge.target));
    }
    assert_eq!(flow.order().len(), cfg.vertices.len());
}

#[test]
fn the_branch_dominates_the_join_and_an_arm_does_not() {
    let cfg = diamond();
    let flow = Flow::new(&cfg);
    let tree = flow.dominators();
    let [branch, arm, join] = [1, 2, 4].map(|n| cfg.layout[n]);
    assert!(flow.dominates(&tree, branch, join));
    assert!(!flow.dominates(&tree, arm, join));
}

#[test]
fn unreachable_vertices_are_in_the_order_too() {
    let mut cfg = diamond();
    let lost = cfg.push(vertex(VertexKind::Label { label: Some(10) }));
    let branch = Vertex {
        kind: VertexKind::Branch { condition: None, form: BranchForm::Plain, name: None },
        ..vertex(VertexKind::EndBranch)
    };
    let after = cfg.push(branch);
    cfg.connect(lost, after);
    let flow = Flow::new(&cfg);
    assert_eq!(flow.order().len(), cfg.vertices.len());
    assert_eq!(flow.order().iter().rev().take(2).collect::<Vec<_>>(), [&after, &lost]);
    assert!(flow.dominates(&flow.dominators(), lost, after));
}
