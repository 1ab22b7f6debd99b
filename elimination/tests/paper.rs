//! The example of paper 2, section 3: equations 3 to 6 at the level of graphs.

use elimination::listing::show;
use elimination::{Chain, Draft, Graph, Role, Technique, eliminate};

/// v3 = v1*v2; v4 = v1*v3; t = v2*v3; v7 = v4*t; v6 = sin(v4). Every vertex but t is an output, for
/// nothing is known of what follows. Vertices are made in the order of the statements.
fn example() -> Graph {
    let mut draft = Draft::new();
    let v1 = draft.vertex(Role::Input, "1");
    let v2 = draft.vertex(Role::Input, "2");
    let v3 = draft.vertex(Role::Output, "3");
    let v4 = draft.vertex(Role::Output, "4");
    let t = draft.vertex(Role::Intermediate, "t");
    let v7 = draft.vertex(Role::Output, "7");
    let v6 = draft.vertex(Role::Output, "6");
    for (source, target) in
        [(v1, v3), (v2, v3), (v1, v4), (v3, v4), (v3, t), (v2, t), (v4, v7), (t, v7), (v4, v6)]
    {
        draft.edge(source, target);
    }
    draft.finish().expect("a graph")
}

fn steps(chain: &str, technique: Technique) -> Vec<String> {
    let graph = example();
    let chain: Chain = chain.parse().expect("a chain");
    let elimination = eliminate(&graph, technique, &chain);
    elimination.steps.iter().map(|step| step.show(&graph).to_string()).collect()
}

#[test]
fn the_sequence_of_edge_eliminations_is_that_of_equation_5() {
    let expected =
        ["(3, t)_f", "(4, 7)_b", "(3, 7)_b", "(t, 7)_b", "(4, 6)_b", "(3, 6)_b", "(3, 4)_b"];
    assert_eq!(steps("hs,lm,reverse", Technique::Edge), expected);
}

#[test]
fn the_accumulation_expressions_are_those_of_equation_5() {
    let graph = example();
    let chain: Chain = "hs,lm,reverse".parse().expect("a chain");
    let elimination = eliminate(&graph, Technique::Edge, &chain);
    let text = show(&elimination.accumulation, &graph);
    let (statements, entries) = text.split_at(text.find("J(").expect("entries"));
    // The factors of a product stand in the order of their edges.
    assert_eq!(
        statements,
        "c_7_3 = c_t_3*c_7_t\n\
         c_7_1 = c_4_1*c_7_4\n\
         c_7_3 = c_7_3 + c_4_3*c_7_4\n\
         c_7_1 = c_7_1 + c_3_1*c_7_3\n\
         c_7_2 = c_3_2*c_7_3\n\
         c_7_2 = c_7_2 + c_t_2*c_7_t\n\
         c_6_1 = c_4_1*c_6_4\n\
         c_6_3 = c_4_3*c_6_4\n\
         c_6_1 = c_6_1 + c_3_1*c_6_3\n\
         c_6_2 = c_3_2*c_6_3\n\
         c_4_1 = c_4_1 + c_3_1*c_4_3\n\
         c_4_2 = c_3_2*c_4_3\n"
    );
    assert_eq!(
        entries,
        "J(3, 1) = c_3_1\nJ(3, 2) = c_3_2\nJ(4, 1) = c_4_1\nJ(4, 2) = c_4_2\n\
         J(7, 1) = c_7_1\nJ(7, 2) = c_7_2\nJ(6, 1) = c_6_1\nJ(6, 2) = c_6_2\n"
    );
    let cost = elimination.accumulation.cost();
    assert_eq!((cost.multiplications, cost.additions, cost.entries), (12, 5, 8));
}

#[test]
fn reverse_mode_chooses_the_edge_from_the_later_source_and_forward_mode_the_other() {
    assert_eq!(steps("lm,reverse", Technique::Edge)[0], "(3, t)_f");
    assert_eq!(steps("lm,forward", Technique::Edge)[0], "(2, t)_f");
}
