//! The TOML text of a specification, read and checked.
//!
//! serde and the `toml` crate read the form; what names mean and whether they fit together is
//! checked here, with the place of each word that is at fault.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};

use super::{Derivative, Effect, External, Input, Slot};

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

/// What a parser of TOML says of a text, and where.
pub fn syntax_fault(error: &toml::de::Error) -> (String, Range<usize>) {
    let message = error.message().lines().next().unwrap_or_default();
    let message = match message.trim_end_matches('.') {
        "" => "this is not TOML",
        message => message,
    };
    (message.to_owned(), error.span().unwrap_or(0..0))
}

/// Reads and checks `text`.
pub(super) fn parse(file: &str, text: &str) -> Result<BTreeMap<String, External>, Diagnostics> {
    let mut reader = Reader { file, text, found: Diagnostics::new() };
    let read: File = match toml::from_str(text) {
        Ok(read) => read,
        Err(error) => {
            let (message, span) = syntax_fault(&error);
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
type Names = BTreeMap<String, Input>;

impl Reader<'_> {
    fn procedure(&mut self, name: &Spanned<String>, procedure: Procedure) -> External {
        let mut names = Names::new();
        let mut arguments = self.arguments(&procedure.arguments, &mut names);
        let mut globals = procedure.globals.as_ref().map(|items| self.globals(items, &mut names));
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
        let inputs = Inputs::new(&arguments, globals.as_deref().unwrap_or_default());
        for item in &procedure.arguments {
            let own = names.get(&item.name.get_ref().to_lowercase()).cloned();
            let Some(Input { slot: Slot::Argument(index), path }) = own else { continue };
            let depends = self.depends_of(item, &names, &inputs);
            if let (Some(effect), Some(depends)) = (arguments.get_mut(index), depends) {
                let mut components = effect.components.iter_mut();
                match components.find(|component| component.path == path) {
                    Some(component) => component.depends = depends,
                    None => effect.depends = depends,
                }
            }
        }
        if let (Some(items), Some(globals)) = (&procedure.globals, &mut globals) {
            for (item, effect) in items.iter().zip(globals) {
                effect.depends = self.depends_of(item, &names, &inputs).unwrap_or_default();
            }
        }
        let result = procedure.result.map(|outcome| {
            let depends = self.depends(outcome.depends.as_deref(), &names, &inputs);
            Effect { depends, ..effect("", false, true) }
        });
        External {
            name: name.get_ref().to_lowercase(),
            tangent: procedure.tangent.map(|item| self.derivative(&item, &names)),
            adjoint: procedure.adjoint.map(|item| self.derivative(&item, &names)),
            spot: Spot::within(self.file, self.text, &name.span()),
            pure: procedure.pure,
            returns: procedure.returns,
            arguments,
            result,
            globals,
        }
    }

    /// The effects on dummy arguments, without dependences; their names become known. `m%rhs` belongs to the argument `m`.
    fn arguments(&mut self, items: &[Item], names: &mut Names) -> Vec<Effect> {
        let mut effects: Vec<Effect> = Vec::new();
        for item in items {
            let name = item.name.get_ref().to_lowercase();
            let (read, written) = item.access.of();
            let (base, path) = parts(&name);
            if path.is_empty() {
                self.know(item, names, Slot::Argument(effects.len()).into());
                effects.push(effect(&name, read, written));
                continue;
            }
            match effects.iter().position(|effect| effect.name == base) {
                Some(index) => {
                    let slot = Slot::Argument(index);
                    self.know(item, names, Input { slot, path: path.clone() });
                    let component = Effect { path, ..effect(&name, read, written) };
                    effects[index].components.push(component);
                }
                None => {
                    let message =
                        format!("`{base}`, of which `{name}` is a component, is not listed");
                    let help = "list the argument before its components";
                    self.error(Code::EXTERNALS_NAME, &item.name.span(), message, help);
                }
            }
        }
        effects
    }

    /// The same of globals, each component of which stands for itself.
    fn globals(&mut self, items: &[Item], names: &mut Names) -> Vec<Effect> {
        let mut effects = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let name = item.name.get_ref().to_lowercase();
            let (base, path) = parts(&name);
            if !is_global(&base) || base.starts_with('/') && !path.is_empty() {
                let message = format!("`{name}` is no global");
                let help = "write /block/ for a COMMON block, module::variable for a variable";
                self.error(Code::EXTERNALS_NAME, &item.name.span(), message, help);
            }
            self.know(item, names, Slot::Global(index).into());
            let (read, written) = item.access.of();
            effects.push(Effect { path, ..effect(&base, read, written) });
        }
        effects
    }

    fn know(&mut self, item: &Item, names: &mut Names, input: Input) {
        let name = item.name.get_ref().to_lowercase();
        if names.contains_key(&name) {
            let message = format!("`{name}` is listed twice");
            let help = "list each argument and each global once";
            self.error(Code::EXTERNALS_NAME, &item.name.span(), message, help);
        }
        names.insert(name, input);
    }

    /// On what an item depends; `None` if it is not written.
    fn depends_of(&mut self, item: &Item, names: &Names, inputs: &Inputs) -> Option<Vec<Input>> {
        let (_, written) = item.access.of();
        if written {
            return Some(self.depends(item.depends.as_deref(), names, inputs));
        }
        if item.depends.is_some() {
            let message = format!(
                "`{}` depends on nothing: it is not written",
                item.name.get_ref().to_lowercase()
            );
            let help = "leave out `depends`, or make the access \"write\" or \"readwrite\"";
            self.error(Code::EXTERNALS_CONTRADICTION, &item.name.span(), message, help);
        }
        None
    }

    /// The inputs that are listed; all of them where nothing is said.
    fn depends(
        &mut self,
        listed: Option<&[Spanned<String>]>,
        names: &Names,
        inputs: &Inputs,
    ) -> Vec<Input> {
        let Some(listed) = listed else { return inputs.all.clone() };
        let mut found = Vec::with_capacity(listed.len());
        for name in listed {
            let Some(input) = self.named(name, names) else { continue };
            if inputs.holds(&input) {
                found.push(input);
            } else {
                let message = format!("nothing can depend on `{}`: it is not read", name.get_ref());
                let help = "take it out, or make its access \"read\" or \"readwrite\"";
                self.error(Code::EXTERNALS_CONTRADICTION, &name.span(), message, help);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn derivative(&mut self, item: &DerivativeItem, names: &Names) -> Derivative {
        let with_derivative = item.arguments.as_ref().map(|listed| {
            let mut indices = Vec::with_capacity(listed.len());
            for name in listed {
                match self.named(name, names) {
                    Some(Input { slot: Slot::Argument(index), path }) if path.is_empty() => {
                        indices.push(index);
                    }
                    Some(_) => {
                        let message = format!("`{}` is no argument", name.get_ref());
                        let help = "derivatives of globals are passed in globals, and those of components in \
                                    structures";
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

    /// What a name means: an item, or a component of one.
    fn named(&mut self, name: &Spanned<String>, names: &Names) -> Option<Input> {
        let text = name.get_ref().to_lowercase();
        let mut known = text.as_str();
        loop {
            if let Some(input) = names.get(known) {
                let mut input = input.clone();
                let behind = text[known.len()..].split('%').skip(1);
                input.path.extend(behind.map(|part| part.trim().to_owned()));
                return Some(input);
            }
            match known.rfind('%') {
                Some(at) => known = &known[..at],
                None => break,
            }
        }
        let message = format!("there is no argument or global `{}`", name.get_ref());
        let help = "the names are those that this procedure's specification lists";
        self.error(Code::EXTERNALS_NAME, &name.span(), message, help);
        None
    }

    fn error(&mut self, code: Code, span: &Range<usize>, message: impl Into<String>, help: &str) {
        let diagnostic =
            Diagnostic::error(code, Some(Spot::within(self.file, self.text, span)), message);
        self.found.push(diagnostic.with_help(help));
    }
}

impl Access {
    /// Whether it is read, and whether it is written.
    fn of(self) -> (bool, bool) {
        match self {
            Access::None => (false, false),
            Access::Read => (true, false),
            Access::Write => (false, true),
            Access::ReadWrite => (true, true),
        }
    }
}

/// What is read.
struct Inputs {
    /// All of it.
    all: Vec<Input>,
    /// What is told of each argument, global and component, and whether that is read.
    told: Vec<(Input, bool)>,
}

impl Inputs {
    fn new(arguments: &[Effect], globals: &[Effect]) -> Self {
        let mut told = Vec::new();
        for (index, effect) in arguments.iter().enumerate() {
            let slot = Slot::Argument(index);
            told.push((slot.into(), effect.read));
            let components = effect.components.iter();
            told.extend(
                components.map(|part| (Input { slot, path: part.path.clone() }, part.read)),
            );
        }
        let slots = (0..).map(Slot::Global);
        told.extend(slots.zip(globals).map(|(slot, effect)| (slot.into(), effect.read)));
        let all = told.iter().filter(|(_, read)| *read).map(|(input, _)| input.clone()).collect();
        Inputs { all, told }
    }

    /// Whether an input, or a component of it, is read.
    fn holds(&self, input: &Input) -> bool {
        let of_slot = || self.told.iter().filter(|(other, _)| other.slot == input.slot);
        let around = of_slot().filter(|(other, _)| input.path.starts_with(&other.path));
        let nearest = around.max_by_key(|(other, _)| other.path.len());
        let within = |other: &Input| other.path.starts_with(&input.path);
        nearest.is_some_and(|(_, read)| *read)
            || of_slot().any(|(other, read)| *read && within(other))
    }
}

/// An effect that depends on nothing.
fn effect(name: &str, read: bool, written: bool) -> Effect {
    Effect {
        name: name.to_owned(),
        read,
        written,
        depends: Vec::new(),
        path: Vec::new(),
        components: Vec::new(),
    }
}

/// `m` and `a`, `b` of `m%a%b`.
fn parts(name: &str) -> (String, Vec<String>) {
    let mut words = name.split('%').map(|word| word.trim().to_owned());
    let base = words.next().unwrap_or_default();
    (base, words.collect())
}

/// `/block/`, `//` or `module::variable`.
fn is_global(name: &str) -> bool {
    let block = name.len() >= 2 && name.starts_with('/') && name.ends_with('/');
    let variable = name.split_once("::").is_some_and(|(a, b)| !a.is_empty() && !b.is_empty());
    block || variable
}
