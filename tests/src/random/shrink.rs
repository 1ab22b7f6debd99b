//! Makes a program that fails smaller: statements, arms of constructs and parts of expressions are
//! left out as long as it still fails in the same way.
//!
//! What is left out may make a text that is no program any more: it then fails in another way and
//! is not kept.

use super::program::{Node, Program};

/// The smallest program found for which `fails` holds; `fails` holds for `program`. At most
/// `tries` programs are looked at.
pub fn shrink(program: &Program, mut tries: usize, fails: impl Fn(&Program) -> bool) -> Program {
    let mut best = program.clone();
    loop {
        let before = best.clone();
        drop_nodes(&mut best, &mut tries, &fails);
        simplify_lines(&mut best, &mut tries, &fails);
        if best.source() == before.source() || tries == 0 {
            return best;
        }
    }
}

/// The shortest text found for which `fails` holds; `fails` holds for `text`. Lines are left out, in
/// pieces of halving length, and pairs of lines that open and close something; then lines are made shorter.
pub(super) fn shrink_text(text: &str, mut tries: usize, fails: impl Fn(&str) -> bool) -> String {
    let mut best: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut attempt = |lines: &[String]| {
        tries = tries.saturating_sub(1);
        tries > 0 && fails(&(lines.join("\n") + "\n"))
    };
    loop {
        let before = best.clone();
        let mut length = best.len() / 2;
        while length > 0 {
            drop_pieces(&mut best, length, &mut attempt);
            length /= 2;
        }
        drop_pairs(&mut best, &mut attempt);
        for at in 0..best.len() {
            'again: loop {
                for shorter in simpler(&best[at]) {
                    let mut candidate = best.clone();
                    candidate[at] = shorter;
                    if attempt(&candidate) {
                        best = candidate;
                        continue 'again;
                    }
                }
                break;
            }
        }
        if best == before {
            return best.join("\n") + "\n";
        }
    }
}

fn drop_pieces(best: &mut Vec<String>, length: usize, attempt: &mut impl FnMut(&[String]) -> bool) {
    let mut at = best.len();
    while at >= length {
        let mut candidate = best.clone();
        candidate.drain(at - length..at);
        if attempt(&candidate) {
            *best = candidate;
        }
        at = (at - length.div_ceil(2)).min(best.len());
    }
}

/// A line goes with the next one of its depth.
fn drop_pairs(best: &mut Vec<String>, attempt: &mut impl FnMut(&[String]) -> bool) {
    let depth = |line: &String| line.len() - line.trim_start().len();
    let mut at = best.len();
    while at > 0 {
        at -= 1;
        let Some(line) = best.get(at) else { continue };
        let own = depth(line);
        let Some(next) = best.iter().skip(at + 1).position(|line| depth(line) <= own) else {
            continue;
        };
        let mut candidate = best.clone();
        candidate.remove(at + 1 + next);
        candidate.remove(at);
        if attempt(&candidate) {
            *best = candidate;
        }
    }
}

/// Tries each change to the nodes, from the last to the first: a construct goes before its parts.
fn drop_nodes(best: &mut Program, tries: &mut usize, fails: &impl Fn(&Program) -> bool) {
    for change in [Change::Drop, Change::Unwrap, Change::DropArm] {
        let mut at = count(best);
        while at > 0 {
            at -= 1;
            if *tries == 0 {
                return;
            }
            let mut candidate = best.clone();
            if !apply(&mut candidate, at, &change) {
                continue;
            }
            *tries -= 1;
            if fails(&candidate) {
                *best = candidate;
                at = at.min(count(best));
            }
        }
    }
}

fn simplify_lines(best: &mut Program, tries: &mut usize, fails: &impl Fn(&Program) -> bool) {
    for at in 0..count(best) {
        'again: loop {
            for text in simpler(&line(best, at)) {
                if *tries == 0 {
                    return;
                }
                *tries -= 1;
                let mut candidate = best.clone();
                if apply(&mut candidate, at, &Change::Text(text)) && fails(&candidate) {
                    *best = candidate;
                    continue 'again;
                }
            }
            break;
        }
    }
}

/// A change to one node.
enum Change {
    Drop,
    /// The bodies of a construct without the construct.
    Unwrap,
    /// The last arm.
    DropArm,
    /// Another text of a line, or of the header of a construct.
    Text(String),
}

/// The number of nodes of all units.
fn count(program: &Program) -> usize {
    let inner: usize =
        program.units.iter().flat_map(|unit| &unit.inner).map(|unit| size(&unit.body)).sum();
    inner + program.units.iter().map(|unit| size(&unit.body)).sum::<usize>()
}

fn size(nodes: &[Node]) -> usize {
    nodes
        .iter()
        .map(|node| match node {
            Node::Line(_) => 1,
            Node::Block { arms, .. } => 1 + arms.iter().map(|(_, body)| size(body)).sum::<usize>(),
        })
        .sum()
}

/// Applies `change` to node `at`, counted through all units; false where it does not apply.
fn apply(program: &mut Program, mut at: usize, change: &Change) -> bool {
    for unit in &mut program.units {
        let here = size(&unit.body);
        if at < here {
            return apply_in(&mut unit.body, at, change);
        }
        at -= here;
    }
    for unit in program.units.iter_mut().flat_map(|unit| &mut unit.inner) {
        let here = size(&unit.body);
        if at < here {
            return apply_in(&mut unit.body, at, change);
        }
        at -= here;
    }
    false
}

fn apply_in(nodes: &mut Vec<Node>, mut at: usize, change: &Change) -> bool {
    for index in 0..nodes.len() {
        if at == 0 {
            return change_node(nodes, index, change);
        }
        at -= 1;
        if let Node::Block { arms, .. } = &mut nodes[index] {
            for (_, body) in arms {
                let here = size(body);
                if at < here {
                    return apply_in(body, at, change);
                }
                at -= here;
            }
        }
    }
    false
}

fn change_node(nodes: &mut Vec<Node>, index: usize, change: &Change) -> bool {
    match (change, &mut nodes[index]) {
        (Change::Drop, _) => {
            nodes.remove(index);
            true
        }
        (Change::Unwrap, Node::Block { arms, .. }) => {
            let bodies: Vec<Node> = arms.drain(..).flat_map(|(_, body)| body).collect();
            nodes.splice(index..=index, bodies);
            true
        }
        (Change::DropArm, Node::Block { arms, .. }) if arms.len() > 1 => {
            arms.pop();
            true
        }
        (Change::Text(text), Node::Line(line)) => {
            line.clone_from(text);
            true
        }
        (Change::Text(text), Node::Block { arms, .. }) => match arms.first_mut() {
            Some((header, _)) => {
                header.clone_from(text);
                true
            }
            None => false,
        },
        (Change::Unwrap | Change::DropArm, _) => false,
    }
}

/// The text of node `at`.
fn line(program: &Program, mut at: usize) -> String {
    let inner = program.units.iter().flat_map(|unit| &unit.inner);
    for unit in program.units.iter().chain(inner) {
        let here = size(&unit.body);
        if at < here {
            return text_in(&unit.body, at);
        }
        at -= here;
    }
    String::new()
}

fn text_in(nodes: &[Node], mut at: usize) -> String {
    for node in nodes {
        match node {
            Node::Line(text) if at == 0 => return text.clone(),
            Node::Block { arms, .. } if at == 0 => {
                return arms.first().map(|(header, _)| header.clone()).unwrap_or_default();
            }
            Node::Line(_) => at -= 1,
            Node::Block { arms, .. } => {
                at -= 1;
                for (_, body) in arms {
                    let here = size(body);
                    if at < here {
                        return text_in(body, at);
                    }
                    at -= here;
                }
            }
        }
    }
    String::new()
}

/// Shorter texts that may mean something similar: a group in parentheses becomes a number or its
/// first part, an operand is left out.
fn simpler(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let is_name = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'%';
    for (open, _) in text.match_indices('(') {
        let Some(close) = closing(bytes, open) else { continue };
        let start = bytes[..open].iter().rposition(|&c| !is_name(c)).map_or(0, |at| at + 1);
        let inner = &text[open + 1..close];
        let replace = |with: &str| format!("{}{with}{}", &text[..start], &text[close + 1..]);
        found.push(replace("0.7d0"));
        for part in split(inner, b',') {
            found.push(replace(&format!("({})", part.trim())));
            found.push(replace(part.trim()));
        }
    }
    for (at, &c) in bytes.iter().enumerate() {
        if at > 0 && matches!(c, b'+' | b'-' | b'*' | b'/') {
            // The operand to the right, up to the end of the group or the next operator.
            let end = operand_end(bytes, at + 1);
            found.push(format!("{}{}", text[..at].trim_end(), &text[end..]));
            let begin = operand_begin(bytes, at);
            found.push(format!("{}{}", &text[..begin], text[at + 1..].trim_start()));
        }
    }
    found.retain(|candidate| candidate.len() < text.len());
    found.sort_by_key(String::len);
    found.dedup();
    found
}

fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, &c) in bytes.iter().enumerate().skip(open) {
        match c {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn split(text: &str, separator: u8) -> Vec<&str> {
    let (mut depth, mut start) = (0, 0);
    let mut parts = Vec::new();
    for (at, &c) in text.as_bytes().iter().enumerate() {
        match c {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ if c == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn operand_end(bytes: &[u8], from: usize) -> usize {
    let mut depth = 0;
    for (at, &c) in bytes.iter().enumerate().skip(from) {
        match c {
            b'(' | b'[' => depth += 1,
            b')' | b']' if depth == 0 => return at,
            b')' | b']' => depth -= 1,
            b',' | b'<' | b'>' | b'=' if depth == 0 => return at,
            b'+' | b'-' if depth == 0 && at > from + 1 => return at,
            _ => {}
        }
    }
    bytes.len()
}

fn operand_begin(bytes: &[u8], until: usize) -> usize {
    let mut depth = 0;
    for at in (0..until).rev() {
        match bytes[at] {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth == 0 => return at + 1,
            b'(' | b'[' => depth -= 1,
            b',' | b'<' | b'>' | b'=' if depth == 0 => return at + 1,
            b'+' | b'-' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    0
}
