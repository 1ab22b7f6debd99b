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
//! Constants that their modules hide are declared once more.
//!
//! Not done: targets, types and components that their modules hide, interfaces that belong to no module.
//!
//! [`Scope::provided`]: xaif_schema::model::Scope::provided

use std::convert::Infallible;

use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Body, Callee, Cfg, Decl, Document, DummyArg, ExprKind, FunctionCall,
    Intent, InterfaceItem, Language, Part, Place, ProcClass, ProcId, RefId, Role, ScopeId,
    ScopeKind, SourceFile, SpecItem, StmtKind, SubroutineCall, SymbolId, SymbolKind, Ty, TypeClass,
    TypeSpec, Use, UseName, Vertex, VertexKind,
};

use super::Canonical;
use super::choice::{Choice, open_choice, stop_without_choice};
use crate::analysis::is_hidden;
use crate::analysis::storage::Storage;
use crate::build::{
    Copied, Emitter, ScopeTree, copy_decl, copy_scope, fresh_name, mentions,
    mentions_of_declaration, node, renamed, rewrite_entries, unique_name, value_of, whole,
};
use crate::transform::derivative::{declaration, symbol as symbol_of};
use crate::transform::open::is_hidden_part;

/// A procedure that chooses for calls through one component.
#[derive(Clone, Debug)]
pub(super) struct Chooser {
    component: SymbolId,
    targets: Vec<ProcId>,
    proc: ProcId,
}

/// What is known of a component before a procedure is made for it.
struct Plan {
    /// The interface body that describes it.
    model: ProcId,
    component: SymbolId,
    /// The type that has it.
    owner: SymbolId,
    /// Which dummy argument is the object, from 0; `None` where it is passed beside them.
    object: Option<usize>,
    targets: Vec<ProcId>,
}

impl Canonical {
    /// The procedure, by its name in the scope of the call, that chooses among what a call through a
    /// component may mean.
    pub(super) fn chooser(
        &mut self,
        doc: &mut Document,
        storage: &Storage,
        callee: &Callee,
        caller: ProcId,
    ) -> Option<Choice> {
        let plan = plan(doc, storage, callee)?;
        let known = self
            .choosers
            .iter()
            .find(|chooser| chooser.component == plan.component && chooser.targets == plan.targets);
        let proc = match known {
            Some(known) => known.proc,
            None => {
                let proc = make(doc, &plan, self.facts.analysed)?;
                let (component, targets) = (plan.component, plan.targets.clone());
                self.choosers.push(Chooser { component, targets, proc });
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
    (seen && is_body).then_some(Plan { model, component, owner, object, targets })
}

/// What the procedure needs from outside.
#[derive(Default)]
struct Needs {
    /// From modules, by module.
    used: Vec<(ScopeId, SymbolId)>,
    /// Constants that their modules hide: they are declared once more.
    constants: Vec<SymbolId>,
}

/// What that is; `None` if a module hides it, or two things have one name.
fn needs(doc: &Document, plan: &Plan) -> Option<Needs> {
    let tree = ScopeTree::new(doc);
    let root = doc.procs[plan.model].scope;
    let inside = tree.inside(root);
    let own = doc.procs[plan.model].symbol;
    let mut named: Vec<SymbolId> = vec![plan.owner];
    named.extend(plan.targets.iter().map(|&proc| doc.procs[proc].symbol));
    named.extend(mentions(doc, &tree, root, |_| false).into_iter().map(|mention| mention.symbol));
    let mut needs = Needs::default();
    while let Some(symbol) = named.pop() {
        if symbol == own || inside.contains(&doc.symbols[symbol].scope) {
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
            .map(|&(_, symbol)| symbol)
            .chain(needs.constants.iter().copied())
            .collect();
        if is_intrinsic || is_module || known.contains(&symbol) {
            continue;
        }
        let id = &doc.symbols[symbol].id;
        let taken = known.iter().any(|&other| doc.symbols[other].id == *id)
            || inside.iter().any(|&scope| doc.symbol_in(scope, id).is_some());
        if taken || !matches!(doc.scopes[home].kind, ScopeKind::Module(_)) {
            return None;
        }
        if !is_hidden(doc, home, symbol) {
            needs.used.push((home, symbol));
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

fn uses(doc: &Document, needs: &[(ScopeId, SymbolId)], place: Place) -> Vec<SpecItem> {
    let mut uses: Vec<Use> = Vec::new();
    for &(home, symbol) in needs {
        let ScopeKind::Module(module) = doc.scopes[home].kind else { continue };
        let name = doc.name(symbol).to_owned();
        let name = UseName { local: name.clone(), remote: name, symbol: Some(symbol) };
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
    let name = unique_name(doc, &format!("choose_{}", doc.name(plan.component)));
    let place = own_file(doc, plan.owner, &name);
    let symbol = renamed(doc, own, global, name);
    let mut copied = Copied::default();
    copied.copier.symbols.insert(own, symbol);
    let constants = copy_constants(doc, &needs.constants, &mut copied);
    let tree = ScopeTree::new(doc);
    let scope = copy_scope(doc, &tree, root, global, &mut copied);
    let proc = *copied.procs.get(&plan.model)?;
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

/// A file beside that of the type.
fn own_file(doc: &mut Document, owner: SymbolId, name: &str) -> Place {
    let file = doc.symbols[owner].decl.as_deref().and_then(|decl| decl.place.file);
    let path = file.map_or("", |file| doc.files[file].path.as_str());
    let folder = path.rfind(['/', '\\']).map_or("", |at| &path[..=at]);
    let path = format!("{folder}{name}.f90");
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
    let type_name = doc.name(owner).to_owned();
    let spec =
        TypeSpec::Derived { symbol: Some(owner), name: type_name, class: true, params: Vec::new() };
    let decl = Decl { spec, ..declaration(name, Role::Variable, place) };
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
        for (number, &target) in plan.targets.iter().enumerate() {
            let procedure = e.doc.procs[target].symbol;
            let pointer = component_of(e, object, plan.component, place);
            open_choice(e, pointer, procedure, number == 0, place);
            call(e, procedure, &passed, result, place);
        }
        stop_without_choice(e, plan.component, plan.targets.len(), place);
        Ok(())
    });
    match done {
        Ok(()) => {}
        Err(never) => match never {},
    }
    let calls = plan.targets.iter().map(|&target| (proc, target));
    doc.calls.extend(calls.collect::<Vec<_>>());
}

fn component_of(e: &mut Emitter<'_>, object: SymbolId, component: SymbolId, place: Place) -> RefId {
    let reference = whole(e.doc, object, place);
    let name = e.doc.name(component).into();
    let data = &mut e.doc.refs[reference];
    data.parts.push(Part::Component { symbol: Some(component), name });
    data.ty = Ty::scalar(Base::Procedure);
    reference
}

/// `call f(o, x)`, `chosen = f(o, x)`
fn call(
    e: &mut Emitter<'_>,
    procedure: SymbolId,
    passed: &[SymbolId],
    result: Option<SymbolId>,
    place: Place,
) {
    let active = e.doc.procedure_of(procedure).and_then(|proc| e.doc.procs[proc].active);
    let mut args = Vec::new();
    for (&symbol, position) in passed.iter().zip(1..) {
        let value = match e.doc.role(symbol) {
            Some(Role::Procedure(_)) => {
                let ty = Ty::scalar(Base::Procedure);
                node(e.doc, ExprKind::Procedure(symbol), ty, place)
            }
            Some(_) | None => {
                let reference = whole(e.doc, symbol, place);
                e.doc.refs[reference].active = e.doc.symbols[symbol].active;
                value_of(e.doc, reference)
            }
        };
        args.push(Arg { position, keyword: None, value: ArgValue::Expr(value) });
    }
    let callee = Callee { symbol: procedure, generic: None, object: None };
    let formal_count = u32::try_from(args.len()).ok();
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

/// The name of an external procedure in a scope, where an interface body describes it.
fn described_in(doc: &mut Document, proc: ProcId, caller: ScopeId) -> SymbolId {
    let symbol = doc.procs[proc].symbol;
    if let Some(known) = doc.symbol_in(caller, &doc.symbols[symbol].id) {
        return known;
    }
    let body = std::mem::replace(&mut doc.procs[proc].body, Body::Interface);
    let name = doc.name(symbol).to_owned();
    let local = renamed(doc, symbol, caller, name);
    let mut copied = Copied::default();
    copied.copier.symbols.insert(symbol, local);
    let tree = ScopeTree::new(doc);
    let scope = copy_scope(doc, &tree, doc.procs[proc].scope, caller, &mut copied);
    doc.procs[proc].body = body;
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
            names.extend(used.names.iter().map(|name| name.local.clone()));
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
