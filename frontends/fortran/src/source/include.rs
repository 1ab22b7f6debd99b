//! INCLUDE lines.

use std::path::{Path, PathBuf};

use xaif_schema::diag::{Code, Diagnostic};

use super::{Place, Reader, Statement, text};

/// INCLUDE nests no deeper than this: deeper means that a file includes itself.
const MAX_INCLUDES: u32 = 30;

/// The file name of an INCLUDE line.
fn included(statement: &str) -> Option<&str> {
    let rest = statement.get(..7).filter(|word| word.eq_ignore_ascii_case("include"));
    let rest = rest.and(statement.get(7..))?.trim();
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let inner = rest.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inner.contains(quote)).then_some(inner)
}

impl Reader<'_> {
    /// Reads what `statement` includes; whether it was an INCLUDE line.
    pub(super) fn include(&mut self, statement: &Statement) -> bool {
        let Some(name) = included(&statement.text) else { return false };
        let place = statement.map.place(0);
        if self.depth >= MAX_INCLUDES {
            self.include_error(
                place,
                Code::INCLUDE_DEPTH,
                format!("INCLUDE is nested more than {MAX_INCLUDES} deep"),
                "look for a file that includes itself",
            );
            return true;
        }
        let candidates = self.candidates(name, place);
        let found = candidates.iter().find_map(|path| Some((path, std::fs::read(path).ok()?)));
        match found {
            Some((path, bytes)) => {
                let text = text::decode(&bytes);
                let name = path.to_string_lossy().into_owned();
                let file = self.source(&name);
                if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
                    self.lines.diagnostics.push(super::no_text(&name, &bytes[..at]));
                    return true;
                }
                self.depth += 1;
                self.read(&text, file, self.preprocessed);
                self.depth -= 1;
                self.lines.texts.push((name.into(), text));
            }
            None => self.include_error(
                place,
                Code::INCLUDE_NOT_FOUND,
                format!("the included file `{name}` is not found"),
                "name the folder that holds it with -I",
            ),
        }
        true
    }

    fn candidates(&self, name: &str, place: Place) -> Vec<PathBuf> {
        let including = self.lines.sources.get(place.file as usize);
        let including = including.map(|source| Path::new(&**source));
        let folder = including.and_then(Path::parent).unwrap_or(Path::new(""));
        let dirs = self.options.include_dirs.iter().map(PathBuf::as_path);
        std::iter::once(folder).chain(dirs).map(|dir| dir.join(name)).collect()
    }

    fn include_error(&mut self, place: Place, code: Code, message: String, help: &str) {
        let spot = self.spot(place);
        self.lines.diagnostics.push(Diagnostic::error(code, Some(spot), message).with_help(help));
    }
}
