//! C source files: the preprocessor, and the way from its output back to the lines of the user.
//!
//! The system's `cc -E` expands macros and includes headers. `LineMap` reads its line markers, so that every
//! position of the expanded text has a file, a line and a column of the original. Comments
//! are read from the original text, as the preprocessor drops them.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use xaif_schema::diag::{Code, Diagnostic, Spot};

/// How C sources are read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folders of included files.
    pub include: Vec<PathBuf>,
    /// Macros that are defined, `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Macros that are not defined.
    pub undefine: Vec<String>,
}

/// A header that stands before the system's: ASSERT stays a call that the front end recognises.
const ASSERT: &str = "void __oxad_assert(int, const char *);\n#undef assert\n\
    #define assert(e) __oxad_assert(!!(e), #e)\n";

/// What the system's headers use beyond the language that the parser knows.
const SHIMS: &[&str] = &[
    "-D__restrict=restrict",
    "-D__extension__=",
    "-D__builtin_va_list=int",
    "-D_Float128=double",
    "-U__SIZEOF_FLOAT128__",
    "-U__OPTIMIZE__",
    "-D__NO_INLINE__",
];

/// The text of `path` behind the preprocessor.
pub(crate) fn preprocess(path: &Path, options: &Options) -> Result<String, Box<Diagnostic>> {
    let name = path.display().to_string();
    let failed = |why: String| {
        let message = format!("the preprocessor cannot read `{name}`: {why}");
        Box::new(
            Diagnostic::error(Code::CPP_FAILED, Some(Spot::new(name.as_str(), 0, 0)), message)
                .with_help("`cc -E` on the file shows the whole message"),
        )
    };
    let shims = tempfile::tempdir().map_err(|error| failed(error.to_string()))?;
    let header = shims.path().join("assert.h");
    std::fs::File::create(header)
        .and_then(|mut file| file.write_all(ASSERT.as_bytes()))
        .map_err(|error| failed(error.to_string()))?;
    let mut command = Command::new("cc");
    command.args(["-E", "-std=gnu11", "-x", "c"]).args(SHIMS).arg("-I").arg(shims.path());
    command.args(options.include.iter().map(|folder| format!("-I{}", folder.display())));
    command.args(options.define.iter().map(|define| format!("-D{define}")));
    command.args(options.undefine.iter().map(|name| format!("-U{name}")));
    let output = command.arg(path).output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let first = text.lines().find(|line| line.contains("error")).or(text.lines().next());
        return Err(located(first.unwrap_or("it ended with an error")).unwrap_or_else(|| {
            failed(first.unwrap_or("it ended with an error").trim().to_owned())
        }));
    }
    String::from_utf8(output.stdout).map_err(|error| failed(error.to_string()))
}

/// A message of the preprocessor, `file:line:col: fatal error: text`, as one of ours.
fn located(line: &str) -> Option<Box<Diagnostic>> {
    let (place, text) = line.split_once("error:")?;
    let mut parts =
        place.trim().trim_end_matches("fatal").trim().trim_end_matches(':').rsplitn(3, ':');
    let column: u32 = parts.next()?.trim().parse().ok()?;
    let row: u32 = parts.next()?.trim().parse().ok()?;
    let spot = Spot::new(parts.next()?, row, column);
    let message = format!("the preprocessor fails: {}", text.trim());
    let help = "name folders of headers by -I, and macros by -D";
    Some(Box::new(Diagnostic::error(Code::CPP_FAILED, Some(spot), message).with_help(help)))
}

/// Where a position of the expanded text stands in the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Index into [`LineMap::files`].
    pub(crate) file: usize,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// Whether it stands in a header of the system.
    pub(crate) system: bool,
}

/// The lines of an expanded text with their original places.
#[derive(Debug)]
pub(crate) struct LineMap {
    /// Names of files.
    pub(crate) files: Vec<String>,
    /// For each line: its first byte, and the place of that byte.
    lines: Vec<(usize, Origin)>,
}

impl LineMap {
    /// Reads the line markers of an expanded text.
    pub(crate) fn new(text: &str) -> Self {
        let mut files: Vec<String> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut at = Origin { file: 0, line: 1, column: 1, system: false };
        let mut lines = Vec::new();
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            lines.push((offset, at.clone()));
            offset += line.len();
            match marker(line) {
                Some((number, name, system)) => {
                    at.file = *known.entry(name.clone()).or_insert_with(|| {
                        files.push(name);
                        files.len() - 1
                    });
                    (at.line, at.system) = (number, system);
                }
                None => at.line += 1,
            }
        }
        lines.push((offset, at));
        LineMap { files, lines }
    }

    /// The place of byte `offset`.
    pub(crate) fn origin(&self, offset: usize) -> Origin {
        let index = self.lines.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        let Some((start, first)) = self.lines.get(index) else {
            return Origin { file: 0, line: 1, column: 1, system: false };
        };
        let column = u32::try_from(offset - start + 1).unwrap_or(u32::MAX);
        Origin { column, ..first.clone() }
    }
}

/// `# 12 "file.h" 1 3`: number, name, and whether the file is a header of the system.
fn marker(line: &str) -> Option<(u32, String, bool)> {
    let rest = line.strip_prefix("# ")?;
    let (number, rest) = rest.split_once(' ')?;
    let rest = rest.trim().strip_prefix('"')?;
    let (name, flags) = rest.rsplit_once('"')?;
    let system = flags.split_whitespace().any(|flag| flag == "3") || name.starts_with('<');
    // The header that replaces the system's stands in a folder for temporary files.
    let shim = name.ends_with("/assert.h");
    Some((number.parse().ok()?, name.replace("\\\\", "\\"), system || shim))
}

/// A comment of the original text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The last line that it stands on.
    pub(crate) last: u32,
    /// The text of one line.
    pub(crate) text: String,
    /// Whether code stands before it on its line.
    pub(crate) trailing: bool,
}

/// What the original text has beside code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trivia {
    /// Comments, each line of one by itself, in order.
    pub(crate) comments: Vec<Comment>,
    /// Pragmas, without the `#`.
    pub(crate) pragmas: Vec<(u32, String)>,
}

/// Reads comments and lines of the preprocessor.
pub(crate) fn trivia(text: &str) -> Trivia {
    let mut found = Trivia::default();
    let mut in_block = false;
    for (index, line) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        if !in_block {
            let trimmed = line.trim_start();
            if let Some(rest) = trimmed.strip_prefix('#')
                && rest.trim_start().starts_with("pragma")
            {
                found.pragmas.push((number, rest.trim().to_owned()));
            }
        }
        scan_line(line, number, &mut in_block, &mut found.comments);
    }
    found
}

/// Finds the comments of one line.
fn scan_line(line: &str, number: u32, in_block: &mut bool, comments: &mut Vec<Comment>) {
    let bytes = line.as_bytes();
    let mut at = 0;
    let mut code = false;
    let mut add = |from: usize, to: usize, column: usize, code: bool| {
        let text = line[from..to].trim_end();
        let text = text.strip_prefix(' ').unwrap_or(text);
        let text = text.trim_start_matches('*').to_owned();
        if text.trim().is_empty() {
            return;
        }
        let column = u32::try_from(column + 1).unwrap_or(u32::MAX);
        let text = if text.starts_with(' ') { text } else { format!(" {text}") };
        comments.push(Comment { line: number, column, last: number, text, trailing: code });
    };
    while at < bytes.len() {
        if *in_block {
            let end = line[at..].find("*/").map(|end| at + end);
            let stop = end.unwrap_or(bytes.len());
            let start = line[at..stop].len() - line[at..stop].trim_start().len() + at;
            add(start.min(stop), stop, at, code);
            *in_block = end.is_none();
            at = end.map_or(bytes.len(), |end| end + 2);
            continue;
        }
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                add(at + 2, bytes.len(), at, code);
                return;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                *in_block = true;
                at += 2;
                continue;
            }
            quote @ (b'"' | b'\'') => {
                code = true;
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b' ' | b'\t' => {}
            _ => code = true,
        }
        at += 1;
    }
}
