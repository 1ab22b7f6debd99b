//! Pointers: `p => x`, NULLIFY, ALLOCATE and DEALLOCATE of what is behind a pointer.
//!
//! The forward sweep associates the adjoint of a pointer as the pointer, `pb => xb`, and records both
//! associations before it changes them: a variable of a type made for that holds them, whose bytes go
//! onto the tape. The backward sweep takes them back. Memory that the program releases is kept by the
//! forward sweep, since it may be needed again and other pointers may point to it; the backward sweep
//! releases it where the program has allocated it.

use std::collections::BTreeSet;

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Allocate, Attr, Base, Body, Dim, Document, ExprId, ExprKind, Part, Place, ProcId, RefId,
    Reference, Release, Role, ScopeId, ScopeKind, SpecItem, StmtId, StmtKind, Symbol, SymbolId,
    TypeSpec, VertexId, VertexKind,
};

use crate::body::{Adjoint, statements};
use crate::call_modes::targets::why_not_split;
use crate::queries::designators::is_pointer;
use crate::queries::designators::passed_variables;
use crate::recovery::properties::{on_tape, release};
use booster_build::unbounded;
use booster_build::{Copier, Emitter, fresh_name, new_variable, same_reference, value_of, whole};
use booster_facts::lasting;
use booster_shadow::derivative::{Direction, Sweep, declaration, symbol};

/// A variable that holds associations on their way to the tape.
#[derive(Clone, Debug)]
pub(crate) struct Holder {
    variable: SymbolId,
    components: Vec<SymbolId>,
}

impl Adjoint<'_> {
    /// Whether a pointer is allocated, released or associated.
    pub(crate) fn is_pointer(&self, doc: &Document, object: RefId) -> bool {
        is_pointer(doc, &doc.refs[object])
    }

    /// `p => x` in the forward sweep.
    pub(crate) fn forward_association(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        if matches!(e.doc.exprs[rhs].kind, ExprKind::Call(_)) {
            return Err(self.refused(
                e.doc,
                place,
                "a pointer to the result of a function has no adjoint",
                "associate it in a subroutine",
            ));
        }
        if self.is_procedure(e.doc, lhs) {
            return self.forward_procedure(e, stmt, lhs, rhs);
        }
        self.can_be_split(e.doc, lhs, Some(rhs))?;
        self.holder_is_there(e, stmt, lhs)?;
        self.hold(e, lhs, true)?;
        if let ExprKind::Ref(target) = e.doc.exprs[rhs].kind
            && self.tools.parts.is_active(e.doc, lhs)
        {
            self.target_is_there(e, stmt, target)?;
        }
        e.push(stmt);
        if self.tools.parts.is_active(e.doc, lhs) {
            for kind in self.tools.derivative_association(e.doc, lhs, rhs, place)? {
                e.stmt(kind, place);
            }
        }
        Ok(())
    }

    /// An adjoint that a pointer will point to exists in the forward sweep, too, and stays where it is.
    fn target_is_there(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        target: RefId,
    ) -> Result<(), Diagnostic> {
        let Reference { base, place, .. } = e.doc.refs[target];
        let components = e.doc.refs[target].parts.iter().any(|part| match part {
            Part::Component { symbol, .. } => {
                symbol.is_none_or(|symbol| e.doc.has(symbol, Attr::Allocatable))
            }
            _ => false,
        });
        let allocatable = e.doc.has(base, Attr::Allocatable);
        if components || allocatable && self.is_moved_behind(e.doc, stmt, base) {
            return Err(self.refused(
                e.doc,
                place,
                format!(
                    "a pointer points to `{}`, whose memory may be released before the backward sweep",
                    e.doc.name(base)
                ),
                "let the pointer point to a variable that keeps its shape, or use the variable itself",
            ));
        }
        if allocatable {
            let object = whole(e.doc, base, place);
            self.follow(e, object)?;
        }
        Ok(())
    }

    /// The adjoint of an allocatable that has the pointer `lhs` in it exists in the forward sweep, too.
    pub(crate) fn holder_is_there(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
    ) -> Result<(), Diagnostic> {
        let Reference { base, place, ref parts, .. } = e.doc.refs[lhs];
        let components = parts.iter().filter_map(|part| match part {
            Part::Component { symbol, .. } => *symbol,
            Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => None,
        });
        let pointer = e.doc.refs[lhs].entity();
        let mut way = std::iter::once(base).chain(components).filter(|&one| Some(one) != pointer);
        if !self.tools.parts.is_active(e.doc, lhs) || !way.any(|s| e.doc.has(s, Attr::Allocatable))
        {
            return Ok(());
        }
        if self.is_moved_behind(e.doc, stmt, base) {
            return Err(self.refused(
                e.doc,
                place,
                format!(
                    "a pointer is a component of `{}`, whose memory may be released before the backward sweep",
                    e.doc.name(base)
                ),
                "let what has the pointer keep its shape until the procedure ends",
            ));
        }
        let object = whole(e.doc, base, place);
        self.follow(e, object)
    }

    /// Whether the memory of `base` may be released, or become that of another variable, behind a
    /// statement: the backward sweep undoes that before it comes to the statement.
    fn is_moved_behind(&self, doc: &Document, stmt: StmtId, base: SymbolId) -> bool {
        self.behind(doc, stmt).into_iter().any(|stmt| match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, .. } => {
                doc.refs[*lhs].base == base && self.reshapes(doc, *lhs, *rhs)
            }
            StmtKind::Release(release) => release
                .objects
                .iter()
                .any(|&object| doc.refs[object].base == base && !self.is_pointer(doc, object)),
            StmtKind::Call(call) => doc
                .moved(call)
                .is_some_and(|(from, to)| doc.refs[from].base == base || doc.refs[to].base == base),
            StmtKind::PointerAssign { .. }
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => false,
        })
    }

    /// The statements that may be executed behind one.
    fn behind(&self, doc: &Document, stmt: StmtId) -> Vec<StmtId> {
        let Body::Flow(cfg) = &doc.procs[self.proc].body else { return Vec::new() };
        let of = |vertex: VertexId| match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => &stmts[..],
            _ => &[],
        };
        let Some(own) = cfg.vertices.keys().find(|&vertex| of(vertex).contains(&stmt)) else {
            return statements(cfg).collect();
        };
        let next = |vertex: VertexId| {
            cfg.edges.values().filter(move |edge| edge.source == vertex).map(|edge| edge.target)
        };
        let mut reached: BTreeSet<VertexId> = BTreeSet::new();
        let mut work: Vec<VertexId> = next(own).collect();
        while let Some(vertex) = work.pop() {
            if reached.insert(vertex) {
                work.extend(next(vertex));
            }
        }
        let here = of(own).iter().copied().skip_while(|&other| other != stmt).skip(1);
        here.chain(reached.into_iter().flat_map(|vertex| of(vertex).to_vec())).collect()
    }

    /// ALLOCATE in the forward sweep: the adjoints of pointers come into being, too.
    pub(crate) fn forward_pointer_allocate(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        allocate: &Allocate,
    ) -> Result<(), Diagnostic> {
        self.only_pointers(e.doc, stmt, &allocate.objects, allocate.stat)?;
        if allocate.source.is_some() {
            return Err(self.refused(
                e.doc,
                e.doc.stmts[stmt].place,
                "memory behind a pointer that begins with a value has no adjoint",
                "allocate it and assign the value",
            ));
        }
        for &object in &allocate.objects {
            self.can_be_split(e.doc, object, None)?;
            self.holder_is_there(e, stmt, object)?;
            let object = unbounded(e.doc, object);
            if !self.moved.contains(&e.doc.refs[object].base) {
                self.hold(e, object, true)?;
            }
        }
        self.tools.allocate(e, stmt, allocate)
    }

    /// ALLOCATE in the backward sweep.
    pub(crate) fn backward_pointer_allocate(
        &mut self,
        e: &mut Emitter<'_>,
        allocate: &Allocate,
    ) -> Result<(), Diagnostic> {
        let mut seen: Vec<RefId> = Vec::new();
        for &object in allocate.objects.iter().rev() {
            // The forward sweep has added the adjoints to the statement.
            if self.tools.parts.derivatives().contains(&e.doc.refs[object].base) {
                continue;
            }
            seen.push(object);
        }
        for object in seen {
            let object = unbounded(e.doc, object);
            release(e, object);
            if let Some(adjoint) = self.tools.parts.reference(e.doc, object, Direction::All) {
                release(e, adjoint);
            }
            if !self.moved.contains(&e.doc.refs[object].base) {
                self.hold(e, object, false)?;
            }
        }
        Ok(())
    }

    /// DEALLOCATE and NULLIFY in the forward sweep: the memory is kept.
    pub(crate) fn forward_pointer_release(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        release: &Release,
    ) -> Result<(), Diagnostic> {
        self.only_pointers(e.doc, stmt, &release.objects, release.stat)?;
        let mut objects = Vec::new();
        for &object in &release.objects {
            self.can_be_split(e.doc, object, None)?;
            self.hold(e, object, true)?;
            objects.push(Copier::new().reference(e.doc, object));
            objects.extend(self.beside_pointer(e.doc, object));
        }
        let nullify = Release { nullify: true, objects, stat: None, errmsg: None };
        e.stmt(StmtKind::Release(Box::new(nullify)), e.doc.stmts[stmt].place);
        Ok(())
    }

    /// `p => x`, DEALLOCATE and NULLIFY in the backward sweep.
    pub(crate) fn backward_association(
        &mut self,
        e: &mut Emitter<'_>,
        objects: &[RefId],
    ) -> Result<(), Diagnostic> {
        objects.iter().rev().try_for_each(|&object| {
            let object =
                if self.is_bounded(e.doc, object) { unbounded(e.doc, object) } else { object };
            self.hold(e, object, false)
        })
    }

    /// What is associated as a pointer is: its adjoint, or what stands beside one to procedures.
    fn beside_pointer(&mut self, doc: &mut Document, pointer: RefId) -> Vec<RefId> {
        match self.is_procedure(doc, pointer) {
            true => self.companions_of(doc, pointer),
            false => self.tools.parts.reference(doc, pointer, Direction::All).into_iter().collect(),
        }
    }

    /// Refuses what does not go from one half of a procedure to the other.
    fn can_be_split(
        &self,
        doc: &Document,
        pointer: RefId,
        rhs: Option<ExprId>,
    ) -> Result<(), Diagnostic> {
        let forward = self.tools.parts.sweep_of(self.proc) == Sweep::Forward;
        if !forward || self.is_procedure(doc, pointer) {
            return Ok(());
        }
        let procedures = self.storage.procedures();
        let lacks = |symbol| self.lacks_adjoint(doc, symbol);
        let Some(why) = why_not_split(doc, procedures, &lacks, pointer, rhs) else { return Ok(()) };
        let name = doc.name(doc.refs[pointer].base);
        let message = format!("`{name}` is associated in a call that is split: {why}");
        let help = "let the call be joint, or associate the pointer where nothing is split";
        Err(self.refused(doc, doc.refs[pointer].place, message, help))
    }

    /// Whether a dummy argument has an adjoint that the forward half it is of is not given, or is no
    /// more than a copy.
    pub(crate) fn lacks_adjoint(&self, doc: &Document, symbol: SymbolId) -> bool {
        if doc.has(symbol, Attr::Value) {
            return true;
        }
        let owner = self.storage.procedures().owner(doc.symbols[symbol].scope);
        let Some(owner) = owner else { return false };
        let Some(adjoint) = self.tools.parts.variable(symbol) else { return false };
        self.tools.parts.sweep_of(owner) == Sweep::Forward
            && !doc.procs[owner].args.iter().any(|arg| arg.symbol == Some(adjoint))
    }

    fn is_bounded(&self, doc: &Document, object: RefId) -> bool {
        matches!(doc.refs[object].parts.last(), Some(Part::Elements(_)))
    }

    fn only_pointers(
        &self,
        doc: &Document,
        stmt: StmtId,
        objects: &[RefId],
        stat: Option<RefId>,
    ) -> Result<(), Diagnostic> {
        let all = objects.iter().all(|&object| self.is_pointer(doc, object));
        if all && stat.is_none() {
            return Ok(());
        }
        Err(self.refused(
            doc,
            doc.stmts[stmt].place,
            "pointers and allocatable variables in one statement, or pointers with STAT=, have no adjoint",
            "write a statement for each, without STAT=",
        ))
    }

    /// Puts the association of a pointer and of its adjoint onto the tape, or takes them back.
    pub(crate) fn hold(
        &mut self,
        e: &mut Emitter<'_>,
        pointer: RefId,
        push: bool,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[pointer].place;
        let pointer =
            if self.is_bounded(e.doc, pointer) { unbounded(e.doc, pointer) } else { pointer };
        let Some(entity) = e.doc.refs[pointer].entity() else { return Ok(()) };
        self.begins_defined(e.doc, pointer, entity)?;
        let beside = self.beside_pointer(e.doc, pointer);
        let models: Vec<SymbolId> = match self.is_procedure(e.doc, pointer) {
            true => beside.iter().map(|&one| e.doc.refs[one].base).collect(),
            false => beside.iter().map(|_| entity).collect(),
        };
        let holder = self.holder(e.doc, entity, &models, place)?;
        let pairs: Vec<(RefId, SymbolId)> =
            std::iter::once(pointer).chain(beside).zip(holder.components).collect();
        if !push {
            let value = whole(e.doc, holder.variable, place);
            let value = value_of(e.doc, value);
            on_tape(e, "pop_array", value, place);
        }
        for (pointer, component) in pairs {
            let own = Copier::new().reference(e.doc, pointer);
            let held = whole(e.doc, holder.variable, place);
            let held = booster_build::component_of(e.doc, held, component);
            let (lhs, rhs) = if push { (held, own) } else { (own, held) };
            let rhs = value_of(e.doc, rhs);
            e.stmt(StmtKind::PointerAssign { lhs, rhs }, place);
        }
        if push {
            let value = whole(e.doc, holder.variable, place);
            let value = value_of(e.doc, value);
            on_tape(e, "push_array", value, place);
        }
        Ok(())
    }

    /// What is recorded must be defined: a component of a local structure that begins undefined is
    /// nullified as the procedure begins.
    fn begins_defined(
        &mut self,
        doc: &Document,
        pointer: RefId,
        entity: SymbolId,
    ) -> Result<(), Diagnostic> {
        let Reference { base, parts, place, .. } = &doc.refs[pointer];
        let defined = |symbol: SymbolId| {
            doc.symbols[symbol].decl.as_deref().is_some_and(|decl| decl.init.is_some())
        };
        if parts.is_empty() || defined(entity) || !self.is_local(doc, *base) {
            return Ok(());
        }
        let plain = parts.iter().all(|part| match part {
            Part::Component { symbol, .. } => symbol.is_some_and(|symbol| {
                symbol == entity || {
                    let indirect = [Attr::Allocatable, Attr::Pointer];
                    doc.symbols[symbol].rank == Some(0)
                        && !indirect.iter().any(|&attr| doc.has(symbol, attr))
                }
            }),
            Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => false,
        });
        let indirect = [Attr::Allocatable, Attr::Pointer];
        if !plain
            || doc.symbols[*base].rank != Some(0)
            || indirect.iter().any(|&attr| doc.has(*base, attr))
        {
            return Err(self.refused(
                doc,
                *place,
                format!(
                    "the pointer component `{}` may be undefined where its association must be \
                     recorded",
                    doc.name(entity)
                ),
                "give the component a default, `=> null()`",
            ));
        }
        let same = |&other: &RefId| booster_build::same_reference(doc, other, pointer);
        if !self.context.undefined.iter().any(same) {
            self.context.undefined.push(pointer);
        }
        Ok(())
    }

    /// Local pointers, and pointer components of local variables, that internal procedures associate, or pass to
    /// others: these record the association that they have before.
    fn associated_within(&self, doc: &mut Document) -> Vec<RefId> {
        let mut found: Vec<RefId> = Vec::new();
        let derived =
            |proc: &ProcId| self.tools.parts.procedures.iter().any(|(_, own)| own == proc);
        for proc in self.internal_procedures(doc).into_iter().filter(derived) {
            let Body::Flow(cfg) = &doc.procs[proc].body else { continue };
            let objects: Vec<RefId> = statements(cfg)
                .flat_map(|stmt| [self.memory_objects(doc, stmt), passed_whole(doc, stmt)].concat())
                .collect();
            for object in objects {
                // The bounds of `p(1:n) => x` and of ALLOCATE are no part of the pointer.
                let lhs = unbounded(doc, object);
                let Reference { base, ref parts, .. } = doc.refs[lhs];
                let Some(entity) = doc.refs[lhs].whole_entity() else { continue };
                if !self.is_pointer(doc, lhs) && !self.is_procedure(doc, lhs) {
                    continue;
                }
                let plain = parts.iter().all(|part| matches!(part, Part::Component { .. }));
                let is_begun = |symbol: SymbolId| {
                    doc.symbols[symbol].decl.as_deref().is_some_and(|decl| decl.init.is_some())
                };
                let indirect = [Attr::Allocatable, Attr::Pointer];
                let is_firm = parts.is_empty()
                    || doc.symbols[base].rank == Some(0)
                        && !indirect.iter().any(|&attr| doc.has(base, attr));
                if plain
                    && is_firm
                    && self.is_local(doc, base)
                    && !is_begun(entity)
                    && !self.moved.contains(&base)
                    && !found.iter().any(|&other| same_reference(doc, other, lhs))
                {
                    found.push(lhs);
                }
            }
        }
        found
    }

    /// Whether a variable lives as long as the activation.
    pub(crate) fn is_local(&self, doc: &Document, symbol: SymbolId) -> bool {
        let passed = doc.procs[self.proc].args.iter().any(|arg| arg.symbol == Some(symbol));
        doc.symbols[symbol].scope == self.scope(doc)
            && !passed
            && doc.symbols[symbol].decl.is_some()
            && !lasting(doc, self.scope(doc)).contains(&symbol)
    }

    /// A variable of a type with a component for the pointer and one for each pointer that is associated
    /// with it: its adjoint, or companions; they are declared as `beside` are.
    fn holder(
        &mut self,
        doc: &mut Document,
        entity: SymbolId,
        beside: &[SymbolId],
        place: Place,
    ) -> Result<Holder, Diagnostic> {
        if let Some(known) = self.context.holders.get(&entity) {
            return Ok(known.clone());
        }
        let base = doc.symbols[entity].decl.as_deref().map(|decl| decl.spec.base());
        if matches!(base, None | Some(Base::ClassStar | Base::Character(_))) {
            return Err(self.refused(
                doc,
                place,
                format!("the association of `{}` cannot be recorded", doc.name(entity)),
                "use a pointer of a type that is known",
            ));
        }
        let home = self.scope(doc);
        let name = fresh_name(doc, home, &format!("held_{}", doc.name(entity)));
        let inside = doc.add_scope(home, ScopeKind::Block, place);
        let role = Role::DerivedType { scope: inside, extends: None, params: Vec::new() };
        let made = doc.add_symbol(symbol(home, declaration(name.clone(), role, place)));
        doc.scopes[inside].kind = ScopeKind::DerivedType(made);
        let component = |doc: &mut Document, like: SymbolId, name: &str| {
            let mut copy =
                Symbol { scope: inside, id: name.to_owned(), ..doc.symbols[like].clone() };
            copy.active = Some(false);
            copy.temp = Some(true);
            if let Some(decl) = copy.decl.as_deref_mut() {
                Copier::new().spec(doc, &mut decl.spec);
                decl.char_len = None;
                decl.bind_name = None;
                decl.implicit = false;
                decl.name = name.to_owned();
                decl.attrs.retain(|attr| *attr == Attr::Contiguous);
                decl.attrs.insert(Attr::Pointer);
                if let Role::Procedure(info) = &mut decl.role {
                    info.pass = None;
                    // What an interface body declares can declare others.
                    info.interface = info.interface.or(info.proc.map(|_| like));
                    info.proc = None;
                    decl.attrs.insert(Attr::NoPass);
                }
                decl.dims = vec![Dim::Deferred; decl.dims.len()];
                decl.intent = None;
                decl.init = None;
                decl.common = None;
            }
            let component = doc.add_symbol(copy);
            doc.scopes[inside].items.push(SpecItem::Declare(vec![component]));
            component
        };
        let names: &[&str] = match beside {
            [_, _, ..] => &["forward", "backward"],
            [_] | [] => &["adjoint"],
        };
        let mut components = vec![component(doc, entity, "own")];
        components.extend(beside.iter().zip(names).map(|(&like, name)| component(doc, like, name)));
        for &component in &components {
            let Some(Role::Procedure(info)) = doc.role(component) else { continue };
            let Some(interface) = info.interface else { continue };
            let copy = copied_here(doc, home, interface).filter(|_| doc.is_private(interface));
            let decl = doc.symbols[component].decl.as_deref_mut();
            match (copy, decl.map(|decl| &mut decl.role)) {
                (Some(copy), Some(Role::Procedure(info))) => info.interface = Some(copy),
                _ => {
                    self.tools.import(doc, interface);
                }
            }
        }
        doc.scopes[home].items.push(SpecItem::DerivedType(made));
        let variable = new_variable(doc, home, "held", Base::Integer(4), place);
        if let Some(decl) = doc.symbols[variable].decl.as_deref_mut() {
            decl.spec =
                TypeSpec::Derived { symbol: Some(made), name, class: false, params: Vec::new() };
        }
        doc.symbols[variable].class = xaif_schema::model::TypeClass::Opaque;
        let holder = Holder { variable, components };
        self.context.holders.insert(entity, holder.clone());
        Ok(holder)
    }

    /// Pointers that belong to the activation point nowhere as it begins, so that this can be
    /// recorded.
    pub(crate) fn nullify_locals(&mut self, e: &mut Emitter<'_>) {
        let mut held: Vec<SymbolId> = self.context.holders.keys().copied().collect();
        held.sort();
        held.retain(|&symbol| self.is_local(e.doc, symbol) && !self.moved.contains(&symbol));
        let variables = held.into_iter().map(|symbol| whole(e.doc, symbol, Place::default()));
        let mut pointers: Vec<RefId> = variables.collect();
        for &pointer in &self.context.undefined {
            let known = pointers.iter().any(|&one| same_reference(e.doc, one, pointer));
            if !known && !self.moved.contains(&e.doc.refs[pointer].base) {
                pointers.push(Copier::new().reference(e.doc, pointer));
            }
        }
        for pointer in self.associated_within(e.doc) {
            if !pointers.iter().any(|&one| same_reference(e.doc, one, pointer)) {
                pointers.push(Copier::new().reference(e.doc, pointer));
            }
        }
        for pointer in pointers {
            let beside = self.beside_pointer(e.doc, pointer);
            let objects: Vec<RefId> = std::iter::once(pointer).chain(beside).collect();
            let nullify = Release { nullify: true, objects, stat: None, errmsg: None };
            e.stmt(StmtKind::Release(Box::new(nullify)), Place::default());
        }
    }
}

/// The variables and components that a call passes as a whole.
fn passed_whole(doc: &Document, stmt: StmtId) -> Vec<RefId> {
    let StmtKind::Call(call) = &doc.stmts[stmt].kind else { return Vec::new() };
    let passed = passed_variables(doc, &call.args);
    passed.filter(|&one| doc.refs[one].whole_entity().is_some()).collect()
}

/// What a derivative module has in the place of an interface that its module hides.
fn copied_here(doc: &Document, scope: ScopeId, hidden: SymbolId) -> Option<SymbolId> {
    let parent = |&scope: &ScopeId| doc.scopes[scope].parent;
    let mut around = std::iter::successors(Some(scope), parent);
    around.find_map(|scope| doc.symbol_in(scope, &doc.symbols[hidden].id))
}
