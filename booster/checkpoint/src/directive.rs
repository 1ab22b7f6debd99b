//! Directives that ask for checkpoints of the loop behind them.
//!
//! | directive | meaning |
//! |---|---|
//! | `!$oxad binomial(N)` | N snapshots, placed for the fewest executions of iterations |
//! | `!$oxad periodic(N)` | a snapshot in N iterations |
//! | `!$oxad disk(N)` | N snapshots in files, placed as those of `binomial` |
//! | `!$oxad checkpoint` | a snapshot in each iteration; before a call it is no matter of this module |
//! | `!$AD BINOMIAL-CKP L N F` | Tapenade's: N snapshots; trip count and first value are the loop's own |
//!
//! N is a number, an integer variable, or the name of an environment variable in quotes.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Base, CheckpointNumber, CheckpointScheme, Checkpoints, Comment, CommentKind, Document, Role,
    ScopeId, SymbolId,
};
use xaif_schema::visibility::Sight;

/// The words that begin such a directive, behind the sentinel.
const WORDS: [(&str, CheckpointScheme); 5] = [
    ("checkpoint", CheckpointScheme::Periodic),
    ("binomial", CheckpointScheme::Binomial),
    ("binomial-ckp", CheckpointScheme::Binomial),
    ("periodic", CheckpointScheme::Periodic),
    ("disk", CheckpointScheme::Disk),
];

/// Whether a directive may concern what is no loop.
pub(crate) fn may_concern_a_call(comment: &Comment) -> bool {
    comment
        .text
        .split_whitespace()
        .nth(1)
        .is_some_and(|word| word.eq_ignore_ascii_case("checkpoint"))
}

/// What a comment asks for, if it is such a directive; `scope` is where it stands.
pub(crate) fn asked(
    doc: &Document,
    scope: ScopeId,
    comment: &Comment,
) -> Option<Result<Checkpoints, Diagnostic>> {
    if comment.kind != CommentKind::Directive {
        return None;
    }
    let text = comment.text.trim_start_matches('$').trim();
    let (tool, rest) = text.split_once(char::is_whitespace)?;
    if !["oxad", "ad"].iter().any(|known| tool.eq_ignore_ascii_case(known)) {
        return None;
    }
    let rest = rest.trim();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
    let (word, argument) = rest.split_at(end);
    let (name, scheme) = *WORDS.iter().find(|(known, _)| word.eq_ignore_ascii_case(known))?;
    let argument = match name {
        "checkpoint" => Some("1"),
        // The trip count and the first value are those of the loop.
        "binomial-ckp" => argument.split_whitespace().nth(1),
        _ => argument.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')')),
    };
    let number = argument.and_then(|text| number(doc, scope, text.trim()));
    Some(number.map(|number| Checkpoints { scheme, number }).ok_or_else(|| {
        let message = format!("`{name}` needs a number of {}", counted(scheme));
        Diagnostic::error(Code::CHECKPOINT_NUMBER, doc.spot(comment.place), message).with_help(
            "write a number greater than 0, an integer variable, or the name of an environment variable in quotes",
        )
    }))
}

/// What the number of a scheme counts.
fn counted(scheme: CheckpointScheme) -> &'static str {
    match scheme {
        CheckpointScheme::Binomial | CheckpointScheme::Disk => "snapshots",
        CheckpointScheme::Periodic => "iterations",
    }
}

fn number(doc: &Document, scope: ScopeId, text: &str) -> Option<CheckpointNumber> {
    let quoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(name) = quoted('"').or_else(|| quoted('\'')) {
        let name = Some(name).filter(|name| CheckpointNumber::may_be_environment(name));
        return name.map(|name| CheckpointNumber::Environment(name.into()));
    }
    if let Ok(number) = text.parse::<u32>() {
        return (number > 0).then_some(CheckpointNumber::Number(number));
    }
    integer_variable(doc, scope, text).map(CheckpointNumber::Variable)
}

/// The scalar variable or constant of this name and of default integer kind that `scope` sees.
fn integer_variable(doc: &Document, scope: ScopeId, name: &str) -> Option<SymbolId> {
    let symbol = Sight::new(doc).meaning(scope, name)?.by.first()?.symbol()?;
    let decl = doc.symbols[symbol].decl.as_deref()?;
    let is_integer = decl.spec.base() == Base::Integer(4) && decl.dims.is_empty();
    let is_value = matches!(decl.role, Role::Variable | Role::Constant);
    (is_integer && is_value).then_some(symbol)
}
