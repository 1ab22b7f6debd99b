//! Dependencies of outputs as a rule of make, as compilers write them (`gcc -MMD -MP`).

use std::path::{Path, PathBuf};

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

/// The outputs and the inputs of the first rule of a text of [`Console::write_depfile`](super::Console::write_depfile); `None` for another text.
pub fn read(text: &str) -> Option<(Vec<PathBuf>, Vec<PathBuf>)> {
    let text = text.replace("\\\n", " ");
    let line = text.lines().next()?;
    let (mut words, mut word) = (vec![Vec::new()], String::new());
    let mut characters = line.chars().chain([' ']).peekable();
    while let Some(c) = characters.next() {
        let next = characters.peek().copied();
        match (c, next) {
            ('\\', Some(escaped @ (' ' | '#'))) => {
                word.push(escaped);
                characters.next();
            }
            ('$', Some('$')) => {
                word.push('$');
                characters.next();
            }
            (':', Some(' ') | None) if words.len() == 1 => {
                words.last_mut()?.push(PathBuf::from(std::mem::take(&mut word)));
                words.push(Vec::new());
            }
            (' ', _) if word.is_empty() => (),
            (' ', _) => words.last_mut()?.push(PathBuf::from(std::mem::take(&mut word))),
            _ => word.push(c),
        }
    }
    let inputs = (words.len() == 2).then(|| words.pop())??;
    Some((words.pop()?, inputs))
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
        let (written, read) = read(&text).expect("a rule");
        assert_eq!(written, outputs.map(Path::to_path_buf));
        assert_eq!(read, inputs.map(Path::to_path_buf));
        assert_eq!(super::read("no rule"), None);
        assert_eq!(super::read("a:\n"), Some((vec!["a".into()], Vec::new())));
    }
}
