//! Calls through procedure components of structures become choices among the procedures that they
//! may mean, which are called by name.
//!
//! ```fortran
//! y = o%f(x)      if (associated(o%f, f1)) then;  y = f1(x)
//!                 else if (associated(o%f, f2)) then;  y = f2(x)
//!                 else;  error stop 'the target of f is not known';  end if
//! ```
//!
//! The derivative of a structure has the type of its original, so that its component could not hold
//! the derivative procedure, which has other arguments. What a component may mean is what the document
//! associates ([`Storage::targets`]); whatever else the user's own code may have put there stops the
//! program. The object that is passed (PASS) becomes an argument like others.
//!
//! Where a target cannot be named where the call stands, an external procedure chooses (`external`), and so
//! it does for some bindings (`dispatched`).
//! What nothing is associated with stops the program, too, with a warning.
//! Not done, and refused by who makes derivatives: calls of which nobody knows all targets, alternate
//! returns.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Base, Callee, Document, ExprId, ExprKind, Init, Place, ProcClass, ProcId, RefId,
    Role, ScopeKind, StmtId, StmtKind, SymbolId, Ty,
};

use super::binding;
use crate::Canonical;
use booster_build::stop_marker;
use booster_build::{Copier, Emitter, intrinsic, node, rewrite_blocks, value_of};
use booster_facts::EntryOf;
use booster_facts::activity;
use booster_facts::storage::Storage;

/// One procedure that a call may mean.
pub(crate) struct Choice {
    pub(crate) procedure: SymbolId,
    /// The dummy argument that gets the object, counted from 1, with its name.
    pub(crate) passed: Option<(u32, Box<str>)>,
    /// Whether that is no argument of the call as it stands.
    pub(crate) beside: bool,
}

impl Canonical {
    /// Takes the calls through procedure components of a procedure apart. `storage` is found at the
    /// first of them and serves all procedures: what stands in calls does not change it.
    pub(crate) fn choices(
        &mut self,
        doc: &mut Document,
        storage: &mut Option<Storage>,
        proc: ProcId,
    ) {
        let done: Result<(), std::convert::Infallible> = rewrite_blocks(doc, proc, |e, stmt| {
            let Some(callee) = chosen_later(e.doc, stmt) else {
                e.push(stmt);
                return Ok(());
            };
            if matches!(e.doc.role(callee.symbol), Some(Role::Binding { .. })) {
                let plan = binding::plan(e.doc, &callee, proc);
                let chooser = plan.and_then(|plan| self.chooser_of(e.doc, plan, proc));
                if let (Some(chooser), Some(object)) = (chooser, callee.object) {
                    call_directly(e.doc, stmt, object, &chooser);
                    self.changed = true;
                }
                e.push(stmt);
                return Ok(());
            }
            let storage = storage
                .get_or_insert_with(|| activity::storage(e.doc, &activity::Options::default()));
            match self.choices_of(e.doc, storage, &callee) {
                Some(choices) => {
                    let place = e.doc.stmts[stmt].place;
                    self.refuse_hidden(e.doc, callee.symbol, &choices, place);
                    self.choose(e, stmt, &callee, choices);
                }
                None if nobody_associates(e.doc, storage, &callee) => {
                    self.stop_instead(e, stmt, &callee);
                }
                None => {
                    let object = callee.object;
                    let chooser = self.chooser(e.doc, storage, &callee, proc);
                    if let (Some(chooser), Some(object)) = (chooser, object) {
                        call_directly(e.doc, stmt, object, &chooser);
                        self.changed = true;
                    } else {
                        let place = e.doc.stmts[stmt].place;
                        self.refuse_internal(e.doc, storage, &callee, place);
                    }
                    e.push(stmt);
                }
            }
            Ok(())
        });
        match done {
            Ok(()) => {}
            Err(never) => match never {},
        }
    }

    /// A call through a component that points nowhere, as far as the document tells: it stops the program.
    fn stop_instead(&mut self, e: &mut Emitter<'_>, stmt: StmtId, callee: &Callee) {
        let place = e.doc.stmts[stmt].place;
        let name = e.doc.name(callee.symbol).to_owned();
        let message = format!(
            "no procedure is associated with the component `{name}`: where it is called the derivative stops"
        );
        let warning = Diagnostic::warning(Code::NO_TARGET, e.doc.spot(place), message);
        self.problems.push(warning.with_help("give the source that associates it"));
        e.stmt(stop_marker(&format!("error stop 'the target of {name} is not known'")), place);
        self.changed = true;
    }

    /// The procedures that a call may mean; `None` if they cannot all be named here.
    fn choices_of(
        &mut self,
        doc: &mut Document,
        storage: &Storage,
        callee: &Callee,
    ) -> Option<Vec<Choice>> {
        let targets = storage.targets(doc, callee);
        if targets.unknown || targets.bodies.iter().any(|entry| entry.point.is_some()) {
            return None;
        }
        let mut choices = Vec::new();
        for entry in targets.bodies {
            let procedure = doc.procs[entry.proc].symbol;
            choices.push(Choice {
                procedure,
                passed: passed(doc, storage, callee, entry),
                beside: false,
            });
        }
        for procedure in targets.outside {
            let interface = doc.procedure_of(procedure);
            let entry = interface.map(|proc| EntryOf { proc, point: None });
            let passed = entry.and_then(|entry| passed(doc, storage, callee, entry));
            choices.push(Choice { procedure, passed, beside: false });
        }
        choices.iter().all(|choice| self.expose(doc, choice.procedure)).then_some(choices)
    }

    /// A derivative module would have a copy of a PRIVATE target, with which no pointer of the program is
    /// associated.
    fn refuse_hidden(
        &mut self,
        doc: &Document,
        component: SymbolId,
        choices: &[Choice],
        at: Place,
    ) {
        for choice in choices {
            let home = doc.symbols[choice.procedure].scope;
            let ScopeKind::Module(module) = doc.scopes[home].kind else { continue };
            if !doc.is_private(choice.procedure) {
                continue;
            }
            let (name, module) = (doc.name(choice.procedure), doc.name(module));
            let message = format!(
                "the component `{}` may point to `{name}`, which is PRIVATE in `{module}`",
                doc.name(component)
            );
            let code = Code::HIDDEN_FROM_DERIVATIVE;
            self.problems.push(Diagnostic::error(code, doc.spot(at), message).with_help(format!(
                "make `{name}` PUBLIC, or use what `f2xaif FILES | xaif-expose | xaif2f` writes"
            )));
        }
    }

    /// An internal procedure has no name outside its host.
    fn refuse_internal(&mut self, doc: &Document, storage: &Storage, callee: &Callee, at: Place) {
        let targets = storage.targets(doc, callee).bodies;
        let internal = targets.into_iter().find_map(|entry| {
            let symbol = doc.procs[entry.proc].symbol;
            match doc.scopes[doc.symbols[symbol].scope].kind {
                ScopeKind::Procedure(host) => Some((symbol, host)),
                _ => None,
            }
        });
        let Some((internal, host)) = internal else { return };
        let (name, host) = (doc.name(internal), doc.name(host));
        let message = format!(
            "the component `{}` may point to `{name}`, which is internal to `{host}` and has no name here",
            doc.name(callee.symbol)
        );
        let code = Code::NO_DERIVATIVE_PROCEDURE;
        self.problems.push(Diagnostic::error(code, doc.spot(at), message).with_help(format!(
            "make `{name}` a procedure of a module; what it needs of `{host}` can be components of an extension of the type of the object"
        )));
    }

    fn choose(&mut self, e: &mut Emitter<'_>, stmt: StmtId, callee: &Callee, choices: Vec<Choice>) {
        let Some(object) = callee.object else { return };
        let place = e.doc.stmts[stmt].place;
        let arms = choices.len();
        for (number, choice) in choices.into_iter().enumerate() {
            let pointer = Copier::new().reference(e.doc, object);
            open_choice(e, pointer, choice.procedure, number == 0, place);
            let direct = Copier::new().stmt(e.doc, stmt);
            call_directly(e.doc, direct, object, &choice);
            e.push(direct);
        }
        stop_without_choice(e, callee.symbol, arms, place);
        self.changed = true;
    }
}

/// `if (associated(o%f, f1)) then`, or `else if`.
pub(crate) fn open_choice(
    e: &mut Emitter<'_>,
    pointer: RefId,
    procedure: SymbolId,
    first: bool,
    place: Place,
) {
    let pointer = value_of(e.doc, pointer);
    let ty = e.doc.exprs[pointer].ty;
    let named = node(e.doc, ExprKind::Procedure(procedure), ty, place);
    let logical = Ty::scalar(Base::Logical(4));
    let is_it = intrinsic(e.doc, "associated", &[pointer, named], logical);
    match first {
        true => e.open_if(is_it, place),
        false => e.open_else_if(is_it, place),
    }
}

/// `else; error stop ...; end if`
pub(crate) fn stop_without_choice(
    e: &mut Emitter<'_>,
    component: SymbolId,
    arms: usize,
    place: Place,
) {
    e.open_else();
    let name = e.doc.name(component).to_owned();
    e.stmt(stop_marker(&format!("error stop 'the target of {name} is not known'")), place);
    (0..arms).for_each(|_| e.close_if());
}

/// What an active call or assignment of a call names, if it is a procedure component or a binding.
fn chosen_later(doc: &Document, stmt: StmtId) -> Option<Callee> {
    let (callee, active) = match &doc.stmts[stmt].kind {
        // The edges of an alternate return leave the block that ends with the call.
        StmtKind::Call(call) if call.args.iter().any(returns_elsewhere) => return None,
        StmtKind::Call(call) => (&call.callee, call.active),
        StmtKind::Assign { rhs, defined: None, .. } => {
            let call = doc.exprs[*rhs].call()?;
            (&call.callee, call.active)
        }
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => return None,
    };
    let is_member = match doc.role(callee.symbol) {
        Some(Role::Procedure(info)) => info.class == ProcClass::Pointer,
        Some(Role::Binding { .. }) => true,
        Some(_) | None => false,
    };
    (is_member && callee.object.is_some() && active != Some(false)).then(|| callee.clone())
}

/// Whether a component begins with NULL and nothing in the document is associated with it.
fn nobody_associates(doc: &Document, storage: &Storage, callee: &Callee) -> bool {
    let targets = storage.targets(doc, callee);
    let is_null = doc.symbols[callee.symbol].decl.as_deref().is_some_and(|decl| match decl.init {
        Some(Init::Target(target)) => !matches!(doc.exprs[target].kind, ExprKind::Procedure(_)),
        Some(Init::Value(_)) | None => false,
    });
    is_null && targets.bodies.is_empty() && targets.outside.is_empty()
}

fn returns_elsewhere(arg: &Arg) -> bool {
    matches!(arg.value, ArgValue::AlternateReturn(_))
}

/// Which dummy argument gets the object.
fn passed(
    doc: &Document,
    storage: &Storage,
    callee: &Callee,
    entry: EntryOf,
) -> Option<(u32, Box<str>)> {
    let (index, _) = storage.passed_object(doc, callee, entry)?;
    let dummy = doc.procs[entry.proc].args.get(index)?.symbol?;
    Some((u32::try_from(index).ok()? + 1, doc.name(dummy).into()))
}

/// Lets the call of a statement name `choice`.
fn call_directly(doc: &mut Document, stmt: StmtId, object: RefId, choice: &Choice) {
    let object = choice.passed.as_ref().map(|_| before_last_part(doc, object));
    let (callee, args) = match &mut doc.stmts[stmt].kind {
        StmtKind::Call(call) => (&mut call.callee, &mut call.args),
        StmtKind::Assign { rhs, .. } => match &mut doc.exprs[*rhs].kind {
            ExprKind::Call(call) => (&mut call.callee, &mut call.args),
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => return,
        },
        StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => return,
    };
    if choice.beside {
        args.iter_mut().for_each(|arg| arg.position += 1);
    }
    *callee = Callee { symbol: choice.procedure, generic: None, object: None };
    if let (Some((position, name)), Some(object)) = (&choice.passed, object) {
        let at = args.iter().take_while(|arg| arg.position < *position).count();
        let in_order = at + 1 == *position as usize;
        let named = args[..at].iter().any(|arg| arg.keyword.is_some()) || !in_order;
        let keyword = named.then(|| name.clone());
        args.insert(at, Arg { position: *position, keyword, value: ArgValue::Expr(object) });
    }
}

/// The object of `object%f`.
fn before_last_part(doc: &mut Document, object: RefId) -> ExprId {
    let mut reference = doc.refs[object].clone();
    reference.parts.pop();
    let of = reference.entity().and_then(|symbol| doc.symbols[symbol].decl.as_ref());
    reference.ty = Ty::scalar(of.map_or(Base::Unknown, |decl| decl.spec.base()));
    let reference = doc.refs.push(reference);
    let reference = Copier::new().reference(doc, reference);
    value_of(doc, reference)
}
