//! `xaif-dot`: what it draws of documents and of linearised graphs, and what it refuses.
//!
//! `UPDATE_EXPECT=1` writes the expectation beside the documents anew; read the difference.

use std::path::PathBuf;

use oxad_tests::programs::{Finished, tool, workspace};

fn lenses(name: &str) -> PathBuf {
    workspace().join("xaif-schema/tests/lenses").join(name)
}

fn dot(options: &[&str], input: &str) -> Finished {
    tool("xaif-dot", options, workspace(), input.as_bytes())
}

/// `xaif-dot` on a document of the lenses.
fn of(options: &[&str], name: &str) -> Finished {
    let path = lenses(name).display().to_string();
    dot(&[options, &[&path]].concat(), "")
}

/// x0, x1; v2 = sin(x0), v3 = v2 + x1, y4 = v3*v3, y5 = -2*v3.
const GRAPH: &str = r#"{ "name": "small", "inputs": 2, "vertices": 6, "outputs": [4, 5],
  "edges": [[0, 2, "cos"], [2, 3, 1], [1, 3, 1], [3, 4, "v3"], [3, 4, "v3"], [3, 5, -2]] }"#;

#[test]
fn the_graphs_of_a_document_are_the_dot_beside_it() {
    let options = ["--callgraph", "--cfg", "HEAD", "--expr", "2"];
    let drawn = of(&options, "linearised_loop_with_facts.xaif");
    assert_eq!(drawn.status, Some(0), "{}", drawn.err());
    let file = lenses("linearised_loop_with_facts.dot");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return std::fs::write(file, drawn.out()).expect("the expectation can be written");
    }
    let expected = std::fs::read_to_string(file).unwrap_or_default();
    assert_eq!(drawn.out(), expected);
}

#[test]
fn all_graphs_are_one_picture() {
    let text = of(&["--all", "--svg"], "selection_with_a_jump.xaif").out();
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    assert_eq!(text.matches("<svg").count(), 1);
    assert!(text.contains("call graph") && text.contains("case 1, case 2"), "{text}");
}

#[test]
fn what_is_not_in_the_document_is_an_error_that_names_what_is() {
    let refused = of(&["--cfg", "tail", "--expr", "s99"], "selection_with_a_jump.xaif");
    assert_eq!((refused.status, refused.out().as_str()), (Some(1), ""));
    let message = refused.err();
    assert!(message.contains("OX0300") && message.contains("there are head"), "{message}");
    assert!(message.contains("OX0301"), "{message}");
}

#[test]
fn options_that_mean_nothing_together_are_wrong_usage() {
    let wrong: [&[&str]; 8] = [
        &["--cfg"],
        &["--all", "--cfg", "head"],
        // Of what?
        &["--steps"],
        &["--technique", "edge"],
        &["--callgraph", "--best"],
        &["--graph", "-", "--runs"],
        &["--graph", "-", "--per-statement"],
        &["--runs", "--all"],
    ];
    for options in wrong {
        let refused = dot(options, GRAPH);
        assert_eq!((refused.status, refused.out().as_str()), (Some(2), ""), "{options:?}");
        assert!(!refused.err().is_empty(), "{options:?}");
    }
}

#[test]
fn what_is_no_graph_is_refused_with_its_place() {
    let refused = dot(&["--graph", "-"], "{ \"inputs\": 1,\n  \"vertices\": }");
    assert_eq!((refused.status, refused.out().as_str()), (Some(1), ""));
    assert!(refused.err().starts_with("-:2:15: error[OX4300]: "), "{}", refused.err());
}

#[test]
fn pictures_tell_what_a_step_takes_away_and_makes() {
    let reverse = ["--graph", "-", "--technique", "edge", "--heuristic", "reverse", "--steps"];
    let drawn = dot(&reverse, GRAPH);
    assert_eq!(drawn.status, Some(0), "{}", drawn.err());
    let out = drawn.out();
    // Before, four steps, after, and the expressions.
    assert_eq!(out.matches("digraph ").count(), 7, "{out}");
    let step = out.split("digraph ").find(|graph| graph.contains("step 2")).expect("a second step");
    assert!(step.contains("n3 -> n4 [label=\"c_4_3\", style=dotted"), "{step}");
    assert!(step.contains("n2 -> n4 [label=\"c_4_3\", style=bold"), "{step}");
    assert!(out.contains("c_4_0 = cos*c_4_3"), "{out}");
    let few = dot(&["--graph", "-", "--technique", "edge"], GRAPH).out();
    assert_eq!(few.matches("digraph ").count(), 3, "{few}");
    let picture = dot(&["--graph", "-", "--technique", "face", "--svg", "--steps"], GRAPH);
    assert!(picture.out().starts_with("<svg ") && picture.out().contains("accumulation"));
}

/// What is drawn of a graph is drawn of each run of a document.
#[test]
fn the_runs_of_a_document_are_drawn() {
    let source = "subroutine two(x, y)\n real(8), intent(in) :: x\n real(8), intent(out) :: y(2)\n \
                  real(8) :: a\n a = sin(x)\n y(1) = a*x\n y(2) = a*y(1)\n call other()\n \
                  a = x*x\n y(1) = a*y(1)\nend subroutine\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("two.f90"), source).expect("the source is written");
    let document = tool("f2xaif", &["two.f90"], folder.path(), b"");
    assert_eq!(document.status, Some(0), "{}", document.err());
    let run = |options: &[&str]| {
        let finished = dot(options, &document.out());
        assert_eq!(finished.status, Some(0), "{}", finished.err());
        finished.out()
    };
    let drawn = run(&["--runs"]);
    assert_eq!(drawn.matches("digraph ").count(), 6, "before, after, expressions; twice: {drawn}");
    let each = run(&["--runs", "--per-statement", "--name-partials"]);
    assert_eq!(each.matches("digraph ").count(), 15, "five assignments: {each}");
    assert!(run(&["--runs", "--svg", "--steps"]).starts_with("<svg "));
    // The same as of the graphs alone.
    let written = tool("xaif-preaccumulate", &["--graphs"], workspace(), document.out().as_bytes());
    let first = written.out().lines().next().unwrap_or_default().to_owned();
    let options = ["--technique", "edge", "--heuristic", "hs,lm,reverse", "--steps"];
    let alone = dot(&[&["--graph", "-"], &options[..]].concat(), &first).out();
    assert!(run(&[&["--runs"], &options[..]].concat()).starts_with(&alone), "{alone}");
}
