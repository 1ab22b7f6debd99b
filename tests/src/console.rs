//! The `console` blocks of a Markdown page: commands with the output that the page shows.
//!
//! A line that starts with `$ ` is a command for bash, which goes on while lines end in a
//! backslash; what follows, up to the next command, is its output, standard error included. A
//! line `...` in the output stands for any lines.

/// One command of a page and what it is shown to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The line of the page, counted from 1.
    pub line: usize,
    /// The command, continuation lines joined by newlines.
    pub command: String,
    /// The output as shown, each line ended by a newline.
    pub output: String,
}

/// The commands in the `console` blocks of `page`, in order.
pub fn commands(page: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut inside = false;
    let mut continued = false;
    for (index, line) in page.lines().enumerate() {
        if line.starts_with("```") {
            inside = !inside && line == "```console";
            continued = false;
        } else if !inside {
            continue;
        } else if let Some(command) = line.strip_prefix("$ ") {
            continued = command.ends_with('\\');
            let command = command.to_owned();
            found.push(Shown { line: index + 1, command, output: String::new() });
        } else if let Some(last) = found.last_mut() {
            if continued {
                last.command.push('\n');
                last.command.push_str(line);
                continued = line.ends_with('\\');
            } else {
                last.output.push_str(line);
                last.output.push('\n');
            }
        }
    }
    found
}

/// Whether `printed` is what `shown` promises.
pub fn matches(shown: &str, printed: &str) -> bool {
    let shown: Vec<&str> = shown.lines().collect();
    let printed: Vec<&str> = printed.lines().collect();
    let mut parts = shown.split(|line| line.trim() == "...");
    let Some(first) = parts.next() else { return printed.is_empty() };
    let parts: Vec<&[&str]> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return first == printed };
    let Some(rest) = printed.strip_prefix(first) else { return false };
    let Some(mut rest) = rest.strip_suffix(*last) else { return false };
    for part in middle.iter().filter(|part| !part.is_empty()) {
        let Some(at) = rest.windows(part.len()).position(|lines| lines == *part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_taken_from_console_blocks_only() {
        let page = "a\n```sh\n$ no\n```\n```console\n$ echo a \\\n  b\na b\n$ true\n```\n$ no\n";
        assert_eq!(
            commands(page),
            [
                Shown { line: 6, command: "echo a \\\n  b".into(), output: "a b\n".into() },
                Shown { line: 9, command: "true".into(), output: String::new() },
            ]
        );
    }

    #[test]
    fn dots_stand_for_any_lines() {
        assert!(matches("a\nb\n", "a\nb\n"));
        assert!(!matches("a\n", "a\nb\n"));
        assert!(matches("a\n...\n", "a\nb\nc\n"));
        assert!(matches("a\n...\nd\n", "a\nb\nc\nd\n"));
        assert!(matches("...\nc\n...\n", "a\nb\nc\nd\n"));
        assert!(!matches("...\nx\n...\n", "a\nb\n"));
        assert!(!matches("a\n...\na\n", "a\n"));
        assert!(!matches("a\n", ""));
    }
}
