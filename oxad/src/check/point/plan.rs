//! What a driver must know: the head, its derivative procedure (tangent or adjoint), and the
//! variables that they are called with.
//!
//! Everything comes from a document that holds both: the arguments of the derivative tell which
//! variables have one. What the document does not tell (sizes, values of integers) comes
//! from `--set`; what neither tells is an error at the declaration.

use std::cell::LazyCell;

use xaif_booster::analysis::sizing::Sizing;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Body, Dim, Document, Intent, Part, ProcId, ProcKind, RefId, Role, Scope, ScopeId, ScopeKind,
    SymbolId,
};

use super::bounds::{Known, NoValue};
use super::extents::{self, Open, Size};
use super::initial::Given;
use super::node::{Builder, Node, SizedAt};
use super::settings::Settings;

/// What a derivative procedure computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Derivatives of outputs along a direction of the inputs.
    Tangent,
    /// Derivatives of a weighted sum of outputs by all inputs.
    Adjoint,
}

impl Kind {
    /// Its name.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Tangent => "tangent",
            Kind::Adjoint => "adjoint",
        }
    }
}

/// What the names of derivatives end with.
#[derive(Clone, Copy)]
pub(crate) struct Suffixes<'s> {
    /// Of variables.
    pub(crate) variable: &'s str,
    /// Of procedures, modules and COMMON blocks.
    pub(crate) procedure: &'s str,
}

/// The head, its derivative, and what they work on.
pub(crate) struct Plan {
    /// The procedure that is checked.
    pub(crate) head: Routine,
    /// The procedure that claims to be its derivative.
    pub(crate) derivative: Routine,
    /// What kind of derivative.
    pub(crate) kind: Kind,
    /// Arguments in order, the result, then variables of modules and COMMON blocks.
    pub(crate) objects: Vec<Object>,
    /// Variables that the head needs or that have derivatives, but that no driver can name.
    pub(crate) hidden: Vec<String>,
    /// What the names of derivative procedures, modules and COMMON blocks end with.
    pub(crate) suffix: String,
    /// The dummy arguments of the head in lower case.
    pub(crate) dummies: Vec<String>,
    /// How many plans there are: one for each extension of an abstract type.
    pub(crate) turns: usize,
    /// The extents that the check has chosen.
    pub(crate) chosen: Option<extents::Chosen>,
}

/// A procedure and how it is called.
pub(crate) struct Routine {
    /// Its name.
    pub(crate) name: String,
    /// The procedure itself.
    pub(crate) proc: ProcId,
    /// The module that it stands in.
    pub(crate) module: Option<String>,
    /// Its actual arguments.
    pub(crate) arguments: Vec<Argument>,
    /// The object that takes the value of a function.
    pub(crate) result: Option<usize>,
}

/// An actual argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// An object.
    Object(usize),
    /// The derivative of an object.
    Derivative(usize),
    /// A procedure of this name.
    Procedure(String),
}

/// Where an object lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// The driver declares it.
    Driver,
    /// A module has it, another one its derivative.
    Module {
        /// The module.
        module: String,
        /// The module of the derivative.
        derivative: Option<String>,
    },
    /// A COMMON block has it, another one its derivative.
    Common {
        /// The symbol of the block.
        block: SymbolId,
        /// Its name without slashes.
        name: String,
        /// What the derivative is called in its block.
        derivative: Option<String>,
    },
}

/// A variable that is given to the head, or that it computes.
pub(crate) struct Object {
    /// The variable of the head.
    pub(crate) symbol: SymbolId,
    /// Its name in the document.
    pub(crate) own_name: String,
    /// Its name in the driver.
    pub(crate) name: String,
    /// The name of its derivative, where it has one.
    pub(crate) shadow: Option<String>,
    /// Where it lives.
    pub(crate) home: Home,
    /// Whether it has a value before the call.
    pub(crate) input: bool,
    /// Whether the head is known not to change it.
    pub(crate) only_read: bool,
    /// What of it the derivative is taken with respect to.
    pub(crate) independent: Chosen,
    /// What of it has a derivative that is compared.
    pub(crate) dependent: Chosen,
    /// Its type and shape.
    pub(crate) node: Node,
}

/// Which parts of a variable are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// None of it.
    None,
    /// These components, as `--set` calls them.
    Parts(Vec<String>),
    /// All of it.
    All,
}

impl Chosen {
    /// Whether the part with this key belongs to it.
    pub(crate) fn has(&self, key: &str) -> bool {
        match self {
            Chosen::None => false,
            Chosen::All => true,
            Chosen::Parts(parts) => parts.iter().any(|part| {
                key.strip_prefix(part.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('%'))
            }),
        }
    }
}

/// What the user asks for.
pub(crate) struct Wish<'w> {
    /// The head, with its module.
    pub(crate) head: &'w str,
    /// With respect to which variables; empty is all that have a derivative.
    pub(crate) independent: &'w [String],
    /// The derivatives of which variables; empty is all that have one.
    pub(crate) dependent: &'w [String],
    /// What is known of the point.
    pub(crate) settings: &'w Settings,
    /// Which derivative.
    pub(crate) kind: Kind,
    /// What derivatives are called.
    pub(crate) suffixes: Suffixes<'w>,
    /// Which of the extensions of abstract types arguments have.
    pub(crate) turn: usize,
    /// Whether settings that this head has no use for are good: they are for others.
    pub(crate) lenient: bool,
    /// Which size extents have that the check chooses.
    pub(crate) size: Size,
}

/// Looks up head and derivative in `doc` and plans how to call them. Extents that are not told are chosen if nothing
/// else is missing.
pub(crate) fn plan(doc: &Document, wish: &Wish<'_>) -> Result<Plan, Diagnostics> {
    let head = find_head(doc, Some(wish.head))?;
    can_be_called(doc, head)?;
    let pair = (head, find_derivative(doc, head, wish)?);
    let given = Given::of_program(doc);
    // Few plans ask: mostly all integers are told.
    let sizing = LazyCell::new(|| Sizing::new(doc, head));
    let sizing: &SizedAt<'_> = &|symbol, path| sizing.of(symbol, path);
    let mut extent = extents::FIRST;
    loop {
        let (mut plan, open) = plan_with(doc, wish, pair, &given, sizing, extent)?;
        if open.missing.is_empty() {
            return Ok(plan);
        }
        match open.extent(wish.size) {
            Some(wanted) if wanted == extent => {
                plan.chosen = Some(extents::Chosen::new(extent, open));
                return Ok(plan);
            }
            Some(wanted) => extent = wanted,
            None => return Err(open.missing),
        }
    }
}

/// The plan where open extents are `extent`, and which extents are open.
fn plan_with(
    doc: &Document,
    wish: &Wish<'_>,
    (head, derivative): (ProcId, ProcId),
    given: &Given,
    sizing: &SizedAt<'_>,
    extent: i64,
) -> Result<(Plan, Open), Diagnostics> {
    let mut planner = Planner {
        doc,
        wish,
        known: Known::default(),
        objects: Vec::new(),
        given,
        hidden: Vec::new(),
        turns: 1,
        extent,
        open: Open::default(),
        problems: Diagnostics::new(),
    };
    let head_arguments = planner.arguments(head);
    let result = planner.result(head);
    planner.globals(head, derivative);
    planner.settle_integers();
    planner.shape_nodes(sizing);
    let arguments = planner.pair(head, derivative, &head_arguments, result);
    planner.select(head);
    planner.complain_of_unused();
    let Planner { objects, hidden, mut problems, turns, open, .. } = planner;
    if problems.has_errors() {
        problems.extend(open.missing);
        return Err(problems);
    }
    let routine = |proc: ProcId, arguments, result| Routine {
        name: doc.name(doc.procs[proc].symbol).to_string(),
        proc,
        module: used_for(doc, proc),
        arguments,
        result,
    };
    let plan = Plan {
        head: routine(head, head_arguments, result),
        derivative: routine(derivative, arguments, None),
        kind: wish.kind,
        objects,
        hidden,
        suffix: wish.suffixes.procedure.to_string(),
        turns,
        chosen: None,
        dummies: doc.procs[head]
            .args
            .iter()
            .filter_map(|dummy| Some(doc.name(dummy.symbol?).to_ascii_lowercase()))
            .collect(),
    };
    Ok((plan, open))
}

/// The head: by its name, by the directives of the source, or because there is no other procedure.
pub(crate) fn find_head(doc: &Document, name: Option<&str>) -> Result<ProcId, Diagnostics> {
    let original = |id: &ProcId| {
        let proc = &doc.procs[*id];
        matches!(proc.body, Body::Flow(_))
            && proc.kind != ProcKind::Program
            && is_original(doc, *id)
    };
    let all: Vec<ProcId> = doc.procs.keys().filter(original).collect();
    let called: Vec<ProcId> = match name {
        Some(name) => all.iter().copied().filter(|&id| is_called(doc, id, name)).collect(),
        None => {
            let marked = |id: &ProcId| {
                !doc.procs[*id].independent.is_empty() || !doc.procs[*id].dependent.is_empty()
            };
            let marked: Vec<ProcId> = all.iter().copied().filter(marked).collect();
            if marked.is_empty() { all.clone() } else { marked }
        }
    };
    if let [head] = called.as_slice() {
        return Ok(*head);
    }
    let names: Vec<&str> = all.iter().map(|&id| doc.name(doc.procs[id].symbol)).collect();
    let message = match (name, called.is_empty()) {
        (Some(name), true) => format!("there is no procedure `{name}`"),
        (Some(name), false) => format!("several procedures are called `{name}`"),
        (None, _) => "which procedure is to be checked is not told".to_string(),
    };
    let help = if names.is_empty() {
        "give the sources of the procedure".to_string()
    } else {
        format!("name one with --head: {}", names.join(", "))
    };
    Err(Diagnostics::from(Diagnostic::error(Code::NO_HEAD, None, message).with_help(help)))
}

/// An error where a driver, which is another program unit, cannot name the head.
fn can_be_called(doc: &Document, head: ProcId) -> Result<(), Diagnostics> {
    let symbol = doc.procs[head].symbol;
    let name = doc.name(symbol);
    let host = doc.scopes[doc.procs[head].scope].parent.map(|host| doc.scopes[host].kind);
    let (message, help) = match host {
        Some(ScopeKind::Module(module)) if doc.is_private(symbol) => (
            format!("`{name}` is PRIVATE in `{}`, so no driver can call it", doc.name(module)),
            "check a procedure that calls it, or what `f2xaif FILES | xaif-expose | xaif2f` writes",
        ),
        Some(ScopeKind::Procedure(host)) => (
            format!("`{name}` is internal to `{}`, so no driver can call it", doc.name(host)),
            "check the procedure that it is internal to",
        ),
        Some(_) | None => return Ok(()),
    };
    let spot = doc.spot(doc.procs[head].place);
    Err(Diagnostics::from(Diagnostic::error(Code::NO_DRIVER, spot, message).with_help(help)))
}

/// `module%name`, or the name alone.
pub(crate) fn qualified_name(doc: &Document, proc: ProcId) -> String {
    let name = doc.name(doc.procs[proc].symbol);
    module_of(doc, proc).map_or(name.to_string(), |module| format!("{module}%{name}"))
}

/// The name of the folder of a procedure.
pub(crate) fn folder_name(doc: &Document, proc: ProcId) -> String {
    qualified_name(doc, proc).replace('%', "_").to_ascii_lowercase()
}

/// Whether `name` is the procedure's, alone or with its module.
pub(crate) fn is_called(doc: &Document, id: ProcId, name: &str) -> bool {
    xaif_booster::analysis::activity::names::is_called(doc, id, name)
}

/// Whether the user wrote the procedure: a stage has not added it.
fn is_original(doc: &Document, id: ProcId) -> bool {
    let split = doc.scopes.values().any(|scope| scope.provided);
    !split || unit_of(doc, doc.procs[id].scope).is_some_and(|unit| doc.scopes[unit].provided)
}

/// The program unit that `scope` stands in.
fn unit_of(doc: &Document, scope: ScopeId) -> Option<ScopeId> {
    let mut scope = scope;
    for _ in 0..doc.scopes.len() {
        let parent = doc.scopes[scope].parent?;
        if doc.scopes[parent].parent.is_none() {
            return Some(scope);
        }
        scope = parent;
    }
    None
}

fn find_derivative(doc: &Document, head: ProcId, wish: &Wish<'_>) -> Result<ProcId, Diagnostics> {
    let symbol = doc.procs[head].symbol;
    let wanted = format!("{}{}", doc.symbols[symbol].id, wish.suffixes.procedure);
    // A derivative that is made beside the user's units has a number where the user has its name.
    let split = doc.scopes.values().any(|scope| scope.provided);
    let is_called = |id: &str| match id.strip_prefix(&wanted) {
        Some(number) => number.is_empty() || split && number.bytes().all(|c| c.is_ascii_digit()),
        None => false,
    };
    let called = doc.procs.iter().filter(|&(id, proc)| {
        matches!(proc.body, Body::Flow(_))
            && is_called(&doc.symbols[proc.symbol].id)
            && !(split && is_original(doc, id))
    });
    let found = called.min_by_key(|(_, proc)| doc.symbols[proc.symbol].id.len());
    found.map(|(id, _)| id).ok_or_else(|| {
        let kind = wish.kind.word();
        let message = format!("`{}` has no {kind} `{wanted}`", doc.name(symbol));
        let spot = doc.spot(doc.procs[head].place);
        Diagnostics::from(
            Diagnostic::error(Code::NO_TANGENT, spot, message)
                .with_help("nothing that it computes depends on its inputs, or they are not named"),
        )
    })
}

/// The module that a procedure stands in.
pub(crate) fn module_of(doc: &Document, proc: ProcId) -> Option<String> {
    let parent = doc.scopes[doc.procs[proc].scope].parent?;
    match doc.scopes[parent].kind {
        ScopeKind::Module(symbol) => Some(doc.name(symbol).to_string()),
        _ => None,
    }
}

/// The module by whose USE a procedure is seen: it may stand in a submodule.
fn used_for(doc: &Document, proc: ProcId) -> Option<String> {
    let id = &doc.symbols[doc.procs[proc].symbol].id;
    let mut home = doc.scopes[doc.procs[proc].scope].parent?;
    loop {
        let scope = &doc.scopes[home];
        match scope.kind {
            ScopeKind::Module(module) => {
                // The module has the interface of what is called from outside.
                let is_it = |&symbol: &SymbolId| doc.symbols[symbol].id == *id;
                let there = scope.symbols.iter().any(is_it);
                return there.then(|| doc.name(module).to_string());
            }
            ScopeKind::Submodule { .. } => home = scope.parent?,
            _ => return None,
        }
    }
}

struct Planner<'p> {
    doc: &'p Document,
    wish: &'p Wish<'p>,
    known: Known,
    objects: Vec<Object>,
    /// What the program itself gives a value.
    given: &'p Given,
    hidden: Vec<String>,
    /// The most extensions that an argument of abstract type has.
    turns: usize,
    /// The extent of dimensions that are open.
    extent: i64,
    open: Open,
    problems: Diagnostics,
}

impl Planner<'_> {
    fn object(&mut self, symbol: SymbolId, name: String, home: Home, input: bool) -> usize {
        self.objects.push(Object {
            symbol,
            own_name: self.doc.name(symbol).to_ascii_lowercase(),
            name,
            shadow: None,
            home,
            input,
            only_read: intent(self.doc, symbol) == Some(Intent::In),
            independent: Chosen::None,
            dependent: Chosen::None,
            node: Node::default(),
        });
        self.objects.len() - 1
    }

    /// The dummy arguments as objects of the driver.
    fn arguments(&mut self, head: ProcId) -> Vec<Argument> {
        let doc = self.doc;
        let mut arguments = Vec::new();
        for dummy in &doc.procs[head].args {
            let Some(symbol) = dummy.symbol else {
                let message = "alternate returns cannot be passed by a driver";
                self.refuse(doc.procs[head].symbol, message);
                continue;
            };
            if let Some(Role::Procedure(_)) = doc.role(symbol) {
                arguments.push(self.procedure_argument(symbol));
                continue;
            }
            let input = intent(doc, symbol) != Some(Intent::Out);
            let name = free_name(&doc.name(symbol).to_ascii_lowercase());
            arguments.push(Argument::Object(self.object(symbol, name, Home::Driver, input)));
        }
        arguments
    }

    fn procedure_argument(&mut self, symbol: SymbolId) -> Argument {
        let name = self.doc.name(symbol).to_ascii_lowercase();
        let given = match self.wish.settings.of(&name) {
            Some(super::settings::Setting::Value { words, .. }) => words.first().cloned(),
            Some(_) | None => None,
        };
        if given.is_none() {
            let place = self.doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
            let spot = place.and_then(|place| self.doc.spot(place));
            let message = format!("which procedure is passed as `{name}` is not told");
            let diagnostic = Diagnostic::error(Code::MISSING_SETTING, spot, message);
            let help = format!("name an external procedure of the sources: --set {name}=PROCEDURE");
            self.problems.push(diagnostic.with_help(help));
        }
        Argument::Procedure(given.unwrap_or(name))
    }

    /// The variable that takes a function's value.
    fn result(&mut self, head: ProcId) -> Option<usize> {
        let symbol = self.doc.procs[head].result?;
        Some(self.object(symbol, "value".to_string(), Home::Driver, false))
    }

    /// Variables of modules and COMMON blocks that have derivatives, or that are named.
    fn globals(&mut self, head: ProcId, derivative: ProcId) {
        let mut refused = Vec::new();
        for (symbol, home, shadow) in
            super::globals::found(self.doc, head, derivative, self.wish.suffixes)
        {
            let name = self.doc.name(symbol).to_ascii_lowercase();
            let named = |list: &[String]| list.iter().any(|one| one.eq_ignore_ascii_case(&name));
            let set = self.wish.settings.names().any(|set| set.split('%').next() == Some(&name));
            // A name alone means a dummy argument, where there is one.
            let dummy = self.objects.iter().any(|o| o.home == Home::Driver && o.own_name == name);
            let named = named(self.wish.independent) || named(self.wish.dependent) || set;
            let named = named && !dummy;
            if shadow.is_none() && !named && !self.is_read(head, symbol, &home) {
                continue;
            }
            match &home {
                Home::Module { module, .. } if self.doc.is_private(symbol) => {
                    self.hidden.push(format!("{module}%{name}"));
                    refused.extend(named.then(|| (symbol, name, module.clone())));
                }
                Home::Module { .. } if self.objects.iter().any(|o| o.name == name) => continue,
                Home::Module { .. } | Home::Driver => {
                    let index = self.object(symbol, free_name(&name), home, true);
                    self.objects[index].shadow = shadow;
                }
                Home::Common { name: block, .. } => {
                    // In COMMON the place counts, so here the name may be another one.
                    let own = self.free_member(&name, block);
                    let shadow = shadow.map(|shadow| self.free_member(&shadow, block));
                    let index = self.object(symbol, own, home, true);
                    self.objects[index].shadow = shadow;
                }
            }
        }
        for (symbol, name, module) in refused {
            if self.objects.iter().all(|object| object.own_name != name) {
                let message =
                    format!("`{name}` is PRIVATE in `{module}`, so no driver can name it");
                self.refuse(symbol, &message);
            }
        }
    }

    /// A name for a member of a COMMON block that neither the driver nor an object has.
    fn free_member(&self, name: &str, block: &str) -> String {
        let is_taken = |name: &str| {
            let is_it = |o: &Object| o.name == name || o.shadow.as_deref() == Some(name);
            self.objects.iter().any(is_it)
        };
        let name = free_name(name);
        if is_taken(&name) { self.unique(format!("{name}_{block}")) } else { name }
    }

    /// Whether the head may read a variable of a module or COMMON block: it needs a value then.
    fn is_read(&self, head: ProcId, symbol: SymbolId, home: &Home) -> bool {
        let doc = self.doc;
        let proc = &doc.procs[head];
        let read = proc.effects.read.iter().flatten().map(|&reference| doc.refs[reference].base);
        let mut read = read.into_iter();
        match home {
            Home::Common { block, .. } => {
                doc.symbols[symbol].scope == proc.scope
                    || read.any(|other| doc.block_of(other) == Some(*block))
            }
            Home::Module { .. } | Home::Driver => read.any(|other| other == symbol),
        }
    }

    /// Integers that are set: what bounds are made of.
    fn settle_integers(&mut self) {
        for object in &self.objects {
            let value = self.wish.settings.integer(&object.name);
            let scalar = self.doc.symbols[object.symbol].decl.as_ref();
            if scalar.is_some_and(|decl| decl.dims.is_empty())
                && let Some(value) = value
            {
                self.known.integers.insert(object.symbol, value);
            }
        }
    }

    /// Types and shapes, arrays whose bounds need others' shapes last.
    fn shape_nodes(&mut self, sizing: &SizedAt<'_>) {
        let mut waiting: Vec<usize> = (0..self.objects.len()).collect();
        loop {
            let (later, now): (Vec<usize>, Vec<usize>) =
                waiting.into_iter().partition(|&index| self.needs_shapes(index));
            if now.is_empty() {
                later.iter().for_each(|&index| self.shape_node(index, sizing));
                return;
            }
            now.iter().for_each(|&index| self.shape_node(index, sizing));
            waiting = later;
        }
    }

    fn shape_node(&mut self, index: usize, sizing: &SizedAt<'_>) {
        let mut builder = Builder {
            doc: self.doc,
            settings: self.wish.settings,
            known: &mut self.known,
            given: self.given,
            sizing,
            turn: self.wish.turn,
            turns: &mut self.turns,
            extent: self.extent,
            open: &mut self.open,
            problems: &mut self.problems,
        };
        self.objects[index].node = builder.variable(&self.objects[index]);
    }

    /// Whether bounds of the variable are more than integers and known shapes.
    fn needs_shapes(&self, index: usize) -> bool {
        let Some(decl) = self.doc.symbols[self.objects[index].symbol].decl.as_deref() else {
            return false;
        };
        let is_explicit = |dim: &&Dim| matches!(dim, Dim::Explicit { .. });
        let mut explicit = decl.dims.iter().filter(is_explicit);
        explicit.any(|&dim| self.known.extent(self.doc, dim) == Err(NoValue::TooComplex))
    }

    /// The arguments of the derivative: each is one of the head's, or the derivative of the one before.
    fn pair(
        &mut self,
        head: ProcId,
        derivative: ProcId,
        arguments: &[Argument],
        result: Option<usize>,
    ) -> Vec<Argument> {
        let doc = self.doc;
        let kind = self.wish.kind.word();
        let names: Vec<String> = doc.procs[head]
            .args
            .iter()
            .filter_map(|dummy| Some(doc.symbols[dummy.symbol?].id.clone()))
            .collect();
        let mut expected: Vec<(Vec<String>, Argument)> =
            names.into_iter().map(|name| vec![name]).zip(arguments.iter().cloned()).collect();
        if let (Some(result), Some(symbol)) = (result, doc.procs[head].result) {
            let function = doc.symbols[doc.procs[head].symbol].id.clone();
            let names = vec![doc.symbols[symbol].id.clone(), function];
            expected.push((names, Argument::Object(result)));
        }
        let mut paired: Vec<Argument> = Vec::new();
        let mut expected = expected.into_iter().peekable();
        let dummies = doc.procs[derivative].args.iter().filter_map(|dummy| dummy.symbol);
        for symbol in dummies {
            let id = &doc.symbols[symbol].id;
            if let Some((_, argument)) = expected.next_if(|(names, _)| names.contains(id)) {
                paired.push(argument);
                continue;
            }
            match paired.last().cloned() {
                Some(Argument::Object(index)) if self.objects[index].shadow.is_none() => {
                    let shadow =
                        format!("{}{}", self.objects[index].name, self.wish.suffixes.variable);
                    self.objects[index].shadow = Some(self.unique(shadow));
                    paired.push(Argument::Derivative(index));
                }
                Some(Argument::Procedure(name)) => {
                    paired.push(Argument::Procedure(format!(
                        "{name}{}",
                        self.wish.suffixes.procedure
                    )));
                }
                Some(_) | None => {
                    let message = format!("what the argument `{id}` of the {kind} is is not clear");
                    self.refuse(doc.procs[derivative].symbol, &message);
                    break;
                }
            }
        }
        if let Some((names, _)) = expected.next() {
            let message = format!("the {kind} has no argument `{}`", names.join("` or `"));
            self.refuse(doc.procs[derivative].symbol, &message);
        }
        paired
    }

    fn unique(&self, name: String) -> String {
        let mut name = name;
        while self.objects.iter().any(|o| o.name == name || o.shadow.as_deref() == Some(&name)) {
            name.push_str("_derivative");
        }
        name
    }

    /// Which objects are independent, and which dependent: what an analysis or a directive has
    /// recorded, else what the user names, else all that have a derivative.
    fn select(&mut self, head: ProcId) {
        let doc = self.doc;
        let proc = &doc.procs[head];
        let function = doc.symbols[proc.symbol].id.as_str();
        let keys = |refs: &[RefId], names: &[String]| -> Vec<String> {
            match refs {
                [] => names.iter().map(|name| plain_name(name)).collect(),
                [_, ..] => refs.iter().map(|&reference| key_of(doc, reference)).collect(),
            }
        };
        let independent = keys(&proc.independent, self.wish.independent);
        let dependent = keys(&proc.dependent, self.wish.dependent);
        let result = proc.result;
        for object in &mut self.objects {
            let mut own = vec![object.name.as_str()];
            // What had to get another name here is not meant by its own one.
            let foreign = |home: &Home| matches!(home, Home::Common { .. });
            if !foreign(&object.home) || free_name(&object.own_name) == object.name {
                own.push(object.own_name.as_str());
            }
            own.extend((Some(object.symbol) == result).then_some(function));
            let active = object.shadow.is_some();
            let computed = !object.input || intent(doc, object.symbol) != Some(Intent::In);
            let pick = |keys: &[String], default: bool| match keys {
                [] if default && active => Chosen::All,
                _ if !active => Chosen::None,
                keys => chosen(keys, &own, &object.name),
            };
            object.independent = pick(&independent, object.input);
            object.dependent = pick(&dependent, computed);
            if !object.input {
                object.independent = Chosen::None;
            }
        }
        let any = |of: fn(&Object) -> &Chosen| self.objects.iter().any(|o| *of(o) != Chosen::None);
        let missing = [
            (any(|object| &object.independent), independent, "independent"),
            (any(|object| &object.dependent), dependent, "dependent"),
        ];
        for (_, names, what) in missing.into_iter().filter(|(there, _, _)| !there) {
            let names = names.join(", ");
            let message = format!("no {what} variable with a derivative: {names}");
            let message = message.trim_end_matches([':', ' ']);
            let diagnostic = Diagnostic::error(Code::NO_TANGENT, doc.spot(proc.place), message);
            let help = format!("name some with --{what}");
            self.problems.push(diagnostic.with_help(help));
        }
    }

    fn complain_of_unused(&mut self) {
        if self.wish.lenient {
            return;
        }
        let mut known: Vec<String> = Vec::new();
        self.objects.iter().for_each(|object| object.node.keys(&mut known));
        self.problems.extend(self.wish.settings.unused(&known));
    }

    fn refuse(&mut self, symbol: SymbolId, message: &str) {
        let place = self.doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
        let spot = place.and_then(|place| self.doc.spot(place));
        let diagnostic = Diagnostic::error(Code::NO_DRIVER, spot, message);
        let help = "write a subroutine with simple arguments around it, and check that one";
        self.problems.push(diagnostic.with_help(help));
    }
}

/// A name as the user gives it, without head, module or COMMON block, in lower case.
fn plain_name(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    let name = name.rsplit_once(':').map_or(name.as_str(), |(_, name)| name);
    name.rsplit_once('/').map_or(name, |(_, name)| name).to_string()
}

/// A reference to a variable or component as `x%c`.
fn key_of(doc: &Document, reference: RefId) -> String {
    let reference = &doc.refs[reference];
    let mut key = doc.name(reference.base).to_ascii_lowercase();
    for part in &reference.parts {
        if let Part::Component { name, .. } = part {
            key.push('%');
            key.push_str(&name.to_ascii_lowercase());
        }
    }
    key
}

/// What `keys` choose of the variable with one of the names `own`, which the driver calls `name`.
fn chosen(keys: &[String], own: &[&str], name: &str) -> Chosen {
    let mut parts = Vec::new();
    for key in keys {
        for own in own {
            // `m%x` may be a variable of a module.
            let of_module = key.split_once('%').is_some_and(|(_, rest)| rest == *own);
            if key == own || of_module {
                return Chosen::All;
            }
            if let Some(rest) = key.strip_prefix(own)
                && rest.starts_with('%')
            {
                parts.push(format!("{name}{rest}"));
            }
        }
    }
    if parts.is_empty() { Chosen::None } else { Chosen::Parts(parts) }
}

/// The intent of a dummy argument; `None` where nobody has told.
fn intent(doc: &Document, symbol: SymbolId) -> Option<Intent> {
    doc.symbols[symbol].decl.as_ref().and_then(|decl| decl.intent)
}

/// Begins the names that the driver uses itself, so heads, types and modules of the user keep theirs.
const OWN: &str = "oxad_";

/// Whether the driver may use `name` itself.
fn is_taken(name: &str) -> bool {
    name.starts_with(OWN) || name == "value"
}

/// `name`, unless the driver uses it itself.
fn free_name(name: &str) -> String {
    if is_taken(name) { format!("{name}_") } else { name.to_string() }
}

/// What the user calls the variable, or a part of it, that the driver calls `key`.
pub(crate) fn users_name(key: &str) -> String {
    let (variable, parts) = key.find('%').map_or((key, ""), |at| key.split_at(at));
    let own = variable.strip_suffix('_').filter(|own| is_taken(own));
    format!("{}{parts}", own.unwrap_or(variable))
}

/// The scope of a module by its name.
pub(crate) fn module_scope<'d>(doc: &'d Document, name: &str) -> Option<(ScopeId, &'d Scope)> {
    doc.scopes.iter().find(|(_, scope)| match scope.kind {
        ScopeKind::Module(symbol) => doc.symbols[symbol].id.eq_ignore_ascii_case(name),
        _ => false,
    })
}
