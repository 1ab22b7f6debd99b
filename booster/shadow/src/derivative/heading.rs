//! The comment at the head of a derivative procedure: which derivatives it computes.
//!
//! It names the arguments, and variables of modules, COMMON blocks and procedures around that it reads or
//! changes. A procedure that is itself a derivative loses the comment that it had.

use std::collections::{BTreeSet, HashMap, HashSet};

use booster_build::Copied;
use booster_facts::access::{ActualValue, Written};
use booster_facts::externals::Externals;
use booster_facts::side_effects::{SideEffects, names_in};
use booster_facts::{
    Accesses, Bodies, BodyEvents, Event, Lifetime, LocationId, Storage, arguments_of,
};
use xaif_schema::model::{
    Attr, Comment, CommentKind, Document, DummyArg, Intent, ProcId, RefId, Role, ScopeId, SpecItem,
    SymbolId,
};

use super::Naming;
use super::plan::Plan;
use super::units::Maker;

/// A comment is broken behind this column.
const WIDTH: usize = 90;
/// How such comments begin, beside those of the procedures that execute one sweep.
const TITLES: [&str; 2] = ["Tangent of", "Adjoint of"];

/// The variables that a procedure reads and changes without being given them.
#[derive(Clone, Debug, Default)]
struct Beyond {
    /// Those whose values as it begins matter.
    inputs: Vec<SymbolId>,
    /// Those that it changes.
    outputs: Vec<SymbolId>,
}

/// What the procedures of the plan do to variables that have derivatives.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// Beyond their arguments. For a head, its independents and dependents tell.
    beyond: HashMap<ProcId, Beyond>,
    /// The arguments that are passed by value and overwritten.
    pub(super) overwritten: HashSet<SymbolId>,
}

/// Looks at the procedures of the plan; arguments that are passed by value matter for several directions.
pub(super) fn effects(doc: &Document, plan: &Plan, directions: Option<u32>) -> Effects {
    let storage = Storage::new(doc);
    let values: Vec<SymbolId> = match directions {
        Some(_) => doc.symbols.keys().filter(|&symbol| doc.has(symbol, Attr::Value)).collect(),
        None => Vec::new(),
    };
    let outlasts = |location: LocationId| {
        let location = &storage.locations()[location];
        let seen = match location.lifetime {
            Lifetime::Global => true,
            Lifetime::Local(owner) => !doc.scopes[doc.procs[owner].scope].contains.is_empty(),
            Lifetime::Dummy(_) => false,
        };
        seen && location.members.iter().any(|member| plan.variables.contains(&member.symbol))
    };
    let all: HashSet<LocationId> =
        storage.locations().keys().filter(|&location| outlasts(location)).collect();
    if all.is_empty() && values.is_empty() {
        return Effects::default();
    }
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let effects = SideEffects::new(&accesses, &bodies, &Externals::default());
    let names = |proc: ProcId, units: &BTreeSet<LocationId>| {
        let units = units.iter().filter(|location| all.contains(location));
        let symbols = units.flat_map(|&location| names_in(doc, &storage, proc, location));
        distinct(doc, &storage, proc, symbols.map(|member| member.symbol))
    };
    let chosen = |proc: ProcId, list: &[RefId]| {
        distinct(doc, &storage, proc, list.iter().map(|&reference| doc.refs[reference].base))
    };
    let of = |&proc: &ProcId| {
        let data = &doc.procs[proc];
        let summary = effects.of(proc);
        let is_head = !data.independent.is_empty() || !data.dependent.is_empty();
        let found = match is_head {
            true => Beyond {
                inputs: chosen(proc, &data.independent),
                outputs: chosen(proc, &data.dependent),
            },
            false => {
                Beyond { inputs: names(proc, &summary.input), outputs: names(proc, &summary.out) }
            }
        };
        (proc, found)
    };
    let overwritten = values
        .into_iter()
        .filter(|&symbol| {
            let body = storage.owner(doc, symbol).and_then(|owner| bodies.get(owner));
            body.is_some_and(|body| may_change(doc, body, symbol))
        })
        .collect();
    Effects { beyond: plan.procs.iter().map(of).collect(), overwritten }
}

/// Whether a body may change the variable `symbol`.
fn may_change(doc: &Document, body: &BodyEvents<'_>, symbol: SymbolId) -> bool {
    let is_it = |reference: RefId| doc.refs[reference].base == symbol;
    body.steps.iter().flat_map(|step| &step.events).any(|event| match event {
        Event::Write(write) => match write.place {
            Written::Ref(reference) => is_it(reference),
            Written::Symbol(written) => written == symbol,
        },
        Event::Call(call) => {
            let dummies = arguments_of(doc, call.callee.symbol).unwrap_or_default();
            call.actuals.iter().any(|actual| {
                let dummy = dummies.get(actual.position).and_then(|dummy| dummy.symbol);
                let spared = dummy.is_some_and(|dummy| {
                    let decl = doc.symbols[dummy].decl.as_deref();
                    doc.has(dummy, Attr::Value)
                        || decl.is_some_and(|decl| decl.intent == Some(Intent::In))
                });
                let passed = match actual.value {
                    ActualValue::Variable(reference) | ActualValue::Object(reference) => {
                        is_it(reference)
                    }
                    ActualValue::Target(..)
                    | ActualValue::Value(..)
                    | ActualValue::Procedure(_) => false,
                };
                passed && !spared
            })
        }
        Event::Read(..)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Ask(..)
        | Event::Reshape(_) => false,
        Event::Anything => true,
    })
}

/// Each variable once, without the arguments and the result of the procedure, and without the saved variables of
/// procedures, which nobody else can name.
fn distinct(
    doc: &Document,
    storage: &Storage,
    proc: ProcId,
    symbols: impl Iterator<Item = SymbolId>,
) -> Vec<SymbolId> {
    let data = &doc.procs[proc];
    let mut seen: HashSet<SymbolId> = data.args.iter().filter_map(|arg| arg.symbol).collect();
    seen.extend(data.result);
    let is_seen = |symbol: SymbolId| {
        let in_common = doc.symbols[symbol].decl.as_ref().is_some_and(|decl| decl.common.is_some());
        in_common
            || storage.owner(doc, symbol).is_none_or(|owner| {
                owner != proc && storage.procedures().is_inside(doc, proc, owner)
            })
    };
    symbols.filter(|&symbol| is_seen(symbol) && seen.insert(symbol)).collect()
}

impl Maker<'_> {
    /// `Tangent of p: derivative of y (yd) with respect to x (xd).`
    pub(super) fn heading(
        &mut self,
        proc: ProcId,
        new: ProcId,
        list: &[DummyArg],
        copied: &Copied,
    ) {
        let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
        for arg in list.iter().filter(|arg| arg.deriv) {
            let Some(symbol) = arg.symbol else { continue };
            let Some(&primal) = self.primals.get(&symbol) else { continue };
            if matches!(self.doc.role(primal), Some(Role::Procedure(_))) {
                continue;
            }
            let decl = self.doc.symbols[primal].decl.as_ref();
            let intent = decl.and_then(|decl| decl.intent);
            let by_value = decl.is_some_and(|decl| decl.has(Attr::Value));
            let name = format!("{} ({})", self.doc.name(primal), self.doc.name(symbol));
            if intent != Some(Intent::In) && !by_value {
                outputs.push(name.clone());
            }
            if intent != Some(Intent::Out) {
                inputs.push(name);
            }
        }
        let beyond = self.effects.beyond.get(&proc).cloned().unwrap_or_default();
        outputs.extend(beyond.outputs.iter().filter_map(|&symbol| self.named(symbol, copied)));
        inputs.extend(beyond.inputs.iter().filter_map(|&symbol| self.named(symbol, copied)));
        let data = &self.doc.procs[proc];
        let (name, place) = (self.doc.name(data.symbol), data.place);
        let text = text(self.naming, name, (&inputs, &outputs), self.out.directions);
        let lines = wrap(&text).into_iter().map(|line| {
            let text = format!(" {line}").into();
            SpecItem::Comment(Comment { text, trailing: false, kind: CommentKind::Text, place })
        });
        let lines: Vec<SpecItem> = lines.collect();
        let scope = self.doc.procs[new].scope;
        let old = old_heading(self.doc, scope);
        self.doc.scopes[scope].items.splice(0..old, lines);
    }

    /// A variable of the user with its derivative, as the new procedure names them.
    fn named(&self, symbol: SymbolId, copied: &Copied) -> Option<String> {
        let own = copied.copier.symbol(symbol);
        let derivative = self.out.variable(own).or_else(|| self.out.variable(symbol))?;
        Some(format!("{} ({})", self.doc.name(own), self.doc.name(derivative)))
    }
}

fn text(
    naming: &Naming,
    name: &str,
    (inputs, outputs): (&[String], &[String]),
    directions: Option<u32>,
) -> String {
    let mut text = format!("{} of {name}", naming.title);
    let (from, to) = (outputs.join(", "), inputs.join(", "));
    let told = match (naming.transposed, outputs.is_empty(), inputs.is_empty()) {
        (true, false, false) => {
            format!(": from the adjoints at exit of {from} to those at entry of {to}")
        }
        (true, false, true) => format!(": from the adjoints at exit of {from}"),
        (true, true, false) => format!(": adjoints at entry of {to}"),
        (false, false, true) => format!(": derivative of {from}"),
        (false, false, false) => format!(": derivative of {from} with respect to {to}"),
        (true | false, true, _) => String::new(),
    };
    text.push_str(&told);
    if let Some(directions) = directions {
        text.push_str(&format!(", in {directions} directions"));
    }
    text.push('.');
    text
}

/// How many lines the comment of a former differentiation has at the head of a procedure.
fn old_heading(doc: &Document, scope: ScopeId) -> usize {
    let texts = doc.scopes[scope].items.iter().map_while(|item| match item {
        SpecItem::Comment(comment) if comment.kind == CommentKind::Text => Some(&*comment.text),
        _ => None,
    });
    let texts: Vec<&str> = texts.collect();
    let Some(rest) = texts.first().and_then(|first| {
        let titles = TITLES.iter().chain(&super::sweep_pairs::TITLES);
        titles
            .into_iter()
            .find_map(|title| first.strip_prefix(' ')?.strip_prefix(title)?.strip_prefix(' '))
    }) else {
        return 0;
    };
    // A sentence of the user goes on with another word.
    let name = rest.split([':', '.', ',']).next().unwrap_or_default();
    if name.is_empty() || name.len() == rest.len() || name.contains(' ') {
        return 0;
    }
    texts.iter().position(|line| line.ends_with('.')).map_or(0, |last| last + 1)
}

/// Breaks a text at blanks.
fn wrap(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.len() + word.len() >= WIDTH {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
