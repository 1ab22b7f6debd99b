//! What symbols are called in C: one name space for a whole program, no keyword, one function for a local name.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{Document, Role, ScopeKind, SymbolId};
use xaif_schema::names::legal;

/// Words that C has for itself, and names of its library that generated code calls.
const RESERVED: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "NULL", "main", "printf", "malloc", "free",
    "exit", "abs", "labs", "fabs", "sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin",
    "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc",
    "tgamma", "lgamma", "hypot", "fmod", "fmax", "fmin", "copysign", "trunc", "round", "floor",
    "ceil", "pow", "j0", "j1", "y0", "y1", "jn", "yn", "isnan", "fdim", "lround", "complex", "I",
    "asm",
];

/// The names of all symbols.
#[derive(Debug, Default)]
pub(crate) struct Names {
    names: HashMap<SymbolId, String>,
    /// Names of file scope.
    global: HashSet<String>,
}

impl Names {
    pub(crate) fn new(doc: &Document) -> Self {
        let mut names = Names::default();
        let is_local = |symbol: SymbolId| {
            matches!(
                doc.scopes[doc.symbols[symbol].scope].kind,
                ScopeKind::Procedure(_)
                    | ScopeKind::Block
                    | ScopeKind::Associate
                    | ScopeKind::Indices
                    | ScopeKind::StatementFunction(_)
                    | ScopeKind::DerivedType(_)
            )
        };
        let mut taken: HashSet<String> = RESERVED.iter().map(|&word| word.to_owned()).collect();
        // Tags of structures have a name space of their own.
        let mut tags = HashSet::new();
        for symbol in doc.symbols.keys().filter(|&symbol| !is_local(symbol)) {
            let wanted = cased(doc, symbol);
            match doc.role(symbol) {
                Some(Role::Module { .. }) => {}
                Some(Role::DerivedType { .. }) => {
                    let name = free(&wanted, &mut tags);
                    names.names.insert(symbol, name);
                }
                Some(_) | None if wanted == "main" => {
                    names.names.insert(symbol, wanted);
                }
                Some(_) | None => {
                    let name = free(&wanted, &mut taken);
                    names.names.insert(symbol, name);
                }
            }
        }
        names.global = taken;
        let mut local: HashMap<_, HashSet<String>> = HashMap::new();
        for (symbol, data) in doc.symbols.iter().filter(|&(symbol, _)| is_local(symbol)) {
            let component = matches!(doc.scopes[data.scope].kind, ScopeKind::DerivedType(_));
            let own = local.entry(data.scope).or_insert_with(|| match component {
                true => HashSet::new(),
                false => names.global.clone(),
            });
            let name = free(&cased(doc, symbol), own);
            names.names.insert(symbol, name);
        }
        names
    }

    pub(crate) fn of(&self, symbol: SymbolId) -> &str {
        self.names.get(&symbol).map_or("unknown", String::as_str)
    }
}

/// The name as it is declared.
fn cased(doc: &Document, symbol: SymbolId) -> String {
    let name = doc.name(symbol);
    if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
    {
        return name.to_owned();
    }
    legal(name)
}

fn free(wanted: &str, taken: &mut HashSet<String>) -> String {
    let mut name = wanted.to_owned();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        name = format!("{wanted}_{number}");
    }
    name
}
