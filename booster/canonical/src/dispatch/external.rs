//! Choices among procedures that have no name where the call stands.
//!
//! A library calls `o%f(x)`, and the module that uses the library associates the component with a procedure
//! of its own. The library cannot use that module. So the choice is made by an external procedure, which
//! uses both:
//!
//! ```fortran
//! subroutine choose_f(o, x)
//!   use library, only: t
//!   use model, only: f1
//!   class(t) :: o
//!   real :: x
//!   if (associated(o%f, f1)) then;  call f1(o, x)
//!   else;  error stop 'the target of f is not known';  end if
//! end subroutine
//! ```
//!
//! Where it is called an interface body describes it. The object comes first where the procedure is not
//! passed it. The source of the user has no such procedure: it is printed with the derivative, in a file of
//! its own, for which all other program units are told to be the user's ([`Scope::provided`]).
//!
//! Constants that their modules hide are declared once more. A target that is called like a dummy argument
//! is brought in by another name.
//!
//! A binding that extensions override in other modules is chosen for likewise, by SELECT TYPE (`dispatched`).
//!
//! Not done: targets, types and components that their modules hide, interfaces that belong to no module.
//!
//! [`Scope::provided`]: xaif_schema::model::Scope::provided

use std::convert::Infallible;

use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Body, Callee, Cfg, Decl, Document, DummyArg, Effects, ExprKind,
    FunctionCall, Intent, InterfaceItem, Language, Nest, Part, Place, ProcClass, ProcId, Procedure,
    RefId, Role, Scope, ScopeId, ScopeKind, SourceFile, SpecItem, StmtKind, SubroutineCall,
    SymbolId, SymbolKind, Ty, TypeClass, Use, UseName, Vertex, VertexKind,
};

use super::pointer::{Choice, open_choice, stop_without_choice};
use crate::Canonical;
use booster_build::{
    Copied, Copier, Emitter, copy_decl, copy_scope, copy_signature, first_free, fresh_name,
    mentions, mentions_of_declaration, node, renamed, rewrite_entries, unique_name, value_of,
    whole,
};
use booster_facts::storage::Storage;
use booster_shadow::derivative::{declaration, symbol as symbol_of};
use booster_shadow::open::is_hidden_part;
use booster_shadow::polymorphic::{Selection, class_of};

/// A procedure that chooses for calls through one component or binding.
#[derive(Clone, Debug)]
pub(crate) struct Chooser {
    owner: SymbolId,
    member: SymbolId,
    targets: Vec<ProcId>,
    proc: ProcId,
}

/// What is known of a component or binding before a procedure is made for it.
pub(crate) struct Plan {
    /// The procedure or interface body that describes it.
    pub(crate) model: ProcId,
    /// The component or binding.
    pub(crate) member: SymbolId,
    /// The type of the object.
    pub(crate) owner: SymbolId,
    /// Which dummy argument is the object, from 0; `None` where it is passed beside them.
    pub(crate) object: Option<usize>,
    /// What is chosen among.
    pub(crate) targets: Vec<ProcId>,
    /// For a binding: the types that have these targets, with what the procedure is called by there.
    pub(crate) types: Vec<(SymbolId, Callable)>,
}

/// How the procedure that a binding means for a type is called where the type is known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callable {
    /// By its name.
    Name(SymbolId),
    /// By the binding of the type: its module hides the procedure.
    Binding(SymbolId),
}

impl Canonical {
    /// The procedure, by its name in the scope of the call, that chooses among what a call through a
    /// component may mean.
    pub(crate) fn chooser(
        &mut self,
        doc: &mut Document,
        storage: &Storage,
        callee: &Callee,
        caller: ProcId,
    ) -> Option<Choice> {
        let plan = plan(doc, storage, callee)?;
        self.chooser_of(doc, plan, caller)
    }

    /// The same for what is planned.
    pub(crate) fn chooser_of(
        &mut self,
        doc: &mut Document,
        plan: Plan,
        caller: ProcId,
    ) -> Option<Choice> {
        let known = self.choosers.iter().find(|chooser| {
            chooser.owner == plan.owner
                && chooser.member == plan.member
                && chooser.targets == plan.targets
        });
        let proc = match known {
            Some(known) => known.proc,
            None => {
                let proc = make(doc, &plan, self.facts.analysed)?;
                let Plan { owner, member, ref targets, .. } = plan;
                self.choosers.push(Chooser { owner, member, targets: targets.clone(), proc });
                proc
            }
        };
        let procedure = described_in(doc, proc, self.scope);
        doc.calls.push((caller, proc));
        let index = plan.object.unwrap_or(0);
        let dummy = doc.procs[proc].args.get(index)?.symbol?;
        let position = u32::try_from(index).ok()? + 1;
        Some(Choice {
            procedure,
            passed: Some((position, doc.name(dummy).into())),
            beside: plan.object.is_none(),
        })
    }
}

fn plan(doc: &Document, storage: &Storage, callee: &Callee) -> Option<Plan> {
    let component = callee.symbol;
    let targets = storage.targets(doc, callee);
    let in_part = targets.bodies.iter().any(|entry| entry.point.is_some());
    if targets.unknown || !targets.outside.is_empty() || targets.bodies.is_empty() || in_part {
        return None;
    }
    let Some(Role::Procedure(info)) = doc.role(component) else { return None };
    let model = doc.procedure_of(info.interface?)?;
    let ScopeKind::DerivedType(owner) = doc.scopes[doc.symbols[component].scope].kind else {
        return None;
    };
    let decl = doc.symbols[component].decl.as_deref()?;
    let object = match decl.has(Attr::NoPass) {
        true => None,
        false => Some(targets.bodies.first().and_then(|&entry| {
            storage.passed_object(doc, callee, entry).map(|(index, _)| index)
        })?),
    };
    let seen = !is_hidden_part(doc, owner, component);
    let is_body = matches!(doc.procs[model].body, Body::Interface);
    let targets: Vec<ProcId> = targets.bodies.into_iter().map(|entry| entry.proc).collect();
    let types = Vec::new();
    (seen && is_body).then_some(Plan { model, member: component, owner, object, targets, types })
}

/// What the procedure needs from outside.
#[derive(Default)]
struct Needs {
    /// From modules: the module, what it has, and the name that it gets.
    used: Vec<(ScopeId, SymbolId, String)>,
    /// Constants that their modules hide: they are declared once more.
    constants: Vec<SymbolId>,
}

/// What that is; `None` if a module hides it, or two things that are no procedures have one name.
fn needs(doc: &Document, plan: &Plan) -> Option<Needs> {
    let tree = doc.nest();
    let root = doc.procs[plan.model].scope;
    let inside = tree.inside(root);
    // The body of a binding is called; an interface body is but a description.
    let own = match doc.procs[plan.model].body {
        Body::Flow(_) => None,
        Body::Interface | Body::Replacements { .. } => Some(doc.procs[plan.model].symbol),
    };
    let mut named: Vec<SymbolId> = vec![plan.owner];
    if plan.types.is_empty() {
        named.extend(plan.targets.iter().map(|&proc| doc.procs[proc].symbol));
    }
    for &(ty, callable) in &plan.types {
        named.push(ty);
        match callable {
            Callable::Name(procedure) => named.push(procedure),
            Callable::Binding(_) => {}
        }
    }
    match doc.procs[plan.model].body {
        Body::Flow(_) => named.extend(named_by_dummies(doc, plan.model)),
        Body::Interface | Body::Replacements { .. } => {
            let all = mentions(doc, &tree, root, |_| false);
            named.extend(all.into_iter().map(|mention| mention.symbol));
        }
    }
    let mut needs = Needs::default();
    while let Some(symbol) = named.pop() {
        if Some(symbol) == own || inside.contains(&doc.symbols[symbol].scope) {
            continue;
        }
        let home = doc.symbols[symbol].scope;
        let (is_intrinsic, is_module) = match doc.role(symbol) {
            Some(Role::Procedure(info)) => (info.class == ProcClass::Intrinsic, false),
            Some(Role::Module { .. }) => (false, true),
            Some(_) | None => (false, false),
        };
        let known: Vec<SymbolId> = needs
            .used
            .iter()
            .map(|&(_, symbol, _)| symbol)
            .chain(needs.constants.iter().copied())
            .collect();
        if is_intrinsic || is_module || known.contains(&symbol) {
            continue;
        }
        let is_taken = |name: &str| {
            let id = name.to_ascii_lowercase();
            needs.used.iter().any(|(.., local)| local.eq_ignore_ascii_case(&id))
                || needs.constants.iter().any(|&other| doc.symbols[other].id == id)
                || inside.iter().any(|&scope| doc.symbol_in(scope, &id).is_some())
        };
        let local = match doc.role(symbol) {
            Some(Role::Procedure(_)) => first_free(doc.name(symbol), is_taken),
            Some(_) | None if is_taken(doc.name(symbol)) => return None,
            Some(_) | None => doc.name(symbol).to_owned(),
        };
        if !matches!(doc.scopes[home].kind, ScopeKind::Module(_)) {
            return None;
        }
        if !doc.is_private(symbol) {
            needs.used.push((home, symbol, local));
        } else if matches!(doc.role(symbol), Some(Role::Constant)) {
            needs.constants.push(symbol);
            named.extend(mentions_of_declaration(doc, symbol).iter().map(|mention| mention.symbol));
        } else {
            return None;
        }
    }
    // A constant stands behind those that its value names.
    needs.constants.reverse();
    Some(needs)
}

/// What the declarations of dummy arguments and result name, themselves included.
fn named_by_dummies(doc: &Document, proc: ProcId) -> Vec<SymbolId> {
    let data = &doc.procs[proc];
    let mut work: Vec<SymbolId> = data.args.iter().filter_map(|arg| arg.symbol).collect();
    work.extend(data.result);
    let mut named = Vec::new();
    while let Some(symbol) = work.pop() {
        if named.contains(&symbol) {
            continue;
        }
        named.push(symbol);
        if doc.symbols[symbol].scope == data.scope {
            work.extend(mentions_of_declaration(doc, symbol).iter().map(|mention| mention.symbol));
        }
    }
    named
}

/// Copies of constants, which belong to no scope yet.
fn copy_constants(
    doc: &mut Document,
    constants: &[SymbolId],
    copied: &mut Copied,
) -> Vec<SymbolId> {
    let mut copies = Vec::new();
    for &constant in constants {
        let copy = doc.symbols[constant].clone();
        let copy = doc.symbols.push(copy);
        copied.copier.symbols.insert(constant, copy);
        copies.push(copy);
    }
    for &copy in &copies {
        if let Some(mut decl) = doc.symbols[copy].decl.take() {
            copy_decl(doc, &mut decl, copied);
            decl.attrs.remove(&Attr::Private);
            doc.symbols[copy].decl = Some(decl);
        }
    }
    copies
}

fn uses(doc: &Document, needs: &[(ScopeId, SymbolId, String)], place: Place) -> Vec<SpecItem> {
    let mut uses: Vec<Use> = Vec::new();
    for (home, symbol, local) in needs {
        let ScopeKind::Module(module) = doc.scopes[*home].kind else { continue };
        let remote = doc.name(*symbol).to_owned();
        let name = UseName { local: local.clone(), remote, symbol: Some(*symbol) };
        match uses.iter_mut().find(|used| used.module == module) {
            Some(used) => used.names.push(name),
            None => {
                uses.push(Use { module, nature: None, only: true, names: vec![name], place });
            }
        }
    }
    uses.into_iter().map(SpecItem::Use).collect()
}

/// The procedure, as an external one.
fn make(doc: &mut Document, plan: &Plan, analysed: bool) -> Option<ProcId> {
    let global = doc.global_scope()?;
    let needs = needs(doc, plan)?;
    let (own, root) = (doc.procs[plan.model].symbol, doc.procs[plan.model].scope);
    let name = unique_name(doc, &format!("choose_{}", doc.name(plan.member)));
    let place = own_file(doc, plan, &name);
    let symbol = renamed(doc, own, global, name);
    let mut copied = Copied::default();
    copied.copier.symbols.insert(own, symbol);
    let constants = copy_constants(doc, &needs.constants, &mut copied);
    let tree = doc.nest();
    let (scope, proc) = match doc.procs[plan.model].body {
        Body::Flow(_) => described(doc, &tree, plan.model, (symbol, global), &mut copied),
        Body::Interface | Body::Replacements { .. } => {
            let scope = copy_scope(doc, &tree, root, global, &mut copied);
            (scope, *copied.procs.get(&plan.model)?)
        }
    };
    constants.iter().for_each(|&constant| doc.symbols[constant].scope = scope);
    doc.scopes[scope].symbols.splice(0..0, constants.iter().copied());
    is_external(doc, symbol, proc);
    name_result(doc, proc);
    let mut items = uses(doc, &needs.used, place);
    let old = std::mem::take(&mut doc.scopes[scope].items);
    let kept = |item: &SpecItem| !matches!(item, SpecItem::Import { .. } | SpecItem::Comment(_));
    items.extend(old.into_iter().filter(kept));
    let first = items.iter().position(|item| {
        !matches!(item, SpecItem::Use(_) | SpecItem::ImplicitNone(_) | SpecItem::Implicit(_))
    });
    let first = first.unwrap_or(items.len());
    let declared = constants.into_iter().map(|constant| SpecItem::Declare(vec![constant]));
    items.splice(first..first, declared);
    doc.scopes[scope].items = items;
    (doc.scopes[scope].place, doc.scopes[scope].end) = (place, place);
    doc.procs[proc].place = place;
    if plan.object.is_none() {
        pass_object(doc, proc, plan.owner, place);
    }
    if analysed {
        share_facts(doc, proc, plan);
    }
    tell_the_users(doc, global);
    doc.scopes[global].items.push(SpecItem::Unit(scope));
    write(doc, proc, plan, place);
    Some(proc)
}

/// A procedure `symbol` with the dummy arguments and the result of `model`, which has a body.
fn described(
    doc: &mut Document,
    tree: &Nest,
    model: ProcId,
    (symbol, global): (SymbolId, ScopeId),
    copied: &mut Copied,
) -> (ScopeId, ProcId) {
    let Procedure { scope: old, ref args, result, kind, place, .. } = doc.procs[model].clone();
    let scope = doc.scopes.push(Scope::new(Some(global), ScopeKind::Procedure(symbol), place));
    let dummies = copy_signature(doc, tree, (old, scope), (args, result), copied);
    for dummy in dummies {
        let copy = copied.copier.symbol(dummy);
        let is_described = match doc.role(copy) {
            Some(Role::Procedure(info)) => info.proc.is_some(),
            Some(_) | None => false,
        };
        if !is_described {
            doc.scopes[scope].items.push(SpecItem::Declare(vec![copy]));
        }
    }
    let mapped = |symbol: SymbolId| copied.copier.symbol(symbol);
    let args: Vec<DummyArg> =
        args.iter().map(|arg| DummyArg { symbol: arg.symbol.map(mapped), ..arg.clone() }).collect();
    let proc = doc.procs.push(Procedure {
        symbol,
        scope,
        args,
        result: result.map(mapped),
        kind,
        body: Body::Interface,
        place,
        active: None,
        entry_written: false,
        effects: Effects::default(),
        independent: Vec::new(),
        dependent: Vec::new(),
    });
    (scope, proc)
}

/// All program units are the user's, before the first is made here.
fn tell_the_users(doc: &mut Document, global: ScopeId) {
    if doc.scopes.values().any(|scope| scope.provided) {
        return;
    }
    for item in doc.scopes[global].items.clone() {
        if let SpecItem::Unit(unit) = item {
            doc.scopes[unit].provided = true;
        }
    }
}

/// A file for `choose_f`, beside the last of those of the type and of what is chosen among. Derivatives
/// are compiled in the sorted order of their files: `last_which_f_b.f90` comes behind `last_b.f90`.
fn own_file(doc: &mut Document, plan: &Plan, name: &str) -> Place {
    let types = plan.types.iter().map(|&(ty, _)| ty);
    let targets = plan.targets.iter().map(|&target| doc.procs[target].symbol);
    let needed = std::iter::once(plan.owner).chain(types).chain(targets);
    let file = |symbol: SymbolId| {
        let file = doc.symbols[symbol].decl.as_deref()?.place.file?;
        Some(doc.files[file].path.as_str())
    };
    let path = needed.filter_map(file).max().unwrap_or_default();
    let folder = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let stem = path[folder..].rsplit_once('.').map_or(&path[folder..], |(stem, _)| stem);
    let name = name.strip_prefix("choose_").unwrap_or(name);
    let path = format!("{}{stem}_which_{name}.f90", &path[..folder]);
    let file = doc.files.push(SourceFile { path, language: Language::FreeFortran });
    Place { file: Some(file), line: 1, column: 1 }
}

fn is_external(doc: &mut Document, symbol: SymbolId, proc: ProcId) {
    let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() else { return };
    decl.attrs.remove(&Attr::Abstract);
    if let Role::Procedure(info) = &mut decl.role {
        (info.class, info.proc, info.interface) = (ProcClass::External, Some(proc), None);
    }
}

/// A result without a name of its own has that of the function.
fn name_result(doc: &mut Document, proc: ProcId) {
    let Some(result) = doc.procs[proc].result else { return };
    let taken = doc.procs[proc].args.iter().filter_map(|arg| arg.symbol);
    let taken: Vec<String> = taken.map(|symbol| doc.symbols[symbol].id.to_string()).collect();
    let wishes = ["chosen".to_owned(), "chosen_value".to_owned()];
    let Some(name) = wishes.into_iter().find(|name| !taken.contains(name)) else { return };
    doc.symbols[result].id = name.clone();
    if let Some(decl) = doc.symbols[result].decl.as_deref_mut() {
        decl.name = name;
    }
}

/// The object becomes the first dummy argument.
fn pass_object(doc: &mut Document, proc: ProcId, owner: SymbolId, place: Place) {
    let scope = doc.procs[proc].scope;
    let name = fresh_name(doc, scope, "object");
    let decl = Decl { spec: class_of(doc, owner), ..declaration(name, Role::Variable, place) };
    let decl = Decl { intent: Some(Intent::In), ..decl };
    let mut data = symbol_of(scope, decl);
    data.kind = SymbolKind::Variable;
    data.class = TypeClass::Opaque;
    data.rank = Some(0);
    data.active = Some(false);
    let symbol = doc.add_symbol(data);
    doc.scopes[scope].items.push(SpecItem::Declare(vec![symbol]));
    let arg =
        DummyArg { position: 1, symbol: Some(symbol), intent: Some(Intent::In), deriv: false };
    let args = &mut doc.procs[proc].args;
    args.insert(0, arg);
    args.iter_mut().zip(1..).for_each(|(arg, position)| arg.position = position);
}

/// What facts of activity say of the procedures that are chosen among, which agree.
fn share_facts(doc: &mut Document, proc: ProcId, plan: &Plan) {
    let skip = usize::from(plan.object.is_none());
    let own: Vec<SymbolId> =
        doc.procs[proc].args.iter().skip(skip).filter_map(|arg| arg.symbol).collect();
    let active = plan.targets.iter().any(|&target| doc.procs[target].active == Some(true));
    for (at, symbol) in own.into_iter().enumerate() {
        let theirs = plan
            .targets
            .iter()
            .filter_map(|&target| doc.procs[target].args.get(at).and_then(|arg| arg.symbol));
        let any = theirs.into_iter().any(|symbol| doc.symbols[symbol].active != Some(false));
        doc.symbols[symbol].active = Some(any);
    }
    if let Some(result) = doc.procs[proc].result {
        let theirs = plan.targets.iter().filter_map(|&target| doc.procs[target].result);
        let any = theirs.into_iter().any(|symbol| doc.symbols[symbol].active != Some(false));
        doc.symbols[result].active = Some(any);
    }
    doc.procs[proc].active = Some(active);
}

/// The body.
fn write(doc: &mut Document, proc: ProcId, plan: &Plan, place: Place) {
    let mut cfg = Cfg::default();
    let entry = cfg.push(Vertex { kind: VertexKind::Entry(None), place, id: None, recorded: None });
    let exit = cfg.push(Vertex { kind: VertexKind::Exit, place, id: None, recorded: None });
    cfg.connect(entry, exit);
    doc.procs[proc].body = Body::Flow(cfg);
    let args: Vec<SymbolId> = doc.procs[proc].args.iter().filter_map(|arg| arg.symbol).collect();
    let Some(&object) = args.get(plan.object.unwrap_or(0)) else { return };
    let passed: Vec<SymbolId> = args.into_iter().skip(usize::from(plan.object.is_none())).collect();
    let result = doc.procs[proc].result;
    let done: Result<(), Infallible> = rewrite_entries(doc, proc, |e, _| {
        if plan.types.is_empty() {
            for (number, &target) in plan.targets.iter().enumerate() {
                let procedure = e.doc.procs[target].symbol;
                let pointer = component_of(e, object, plan.member, place);
                open_choice(e, pointer, procedure, number == 0, place);
                call(e, Callable::Name(procedure), (&passed, None), result, place);
            }
            stop_without_choice(e, plan.member, plan.targets.len(), place);
        } else {
            choose_by_type(e, plan, (object, &passed), result, place);
        }
        Ok(())
    });
    match done {
        Ok(()) => {}
        Err(never) => match never {},
    }
    let calls = plan.targets.iter().map(|&target| (proc, target));
    doc.calls.extend(calls.collect::<Vec<_>>());
}

/// `select type (object)` with a call in each arm.
fn choose_by_type(
    e: &mut Emitter<'_>,
    plan: &Plan,
    (object, passed): (SymbolId, &[SymbolId]),
    result: Option<SymbolId>,
    place: Place,
) {
    let whole = whole(e.doc, object, place);
    let selection = Selection::open(e, whole);
    for &(ty, callable) in &plan.types {
        let narrowed = selection.arm(e, ty);
        // Analyses are still to come, and must know whose storage it is.
        let selector = Copier::new().reference(e.doc, whole);
        let selector = Some(value_of(e.doc, selector));
        if let Some(decl) = e.doc.symbols[e.doc.refs[narrowed].base].decl.as_deref_mut() {
            decl.role = Role::Associate { selector };
        }
        call(e, callable, (passed, Some((object, narrowed))), result, place);
    }
    selection.close(e);
}

fn component_of(e: &mut Emitter<'_>, object: SymbolId, component: SymbolId, place: Place) -> RefId {
    let object = whole(e.doc, object, place);
    part_of(e, object, component)
}

/// `call f(o, x)`, `chosen = f(o, x)`, where `known` stands for an object of which the type is known by
/// now; `call known%f(x)` by a binding.
fn call(
    e: &mut Emitter<'_>,
    callable: Callable,
    (passed, known): (&[SymbolId], Option<(SymbolId, RefId)>),
    result: Option<SymbolId>,
    place: Place,
) {
    let (Callable::Name(symbol) | Callable::Binding(symbol)) = callable;
    let procedure = match (callable, e.doc.role(symbol)) {
        (Callable::Binding(_), Some(Role::Binding { target: Some(target), .. })) => *target,
        _ => symbol,
    };
    let active = e.doc.procedure_of(procedure).and_then(|proc| e.doc.procs[proc].active);
    let mut args = Vec::new();
    let mut bound = None;
    for (&symbol, position) in passed.iter().zip(1..) {
        let value = match (e.doc.role(symbol), known) {
            (Some(Role::Procedure(_)), _) => {
                let ty = Ty::scalar(Base::Procedure);
                node(e.doc, ExprKind::Procedure(symbol), ty, place)
            }
            (_, Some((object, known))) if object == symbol => {
                e.doc.refs[known].active = e.doc.symbols[symbol].active;
                if let Callable::Binding(binding) = callable {
                    bound = Some(part_of(e, known, binding));
                    continue;
                }
                value_of(e.doc, known)
            }
            (Some(_) | None, _) => {
                let reference = whole(e.doc, symbol, place);
                e.doc.refs[reference].active = e.doc.symbols[symbol].active;
                value_of(e.doc, reference)
            }
        };
        args.push(Arg { position, keyword: None, value: ArgValue::Expr(value) });
    }
    let callee = Callee { symbol, generic: None, object: bound };
    let formal_count = u32::try_from(passed.len()).ok();
    match result {
        None => {
            let call = SubroutineCall { callee, args, formal_count, active };
            e.stmt(StmtKind::Call(Box::new(call)), place);
        }
        Some(result) => {
            let lhs = whole(e.doc, result, place);
            e.doc.refs[lhs].active = e.doc.symbols[result].active;
            let ty = e.doc.refs[lhs].ty;
            let call = FunctionCall { callee, args, active };
            let rhs = node(e.doc, ExprKind::Call(Box::new(call)), ty, place);
            e.assign(lhs, rhs, place);
        }
    }
}

/// `object%f`
fn part_of(e: &mut Emitter<'_>, object: RefId, part: SymbolId) -> RefId {
    let reference = Copier::new().reference(e.doc, object);
    let name = e.doc.name(part).into();
    let data = &mut e.doc.refs[reference];
    data.parts.push(Part::Component { symbol: Some(part), name });
    data.ty = Ty::scalar(Base::Procedure);
    reference
}

/// The name of an external procedure in a scope, where an interface body describes it.
fn described_in(doc: &mut Document, proc: ProcId, caller: ScopeId) -> SymbolId {
    let symbol = doc.procs[proc].symbol;
    if let Some(known) = doc.symbol_in(caller, &doc.symbols[symbol].id) {
        return known;
    }
    // Its body is not described, nor are the arms that stand in it.
    let body = std::mem::replace(&mut doc.procs[proc].body, Body::Interface);
    let own = doc.procs[proc].scope;
    let nest = doc.nest();
    let arms = nest.children(own).iter().copied();
    let arms = arms.filter(|&scope| doc.scopes[scope].kind == ScopeKind::Associate);
    let arms: Vec<ScopeId> = arms.collect();
    arms.iter().for_each(|&arm| doc.set_parent(arm, None));
    let name = doc.name(symbol).to_owned();
    let local = renamed(doc, symbol, caller, name);
    let mut copied = Copied::default();
    copied.copier.symbols.insert(symbol, local);
    let tree = doc.nest();
    let scope = copy_scope(doc, &tree, doc.procs[proc].scope, caller, &mut copied);
    doc.procs[proc].body = body;
    arms.into_iter().for_each(|arm| doc.set_parent(arm, Some(own)));
    if let Some(&described) = copied.procs.get(&proc) {
        is_external(doc, local, described);
    }
    import_own(doc, scope, caller);
    doc.scopes[scope].provided = false;
    let items = vec![InterfaceItem::Body(scope)];
    let interface = SpecItem::Interface { generic: None, is_abstract: false, items };
    doc.scopes[caller].items.push(interface);
    local
}

/// A module is not used in itself: what the interface body needs of it is imported.
fn import_own(doc: &mut Document, scope: ScopeId, caller: ScopeId) {
    let parents = |&scope: &ScopeId| doc.scopes[scope].parent;
    let around: Vec<ScopeId> = std::iter::successors(Some(caller), parents).collect();
    let own = around.iter().find_map(|&scope| match doc.scopes[scope].kind {
        ScopeKind::Module(module) => Some(module),
        _ => None,
    });
    let mut names = Vec::new();
    let mut items = std::mem::take(&mut doc.scopes[scope].items);
    items.retain(|item| match item {
        SpecItem::Use(used) if Some(used.module) == own => {
            let named = used.names.iter().filter(|name| !is_procedure(doc, name));
            names.extend(named.map(|name| name.local.clone()));
            false
        }
        // Targets are named in the body alone.
        SpecItem::Use(used) => !used.names.iter().all(|name| is_procedure(doc, name)),
        _ => true,
    });
    if !names.is_empty() {
        let behind = items.iter().take_while(|item| matches!(item, SpecItem::Use(_))).count();
        let names = names.into_iter().filter(|name| is_type_or_constant(doc, &around, name));
        let names: Vec<String> = names.collect();
        if !names.is_empty() {
            items.insert(behind, SpecItem::Import { names, mode: None });
        }
    }
    doc.scopes[scope].items = items;
}

fn is_procedure(doc: &Document, name: &UseName) -> bool {
    let role = name.symbol.and_then(|symbol| doc.role(symbol));
    matches!(role, Some(Role::Procedure(info)) if info.class == ProcClass::Module)
}

fn is_type_or_constant(doc: &Document, around: &[ScopeId], name: &str) -> bool {
    let id = name.to_ascii_lowercase();
    let found = around.iter().find_map(|&scope| doc.symbol_in(scope, &id));
    !found.is_some_and(|symbol| {
        matches!(doc.role(symbol), Some(Role::Procedure(info)) if info.class == ProcClass::Module)
    })
}
