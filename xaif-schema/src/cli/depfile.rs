//! Dependencies of outputs as a rule of make, as compilers write them (`gcc -MMD -MP`).

use std::path::Path;

/// The rule. Each input has an empty rule of its own: where it is gone, make calls the tool, which tells why that is
/// an error.
pub(super) fn rule<'p>(
    outputs: impl Iterator<Item = &'p Path>,
    inputs: impl Iterator<Item = &'p Path>,
) -> String {
    let inputs: Vec<String> = inputs.map(escaped).collect();
    let outputs: Vec<String> = outputs.map(escaped).collect();
    let mut text = format!("{}:", outputs.join(" \\\n  "));
    for input in &inputs {
        text.push_str(" \\\n  ");
        text.push_str(input);
    }
    text.push('\n');
    for input in &inputs {
        text.push_str(&format!("{input}:\n"));
    }
    text
}

/// A path as make takes it.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for c in path.to_string_lossy().chars() {
        match c {
            ' ' | '#' => text.extend(['\\', c]),
            '$' => text.push_str("$$"),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_make_reads_them() {
        let outputs = [Path::new("out/a_b.f90"), Path::new("out/tape.c")];
        let inputs = [Path::new("my file.f90"), Path::new("a#1$.inc")];
        let text = rule(outputs.into_iter(), inputs.into_iter());
        let first = "out/a_b.f90 \\\n  out/tape.c: \\\n  my\\ file.f90 \\\n  a\\#1$$.inc\n";
        assert_eq!(text, format!("{first}my\\ file.f90:\na\\#1$$.inc:\n"));
    }
}
