//! A program from its text: the modules' text, procedures, and the tree of their statements.
//!
//! It reads what generators write, no Fortran: one statement a line, the module's CONTAINS in the first
//! column, blocks closed by END, declarations by `::` at the begin of a procedure.

use super::program::{Node, Program, Ty, Unit};

/// The program of a text with one module; its last procedure is the one to differentiate.
pub fn of_text(seed: u64, text: &str, args: Vec<(String, Ty, Vec<i64>)>) -> Program {
    let mut lines = text.lines().skip(1).skip_while(|line| line.trim() == "implicit none");
    let module = lines.by_ref().take_while(|line| *line != "contains");
    let module = module.map(|line| line.strip_prefix("  ").unwrap_or(line).to_string()).collect();
    let mut lines = lines.map(str::trim).peekable();
    let mut units = Vec::new();
    while let Some(open) = lines.next_if(|line| !line.starts_with("end module")) {
        let mut spec = Vec::new();
        while let Some(line) = lines.next_if(|line| is_declaration(line)) {
            spec.push(line.to_string());
        }
        let mut body = Vec::new();
        let close = nodes(&mut lines, &mut body);
        units.push(Unit {
            name: name_of(open).to_string(),
            open: open.to_string(),
            spec,
            vars: Vec::new(),
            extra: Vec::new(),
            first: Vec::new(),
            body,
            inner: Vec::new(),
            close,
        });
    }
    Program { seed, modular: true, module, units, args, mixed: false, may_be_refused: true }
}

fn is_declaration(line: &str) -> bool {
    line.contains("::") && !line.starts_with("allocate")
}

/// The name of the procedure that a line opens.
fn name_of(open: &str) -> &str {
    let head = open.split('(').next().unwrap_or(open);
    head.split_whitespace().next_back().unwrap_or(head)
}

/// Reads statements up to a line that no construct opened here takes; that line.
fn nodes<'a>(lines: &mut impl Iterator<Item = &'a str>, into: &mut Vec<Node>) -> String {
    while let Some(line) = lines.next() {
        if opens(line) {
            into.push(construct(line, lines));
        } else if divides(line) || line.starts_with("end") {
            return line.to_string();
        } else {
            into.push(Node::Line(line.to_string()));
        }
    }
    String::new()
}

fn construct<'a>(open: &str, lines: &mut impl Iterator<Item = &'a str>) -> Node {
    let mut header = open.to_string();
    let mut arms = Vec::new();
    loop {
        let mut body = Vec::new();
        let end = nodes(lines, &mut body);
        if body.is_empty() && arms.is_empty() && open.starts_with("select") && divides(&end) {
            header = format!("{open}\n{end}");
            continue;
        }
        arms.push((header, body));
        if !divides(&end) {
            return Node::Block { arms, close: end };
        }
        header = end;
    }
}

fn opens(line: &str) -> bool {
    let line = line.split_once(": ").map_or(line, |(name, rest)| {
        if name.chars().all(|c| c.is_ascii_alphanumeric()) { rest } else { line }
    });
    line.starts_with("do ")
        || line.starts_with("if (") && line.ends_with(" then")
        || line.starts_with("select ")
        || line.starts_with("associate (")
        || line == "block"
}

fn divides(line: &str) -> bool {
    ["else", "case ", "type is ", "class is ", "class default"]
        .iter()
        .any(|word| line.starts_with(word))
}
