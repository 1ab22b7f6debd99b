//! `xaif-preaccumulate --graph`: what it writes, and what it refuses.

use std::process::Command;

use oxad_tests::console::{Shown, commands, matches};
use oxad_tests::programs::{binaries, finish, tool, workspace};

/// x0, x1; v2 = sin(x0), v3 = v2 + x1, y4 = v3*v3, y5 = -2*v3.
const GRAPH: &str = r#"{ "name": "small", "inputs": 2, "vertices": 6, "outputs": [4, 5],
  "edges": [[0, 2, "cos"], [2, 3, 1], [1, 3, 1], [3, 4, "v3"], [3, 4, "v3"], [3, 5, -2]] }"#;

fn run(options: &[&str], graph: &str) -> oxad_tests::programs::Finished {
    let options = [&["--graph", "-"], options].concat();
    tool("xaif-preaccumulate", &options, workspace(), graph.as_bytes())
}

#[test]
fn the_arithmetic_of_a_small_graph() {
    let finished = run(&["--technique", "edge", "--heuristic", "reverse"], GRAPH);
    assert_eq!(finished.status, Some(0), "{}", finished.err());
    assert_eq!(
        finished.out(),
        "graph small: 2 inputs, 2 intermediates, 2 outputs, 6 edges\n\
         edge elimination by reverse\n\
         2 multiplications, 1 additions, 4 entries\n\
         eliminate (3, 5)_b\n\
         eliminate (3, 4)_b\n\
         eliminate (2, 5)_b\n\
         eliminate (2, 4)_b\n\
         c_4_3 = v3 + v3\n\
         c_5_0 = cos*2\n\
         c_4_0 = cos*c_4_3\n\
         J(4, 0) = c_4_0\n\
         J(4, 1) = c_4_3\n\
         J(5, 0) = -c_5_0\n\
         J(5, 1) = -2\n"
    );
}

#[test]
fn a_report_has_every_technique_and_the_search_says_its_seed() {
    let finished = run(&["--best", "--report", "--anneal", "50", "--seed", "7"], GRAPH);
    assert_eq!(finished.status, Some(0), "{}", finished.err());
    for row in ["| vertex | forward |", "| edge | hs,lm,reverse |", "| face | lm,reverse |"] {
        assert!(finished.out().contains(row), "{row}: {}", finished.out());
    }
    assert!(finished.out().contains("| vertex | annealing, seed 7 |"), "{}", finished.out());
    let again = run(&["--best", "--report", "--anneal", "50", "--seed", "7"], GRAPH);
    assert_eq!(finished.out(), again.out());
}

#[test]
fn what_is_no_graph_is_refused_with_its_place() {
    let finished = run(&[], "{ \"inputs\": 1,\n  \"vertices\": }");
    assert_eq!(finished.status, Some(1));
    assert!(finished.err().starts_with("-:2:15: error[OX4300]: "), "{}", finished.err());
    for (graph, message) in [
        (r#"{"inputs":1,"vertices":2,"outputs":[5],"edges":[]}"#, "there is no vertex 5"),
        (r#"{"inputs":1,"vertices":2,"outputs":[0],"edges":[]}"#, "0 is an input"),
        (r#"{"inputs":1,"vertices":2,"outputs":[1],"edges":[[1,0]]}"#, "leads to the input 0"),
        (r#"{"inputs":1,"vertices":3,"outputs":[2],"edges":[[1,2],[2,1]]}"#, "lies on a cycle"),
        (r#"{"inputs":3,"vertices":2,"outputs":[],"edges":[]}"#, "3 inputs, but 2 vertices"),
        (r#"{"inputs":1,"vertices":2,"outputs":[],"edges":[],"names":["x"]}"#, "1 names for 2"),
    ] {
        let finished = run(&[], graph);
        assert_eq!(finished.status, Some(1), "{graph}");
        assert!(finished.err().contains(message), "{graph}: {}", finished.err());
        assert_eq!(finished.out(), "");
    }
}

/// What a clock has let begin is told, and is had again without one.
#[test]
fn a_budget_tells_what_it_has_tried() {
    let plain = r#"{ "inputs": 2, "vertices": 7, "outputs": [5, 6],
      "edges": [[0, 2], [1, 2], [2, 3], [1, 3], [2, 4], [3, 4], [3, 5], [4, 5], [4, 6], [2, 6]] }"#;
    let none = run(&["--best", "--budget", "0"], plain);
    assert_eq!(none.status, Some(0), "{}", none.err());
    let line = "the first 1 members of the portfolio (--members 1)\n";
    assert!(none.out().contains(line), "{}", none.out());
    assert_eq!(none.out(), run(&["--best", "--members", "1"], plain).out());
    let all = run(&["--best", "--budget", "1e6"], plain).out();
    assert!(all.contains("all 127 members of the portfolio\n"), "{all}");
    let without: Vec<&str> = all.lines().filter(|line| !line.starts_with("all ")).collect();
    let best = run(&["--best"], plain).out();
    assert_eq!(without, best.lines().collect::<Vec<_>>());
    for wrong in [&["--budget", "1"][..], &["--best", "--budget", "-1"], &["--members", "3"]] {
        assert_eq!(run(wrong, plain).status, Some(2), "{wrong:?}");
    }
}

/// The document of a kernel.
fn kernel(name: &str) -> String {
    let path = workspace().join("bench/graphs").join(name).to_string_lossy().into_owned();
    let document = tool("f2xaif", &[&path], workspace(), b"");
    assert_eq!(document.status, Some(0), "{}", document.err());
    document.out()
}

/// What `--count` says is what the stage does, whatever is asked for.
#[test]
fn counts_of_a_document_are_those_of_the_stage() {
    for name in ["heart.f90", "propane.f90"] {
        let document = kernel(name);
        for options in [
            &[][..],
            &["--technique", "edge"],
            &["--best", "--anneal", "50", "--seed", "3"],
            &["--best", "--members", "7"],
        ] {
            let run = |more: &[&str]| {
                let options = [options, more].concat();
                let done = tool("xaif-preaccumulate", &options, workspace(), document.as_bytes());
                assert_eq!(done.status, Some(0), "{options:?}: {}", done.err());
                done
            };
            let counted = run(&["--count"]).out();
            let line = counted.lines().nth(2).expect("the cost");
            let told = run(&["--sequence"]).err();
            assert!(told.contains(line), "{name} {options:?}: {line}\n{told}");
        }
    }
}

/// The history of a document says what gives the same document without a clock.
#[test]
fn a_budget_for_a_document_is_had_again_without_a_clock() {
    let document = kernel("propane.f90");
    let run = |options: &[&str]| {
        let options = [&["--best", "--always"], options].concat();
        let done = tool("xaif-preaccumulate", &options, workspace(), document.as_bytes());
        assert_eq!(done.status, Some(0), "{options:?}: {}", done.err());
        done.out()
    };
    let hasty = run(&["--budget", "0"]);
    assert!(hasty.contains("options=\"--best --members=1 --always\""), "{hasty}");
    assert_eq!(hasty, run(&["--members", "1"]));
}

/// What would do nothing is refused.
#[test]
fn options_that_nobody_looks_at_are_wrong_usage() {
    for wrong in [
        &["--seed", "3"][..],
        &["--exact", "--seed", "3"],
        &["--intrinsics", "rules.xml"],
        &["--externals", "externals.toml"],
    ] {
        assert_eq!(run(wrong, GRAPH).status, Some(2), "{wrong:?}");
    }
    for wrong in [&["--graphs", "--best"][..], &["--count", "--store", "auto"], &["--members", "2"]]
    {
        let done = tool("xaif-preaccumulate", wrong, workspace(), b"");
        assert_eq!(done.status, Some(2), "{wrong:?}: {}", done.err());
    }
}

#[test]
fn an_unknown_heuristic_is_wrong_usage_and_the_message_lists_what_there_is() {
    let finished = run(&["--heuristic", "lm,fastest"], GRAPH);
    assert_eq!(finished.status, Some(2));
    assert!(finished.err().contains("there is no heuristic `fastest`"), "{}", finished.err());
    assert!(finished.err().contains("mmr"), "{}", finished.err());
}

#[test]
fn what_is_proved_is_said() {
    let plain = r#"{ "inputs": 1, "vertices": 3, "outputs": [2], "edges": [[0, 1], [1, 2]] }"#;
    for option in ["--exact", "--best"] {
        let finished = run(&[option], plain);
        let line = "no elimination of the techniques tried takes fewer multiplications\n";
        assert!(finished.out().contains(line), "{option}: {}", finished.out());
    }
    // A search that does not end still leaves what the heuristic found.
    let finished = run(&["--exact=0"], plain);
    assert!(finished.out().contains("vertex elimination by lm,reverse\n"), "{}", finished.out());
    assert!(
        finished.out().contains("the exact search by vertex has not ended within 0 states\n"),
        "{}",
        finished.out()
    );
    let finished = run(&["--exact", "--technique", "face"], plain);
    let line = "the exact search knows vertices and edges, not faces\n";
    assert!(finished.out().contains(line), "{}", finished.out());
    // With constants there is no bound.
    let finished = run(&["--best"], GRAPH);
    assert!(!finished.out().contains("fewer"), "{}", finished.out());
}

#[test]
fn bench_elimination_prints_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("small.json");
    std::fs::write(&file, GRAPH).expect("written");
    let mut command = std::process::Command::new(workspace().join("scripts/bench-elimination"));
    command
        .arg(&file)
        .arg("--tool")
        .arg(oxad_tests::programs::binaries().join("xaif-preaccumulate"));
    let finished =
        oxad_tests::programs::finish(command, b"").expect("scripts/bench-elimination runs");
    assert_eq!(finished.status, Some(0), "{}", finished.err());
    for row in ["| | small |", "| forward | 2 2 2 |", "| exact search | 2 2 - |"] {
        assert!(finished.out().contains(row), "{}", finished.out());
    }
}

#[test]
fn the_scarce_form_keeps_a_narrow_vertex() {
    let graph = r#"{ "name": "waist", "inputs": 3, "vertices": 7, "outputs": [4, 5, 6],
      "edges": [[0, 3], [1, 3], [2, 3], [3, 4], [3, 5], [3, 6]] }"#;
    let finished = run(&["--scarce"], graph);
    assert_eq!(finished.status, Some(0), "{}", finished.err());
    let head = "graph waist: 3 inputs, 1 intermediates, 3 outputs, 6 edges\n\
                6 values after 0 multiplications, 0 additions\nJ(3, 0) = c_3_0\n";
    assert!(finished.out().starts_with(head), "{}", finished.out());
    let counted = run(&["--scarce", "--count"], graph).out();
    assert_eq!(counted.lines().count(), 2, "{counted}");
}

#[test]
fn every_command_of_the_page_prints_what_it_shows() {
    let path = workspace().join("docs/elimination/pictures.md");
    let mut page = std::fs::read_to_string(&path).expect("the page");
    let folder = tempfile::tempdir().expect("a folder");
    let copied =
        Command::new("cp").arg("-r").arg(workspace().join("examples")).arg(folder.path()).status();
    assert!(copied.is_ok_and(|status| status.success()), "the examples are copied");
    let search = std::env::var("PATH").unwrap_or_default();
    let shown = commands(&page);
    assert!(shown.len() >= 3, "the page has commands");
    for Shown { line, command, output } in shown {
        let mut bash = Command::new("bash");
        bash.args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(folder.path())
            .env("PATH", format!("{}:{search}", binaries().display()));
        let printed = finish(bash, b"").expect("bash runs").out();
        if std::env::var_os("OXAD_BLESS").is_some() && !output.lines().any(|line| line == "...") {
            let block = |output: &str| format!("$ {command}\n{output}```");
            page = page.replacen(&block(&output), &block(&printed), 1);
            std::fs::write(&path, &page).expect("the page is writable");
        } else {
            assert!(matches(&output, &printed), "line {line}: {command}\n{printed}");
        }
    }
}

#[test]
fn counts_alone_are_written_where_they_are_asked_for() {
    let counted = run(&["--technique", "edge", "--heuristic", "reverse", "--count"], GRAPH).out();
    assert_eq!(counted.lines().count(), 3, "{counted}");
    assert!(counted.ends_with("2 multiplications, 1 additions, 4 entries\n"), "{counted}");
}

/// What is counted of a graph is counted of each run of a document.
#[test]
fn the_runs_of_a_document_are_counted() {
    let source = "subroutine two(x, y)\n real(8), intent(in) :: x\n real(8), intent(out) :: y(2)\n \
                  real(8) :: a\n a = sin(x)\n y(1) = a*x\n y(2) = a*y(1)\n call other()\n \
                  a = x*x\n y(1) = a*y(1)\nend subroutine\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("two.f90"), source).expect("the source is written");
    let document = tool("f2xaif", &["two.f90"], folder.path(), b"");
    assert_eq!(document.status, Some(0), "{}", document.err());
    let run = |options: &[&str]| {
        let finished = tool("xaif-preaccumulate", options, workspace(), document.out().as_bytes());
        assert_eq!(finished.status, Some(0), "{}", finished.err());
        finished.out()
    };
    let counted = run(&["--count"]);
    assert_eq!(counted.matches("graph two").count(), 2, "{counted}");
}

#[test]
fn the_graphs_of_the_kernels_are_written_and_read_again() {
    let folder = workspace().join("bench/graphs");
    let mut sources: Vec<_> = std::fs::read_dir(folder)
        .expect("the kernels")
        .map(|entry| entry.expect("a kernel").path())
        .collect();
    sources.sort();
    assert!(sources.len() >= 7, "{sources:?}");
    for source in sources {
        let name = source.file_stem().expect("a name").to_string_lossy().into_owned();
        let path = source.to_string_lossy().into_owned();
        let document = tool("f2xaif", &[&path], workspace(), b"").out();
        let written = tool("xaif-preaccumulate", &["--graphs"], workspace(), document.as_bytes());
        assert_eq!(written.status, Some(0), "{}", written.err());
        let text = written.out();
        assert_eq!(text.lines().count(), 1, "{name}: one run");
        let read = run(&["--count"], &text);
        assert!(read.out().starts_with(&format!("graph {name}: ")), "{}", read.out());
    }
}
