//! Words of directives to differentiation tools: which mean something here, which other tools know, and which nobody does.

use xaif_schema::diag::{Code, Diagnostic};

use super::Reader;
use crate::syntax::ast::Directive;

/// What a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Variables with respect to which, or of which, the procedure is differentiated.
    Variables,
    /// How the calls of the next statement are differentiated.
    Calls,
    /// How the adjoint of the next loop keeps states of the loop.
    Loops,
    /// Another tool's, which has no effect here.
    Foreign(&'static str),
}

/// The sentinels of differentiation tools.
const TOOLS: &[&str] = &["$oxad", "$openad", "$ad", "$taf", "adj"];

/// All words that are known, in lower case. Those that mean something stand behind `$oxad`, `$openad` and `$ad`.
const WORDS: &[(&str, Meaning)] = &[
    ("independent", Meaning::Variables),
    ("dependent", Meaning::Variables),
    ("nocheckpoint", Meaning::Calls),
    ("checkpoint", Meaning::Calls),
    ("binomial", Meaning::Loops),
    ("periodic", Meaning::Loops),
    ("disk", Meaning::Loops),
    ("binomial-ckp", Meaning::Loops),
    ("xxx", Meaning::Foreign("OpenAD")),
    ("ii-loop", Meaning::Foreign("Tapenade")),
    ("checkpoint-start", Meaning::Foreign("Tapenade")),
    ("checkpoint-end", Meaning::Foreign("Tapenade")),
    ("do-not-diff", Meaning::Foreign("Tapenade")),
    ("end-do-not-diff", Meaning::Foreign("Tapenade")),
    ("fp-loop", Meaning::Foreign("Tapenade")),
    ("store", Meaning::Foreign("TAF")),
    ("init", Meaning::Foreign("TAF")),
    ("loop", Meaning::Foreign("TAF")),
    ("subroutine", Meaning::Foreign("TAF")),
    ("module", Meaning::Foreign("TAF")),
    ("flow", Meaning::Foreign("TAF")),
    ("incomplete", Meaning::Foreign("TAF")),
    ("common", Meaning::Foreign("TAF")),
    ("active", Meaning::Foreign("TAF")),
    ("passive", Meaning::Foreign("TAF")),
];

/// A word with more differences is no misspelling.
const MOST_DIFFERENCES: usize = 3;

/// The word that a directive begins with, in lower case.
fn word(text: &str) -> String {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    text.chars().take_while(|&c| is_of_word(c)).collect::<String>().to_ascii_lowercase()
}

/// The known word with the fewest differences.
fn nearest(word: &str) -> Option<&'static str> {
    let own = WORDS.iter().filter(|(_, meaning)| !matches!(meaning, Meaning::Foreign(_)));
    let distance = |known: &&str| strsim::damerau_levenshtein(word, known);
    // `indep` abbreviates a word.
    if let Some((begun, _)) =
        own.clone().find(|(known, _)| word.len() > 2 && known.starts_with(word))
    {
        return Some(begun);
    }
    own.map(|(known, _)| *known)
        .min_by_key(distance)
        .filter(|known| distance(known) <= MOST_DIFFERENCES)
}

/// Whether a sentinel is nearly one of this tool, before nearly one of its words.
fn is_misspelt(sentinel: &str, word: &str) -> bool {
    let is_near = |known: &str| strsim::damerau_levenshtein(known, sentinel) <= 2;
    sentinel.len() > 3 && (is_near("$oxad") || is_near("$openad")) && nearest(word).is_some()
}

impl Reader<'_> {
    /// Tells of a directive to a differentiation tool that it has no effect: each word once in a file.
    pub(super) fn check_directive(&mut self, directive: &Directive) {
        // The word of a line that goes on stands in the line before.
        if directive.text.starts_with('&') {
            return;
        }
        let word = word(&directive.text);
        if !TOOLS.contains(&&*directive.sentinel) && !is_misspelt(&directive.sentinel, &word) {
            return;
        }
        let ours = matches!(&*directive.sentinel, "$oxad" | "$openad" | "$ad");
        let meaning = WORDS.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning);
        let (code, message, help) = match meaning {
            Some(Meaning::Variables | Meaning::Calls | Meaning::Loops) if ours => return,
            Some(Meaning::Foreign(tool)) => (
                Code::FOREIGN_DIRECTIVE,
                format!("the directive `{word}` is one of {tool} and has no effect here"),
                "take care that nothing relies on it; docs/coming-from.md has the counterparts"
                    .to_owned(),
            ),
            Some(Meaning::Variables | Meaning::Calls | Meaning::Loops) | None => {
                let help = match nearest(&word) {
                    Some(known) => format!("write `!$oxad {known}`"),
                    None => "docs/directives.md has the directives".to_owned(),
                };
                (Code::UNKNOWN_DIRECTIVE, format!("the directive `{word}` is not known"), help)
            }
        };
        if self.directives.insert((directive.sentinel.clone(), word)) {
            let spot = self.spot(directive.place);
            let warning = Diagnostic::warning(code, Some(spot), message).with_help(help);
            self.lines.diagnostics.push(warning);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Options, read_text};

    fn told(line: &str) -> Vec<(Code, String)> {
        let text = format!("subroutine s\n{line}\n{line}\nend subroutine\n");
        let lines = read_text("s.f90", &text, &Options::default());
        let told = lines.diagnostics.iter();
        told.map(|one| (one.code, one.help.clone().unwrap_or_default())).collect()
    }

    #[test]
    fn every_word_of_the_table_is_known_behind_its_sentinel() {
        for (word, meaning) in WORDS {
            let (sentinel, expected) = match meaning {
                Meaning::Variables | Meaning::Calls | Meaning::Loops => ("$oxad", None),
                Meaning::Foreign("TAF") => ("$taf", Some(Code::FOREIGN_DIRECTIVE)),
                Meaning::Foreign(_) => ("$ad", Some(Code::FOREIGN_DIRECTIVE)),
            };
            let codes: Vec<Code> = told(&format!("!{sentinel} {word} (x)"))
                .into_iter()
                .map(|(code, _)| code)
                .collect();
            assert_eq!(codes, expected.into_iter().collect::<Vec<_>>(), "{word}");
        }
    }

    #[test]
    fn a_misspelt_word_is_told_with_the_nearest_one() {
        let found = told("!$oxad independant(x)");
        assert_eq!(found, [(Code::UNKNOWN_DIRECTIVE, "write `!$oxad independent`".to_owned())]);
        assert_eq!(told("!$openad something else")[0].0, Code::UNKNOWN_DIRECTIVE);
        assert_eq!(told("!$taf independent(x)")[0].0, Code::UNKNOWN_DIRECTIVE);
        assert_eq!(told("!$omp parallel do"), []);
        assert_eq!(
            told("!$oxad"),
            [(Code::UNKNOWN_DIRECTIVE, "docs/directives.md has the directives".into())]
        );
    }
}
