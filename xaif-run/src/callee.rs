//! Which procedure a call means: by its name, through a dummy procedure or procedure pointer, by
//! the dynamic type of an object.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Attr, Body, Callee, DummyArg, Part, ProcClass, ProcId, RefId, Role, ScopeKind, SymbolId,
    VertexId, VertexKind,
};

use crate::call::Target;
use crate::fault::{Located as _, Run, fault, refuse};
use crate::intrinsics::Builtin;
use crate::machine::{Binding, Machine};
use crate::storage::Slot;
use crate::value::Elem;
use crate::view::View;

/// The callee and the object that is passed to it.
pub(crate) struct Resolved {
    pub(crate) target: Target,
    pub(crate) passed: Option<(View, Option<String>)>,
}

/// What a procedure's name refers to.
pub(crate) fn target_of(machine: &Machine<'_>, symbol: SymbolId) -> Run<Target> {
    let doc = machine.doc;
    let program = machine.program;
    if let Some(Binding::Procedure(target)) = machine.bound(symbol) {
        return Ok(target.clone());
    }
    let name = doc.name(symbol).to_ascii_lowercase();
    let intrinsic = |name: &str| {
        let row = xaif_schema::intrinsics::named(name);
        Builtin::named(row.map_or(name, |(row, _)| row.fortran)).map(Target::Intrinsic)
    };
    if let Some(Role::Procedure(info)) = doc.role(symbol)
        && info.class == ProcClass::Intrinsic
    {
        return match intrinsic(&name) {
            Some(target) => Ok(target),
            None => refuse(format!("the intrinsic `{name}`")),
        };
    }
    let separate = || {
        // A separate module procedure: its body stands in a submodule, under a name of its own.
        program.bodies.iter().find(|(body, _)| {
            let submodule =
                matches!(doc.scopes[doc.symbols[**body].scope].kind, ScopeKind::Submodule { .. });
            submodule && doc.name(**body).eq_ignore_ascii_case(&name)
        })
    };
    let body = program
        .bodies
        .get(&symbol)
        .or_else(|| program.externals.get(&name))
        .or_else(|| separate().map(|(_, body)| body));
    let Some(&(proc, entry)) = body else {
        return match intrinsic(&name).filter(|_| doc.role(symbol).is_none()) {
            Some(target) => Ok(target),
            None => fault(
                Code::RUN_EXTERNAL,
                format!("`{name}` is called, but its body is not in the document"),
            )
            .help("give its source to the front-end, too"),
        };
    };
    let host = program.owners[doc.symbols[doc.procs[proc].symbol].scope]
        .filter(|&host| host != proc)
        .and_then(|host| machine.frame_of(host))
        .and_then(|frame| Some((frame, machine.frames.get(frame)?.serial)));
    Ok(Target::User { proc, entry, host })
}

impl<'d> Machine<'d> {
    pub(crate) fn resolve(&mut self, callee: &Callee) -> Run<Resolved> {
        if let Some(object) = callee.object {
            return self.resolve_bound(callee, object);
        }
        let doc = self.doc;
        let symbol = callee.symbol;
        let name = doc.name(symbol);
        let target = match doc.role(symbol) {
            Some(Role::Procedure(info)) => match info.class {
                ProcClass::Dummy | ProcClass::Pointer => self.procedure_value(symbol)?,
                ProcClass::External
                | ProcClass::Module
                | ProcClass::Internal
                | ProcClass::Intrinsic
                | ProcClass::Abstract
                | ProcClass::Entry => target_of(self, symbol)?,
            },
            Some(Role::Variable | Role::Unresolved { .. }) | None => match self.bound(symbol) {
                Some(Binding::Procedure(target)) => target.clone(),
                Some(_) | None => target_of(self, symbol)?,
            },
            Some(Role::Generic { .. }) => {
                return refuse(format!("generic `{name}`, which the document does not resolve"));
            }
            Some(_) => {
                return fault(Code::RUN_MALFORMED, format!("`{name}` is called but no procedure"));
            }
        };
        Ok(Resolved { target, passed: None })
    }

    /// The procedure that a dummy procedure or procedure pointer stands for.
    pub(crate) fn procedure_value(&mut self, symbol: SymbolId) -> Run<Target> {
        let name = self.doc.name(symbol);
        match self.binding(symbol)? {
            Binding::Procedure(target) => Ok(target.clone()),
            Binding::Handle(handle) => {
                let addr = handle.addr;
                match self.memory.slot(addr)? {
                    Some(Slot::Procedure(target)) => Ok(target.clone()),
                    Some(Slot::Null | Slot::Data(_) | Slot::Owned(_)) | None => fault(
                        Code::RUN_NOT_ALLOCATED,
                        format!("procedure pointer `{name}` is not associated"),
                    ),
                }
            }
            Binding::Absent => {
                fault(Code::RUN_UNDEFINED, format!("optional procedure `{name}` is not present"))
            }
            Binding::Data(_) | Binding::Unbound => {
                fault(Code::RUN_MALFORMED, format!("`{name}` is called but no procedure"))
            }
        }
    }

    /// `object%procedure`: by the dynamic type of the object.
    fn resolve_bound(&mut self, callee: &Callee, object: RefId) -> Run<Resolved> {
        let doc = self.doc;
        let reference = &doc.refs[object];
        let (before, last) = match reference.parts.split_last() {
            Some((last @ Part::Component { .. }, before)) => (before, Some(last)),
            Some(_) | None => (reference.parts.as_slice(), None),
        };
        let view = self.base_view(reference.base)?;
        let view = self.select(view, before)?.view()?;
        if let Some(Part::Component { symbol, .. }) = last
            && !self.is_binding(*symbol)
            && !self.is_binding(Some(callee.symbol))
        {
            return self.resolve_component(reference.base, &reference.parts, view);
        }
        let name = doc.name(callee.symbol);
        let Elem::Derived(layout) = view.elem else {
            return fault(Code::RUN_TYPE, format!("`{name}` is called on an intrinsic type"));
        };
        let Some(binding) = self.find_binding(layout, name) else {
            return fault(Code::RUN_MALFORMED, format!("the type has no procedure `{name}`"));
        };
        let Some(Role::Binding { target: Some(target), pass, .. }) = doc.role(binding) else {
            return fault(Code::RUN_EXTERNAL, format!("deferred procedure `{name}` is called"));
        };
        let no_pass = doc.symbols[binding].has(Attr::NoPass);
        let passed = (!no_pass).then(|| (view, pass.clone()));
        Ok(Resolved { target: target_of(self, *target)?, passed })
    }

    fn resolve_component(&mut self, base: SymbolId, parts: &[Part], object: View) -> Run<Resolved> {
        let Some(handle) = self.handle(base, parts)? else {
            return fault(Code::RUN_MALFORMED, "what is called is no procedure pointer");
        };
        let Some(Slot::Procedure(target)) = self.memory.slot(handle.addr)?.cloned() else {
            return fault(Code::RUN_NOT_ALLOCATED, "a procedure component is not associated");
        };
        let Some(Part::Component { symbol: Some(symbol), .. }) = parts.last() else {
            return Ok(Resolved { target, passed: None });
        };
        let decl = self.doc.symbols[*symbol].decl.as_ref();
        let no_pass = decl.is_some_and(|decl| decl.has(Attr::NoPass));
        let pass = match decl.map(|decl| &decl.role) {
            Some(Role::Procedure(info)) => info.pass.clone(),
            Some(_) | None => None,
        };
        Ok(Resolved { target, passed: (!no_pass).then_some((object, pass)) })
    }

    /// The binding called `name` in a type, or in the nearest type that it extends.
    pub(crate) fn find_binding(&self, layout: u32, name: &str) -> Option<SymbolId> {
        let doc = self.doc;
        let mut at = Some(layout);
        while let Some(id) = at {
            let layout = self.layouts.get(id as usize)?;
            if let Some(Role::DerivedType { scope, .. }) = doc.role(layout.symbol) {
                let found = doc.scopes[*scope].symbols.iter().find(|&&symbol| {
                    matches!(doc.role(symbol), Some(Role::Binding { .. }))
                        && doc.name(symbol).eq_ignore_ascii_case(name)
                });
                if let Some(&symbol) = found {
                    return Some(symbol);
                }
            }
            at = layout.parent;
        }
        None
    }

    /// The dummy arguments of an entry of a procedure.
    pub(crate) fn dummies(&self, proc: ProcId, entry: Option<VertexId>) -> &'d [DummyArg] {
        let procedure = &self.doc.procs[proc];
        if let (Some(vertex), Body::Flow(cfg)) = (entry, &procedure.body)
            && let VertexKind::Entry(Some(point)) = &cfg.vertices[vertex].kind
        {
            return &point.args;
        }
        &procedure.args
    }
}
