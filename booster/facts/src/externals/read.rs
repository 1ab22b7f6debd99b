//! The TOML text of a specification, read and checked.
//!
//! serde and the `toml` crate read the form; what names mean and whether they fit together is
//! checked here, with the place of each word that is at fault.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};

use super::{Derivative, Effect, External, Slot};

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    procedure: BTreeMap<Spanned<String>, Procedure>,
}

/// `[procedure.name]`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Procedure {
    #[serde(default)]
    arguments: Vec<Item>,
    result: Option<Outcome>,
    globals: Option<Vec<Item>>,
    #[serde(default)]
    pure: bool,
    returns: Option<bool>,
    tangent: Option<DerivativeItem>,
    adjoint: Option<DerivativeItem>,
}

/// An argument or global.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    name: Spanned<String>,
    access: Access,
    depends: Option<Vec<Spanned<String>>>,
}

/// What happens to it.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Access {
    None,
    Read,
    Write,
    ReadWrite,
}

/// The result of a function.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Outcome {
    depends: Option<Vec<Spanned<String>>>,
}

/// `tangent` or `adjoint`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DerivativeItem {
    name: Spanned<String>,
    arguments: Option<Vec<Spanned<String>>>,
}

/// Reads and checks `text`.
pub(super) fn parse(file: &str, text: &str) -> Result<BTreeMap<String, External>, Diagnostics> {
    let mut reader = Reader { file, text, found: Diagnostics::new() };
    let read: File = match toml::from_str(text) {
        Ok(read) => read,
        Err(error) => {
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            let message = match message.trim_end_matches('.') {
                "" => "this is not TOML".to_owned(),
                message => message.to_owned(),
            };
            let span = error.span().unwrap_or(0..0);
            let help = "docs/externals.md shows the form of a specification";
            reader.error(Code::EXTERNALS_FORM, &span, message, help);
            return Err(reader.found);
        }
    };
    let mut procedures = BTreeMap::new();
    for (name, procedure) in read.procedure {
        let span = name.span();
        let external = reader.procedure(&name, procedure);
        if procedures.contains_key(&external.name) {
            let message = format!("`{}` is specified twice", name.get_ref());
            reader.error(Code::EXTERNALS_NAME, &span, message, "names do not tell cases apart");
        }
        procedures.insert(external.name.clone(), external);
    }
    if reader.found.is_empty() { Ok(procedures) } else { Err(reader.found) }
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    found: Diagnostics,
}

/// The names of inputs and outputs of a procedure.
type Names = BTreeMap<String, Slot>;

impl Reader<'_> {
    fn procedure(&mut self, name: &Spanned<String>, procedure: Procedure) -> External {
        let mut names = Names::new();
        let mut arguments = self.items(&procedure.arguments, Slot::Argument, &mut names);
        let mut globals =
            procedure.globals.as_ref().map(|items| self.items(items, Slot::Global, &mut names));
        if procedure.pure {
            globals.get_or_insert_default();
            for item in procedure.globals.iter().flatten() {
                if matches!(item.access, Access::Write | Access::ReadWrite) {
                    let message =
                        format!("a pure procedure cannot write `{}`", item.name.get_ref());
                    let help = "leave out `pure = true`, or make the access \"read\"";
                    self.error(Code::EXTERNALS_CONTRADICTION, &item.name.span(), message, help);
                }
            }
        }
        let inputs = inputs(&arguments, globals.as_deref().unwrap_or_default());
        self.all_depends(&procedure.arguments, &mut arguments, &names, &inputs);
        if let (Some(items), Some(globals)) = (&procedure.globals, &mut globals) {
            self.all_depends(items, globals, &names, &inputs);
        }
        let result = procedure.result.map(|outcome| {
            let depends = self.depends(outcome.depends.as_deref(), &names, &inputs);
            Effect { name: String::new(), read: false, written: true, depends }
        });
        External {
            name: name.get_ref().to_lowercase(),
            tangent: procedure.tangent.map(|item| self.derivative(&item, &names)),
            adjoint: procedure.adjoint.map(|item| self.derivative(&item, &names)),
            spot: self.spot(&name.span()),
            pure: procedure.pure,
            returns: procedure.returns,
            arguments,
            result,
            globals,
        }
    }

    /// The effects of `items`, without dependences; their names become known.
    fn items(&mut self, items: &[Item], slot: fn(usize) -> Slot, names: &mut Names) -> Vec<Effect> {
        let mut effects = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let name = item.name.get_ref().to_lowercase();
            if matches!(slot(index), Slot::Global(_)) && !is_global(&name) {
                let message = format!("`{name}` is no global");
                let help = "write /block/ for a COMMON block, module::variable for a variable";
                self.error(Code::EXTERNALS_NAME, &item.name.span(), message, help);
            }
            if names.insert(name.clone(), slot(index)).is_some() {
                let message = format!("`{name}` is listed twice");
                let help = "list each argument and each global once";
                self.error(Code::EXTERNALS_NAME, &item.name.span(), message, help);
            }
            effects.push(Effect {
                name,
                read: matches!(item.access, Access::Read | Access::ReadWrite),
                written: matches!(item.access, Access::Write | Access::ReadWrite),
                depends: Vec::new(),
            });
        }
        effects
    }

    fn all_depends(
        &mut self,
        items: &[Item],
        effects: &mut [Effect],
        names: &Names,
        inputs: &[Slot],
    ) {
        for (item, effect) in items.iter().zip(effects) {
            if effect.written {
                effect.depends = self.depends(item.depends.as_deref(), names, inputs);
            } else if item.depends.is_some() {
                let message = format!("`{}` depends on nothing: it is not written", effect.name);
                let help = "leave out `depends`, or make the access \"write\" or \"readwrite\"";
                self.error(Code::EXTERNALS_CONTRADICTION, &item.name.span(), message, help);
            }
        }
    }

    /// The inputs that are listed; all of them where nothing is said.
    fn depends(
        &mut self,
        listed: Option<&[Spanned<String>]>,
        names: &Names,
        inputs: &[Slot],
    ) -> Vec<Slot> {
        let Some(listed) = listed else { return inputs.to_vec() };
        let mut slots = Vec::with_capacity(listed.len());
        for name in listed {
            let Some(slot) = self.named(name, names) else { continue };
            if inputs.contains(&slot) {
                slots.push(slot);
            } else {
                let message = format!("nothing can depend on `{}`: it is not read", name.get_ref());
                let help = "take it out, or make its access \"read\" or \"readwrite\"";
                self.error(Code::EXTERNALS_CONTRADICTION, &name.span(), message, help);
            }
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    fn derivative(&mut self, item: &DerivativeItem, names: &Names) -> Derivative {
        let with_derivative = item.arguments.as_ref().map(|listed| {
            let mut indices = Vec::with_capacity(listed.len());
            for name in listed {
                match self.named(name, names) {
                    Some(Slot::Argument(index)) => indices.push(index),
                    Some(Slot::Global(_)) => {
                        let message = format!("`{}` is no argument", name.get_ref());
                        let help = "derivatives of globals are passed in globals";
                        self.error(Code::EXTERNALS_NAME, &name.span(), message, help);
                    }
                    None => {}
                }
            }
            indices.sort_unstable();
            indices.dedup();
            indices
        });
        Derivative { name: item.name.get_ref().clone(), with_derivative }
    }

    fn named(&mut self, name: &Spanned<String>, names: &Names) -> Option<Slot> {
        let slot = names.get(&name.get_ref().to_lowercase()).copied();
        if slot.is_none() {
            let message = format!("there is no argument or global `{}`", name.get_ref());
            let help = "the names are those that this procedure's specification lists";
            self.error(Code::EXTERNALS_NAME, &name.span(), message, help);
        }
        slot
    }

    fn error(&mut self, code: Code, span: &Range<usize>, message: impl Into<String>, help: &str) {
        let diagnostic = Diagnostic::error(code, Some(self.spot(span)), message);
        self.found.push(diagnostic.with_help(help));
    }

    fn spot(&self, span: &Range<usize>) -> Spot {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let line = count(before.matches('\n').count()).saturating_add(1);
        let column = count(before[line_start..].chars().count()).saturating_add(1);
        let covered = self.text.get(span.clone()).unwrap_or_default();
        let width = covered.lines().next().unwrap_or_default().chars().count();
        Spot { width: count(width.max(1)), ..Spot::new(self.file, line, column) }
    }
}

/// What is read.
fn inputs(arguments: &[Effect], globals: &[Effect]) -> Vec<Slot> {
    let read = |(index, effect): (usize, &Effect)| effect.read.then_some(index);
    let arguments = arguments.iter().enumerate().filter_map(read).map(Slot::Argument);
    arguments.chain(globals.iter().enumerate().filter_map(read).map(Slot::Global)).collect()
}

/// `/block/`, `//` or `module::variable`.
fn is_global(name: &str) -> bool {
    let block = name.len() >= 2 && name.starts_with('/') && name.ends_with('/');
    let variable = name.split_once("::").is_some_and(|(a, b)| !a.is_empty() && !b.is_empty());
    block || variable
}
