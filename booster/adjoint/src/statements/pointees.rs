//! Adjoints of allocatable components of what pointers point to.
//!
//! Adjoint objects live in the backward sweep alone and have the allocation of their originals there
//! (see `memory`). Those of variables begin to live as it begins; what a pointer points to has no name
//! of its own then, and lists and trees have any number of such objects. So each of them gets the
//! allocation of its original before the backward sweep of a statement that names it: `p%v` of a list
//! that `p` walks along, `g%part%q`, all components of `p` where it is passed as a whole. What has it
//! already keeps its value.
//!
//! Not here: polymorphic objects that pointers point to and whose extensions have such components
//! (their types are not known here).

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Arg, ArgValue, Attr, Document, ExprId, ExprKind, Part, RefId, Reference, Role, StmtId,
    StmtKind, SymbolId,
};

use crate::body::Adjoint;
use crate::queries::designators::same_designator;
use booster_build::Emitter;
use booster_facts::arguments_of;
use booster_facts::components::with_declared_rank;
use booster_shadow::derivative::Direction;
use booster_shadow::jacobian::Sum;
use booster_tangent::reads::references;

/// What follows its original.
enum Follower {
    /// An allocatable component.
    Component(Reference),
    /// The components of a structure.
    Structure(Reference),
}

impl Follower {
    fn reference(&self) -> &Reference {
        match self {
            Follower::Component(reference) | Follower::Structure(reference) => reference,
        }
    }
}

impl Adjoint<'_> {
    /// Before the backward sweep of `stmt`: the adjoints of what it names through pointers follow.
    pub(crate) fn follow_pointees(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        let named = named_by(e.doc, stmt);
        self.follow_all(e, &named)
    }

    /// The same of the steps of a local Jacobian.
    pub(crate) fn follow_pointees_of_jacobian(
        &mut self,
        e: &mut Emitter<'_>,
        steps: &[Sum],
    ) -> Result<(), Diagnostic> {
        let read = |step: &Sum| step.terms.iter().map(|&(_, source)| source).collect::<Vec<_>>();
        let named: Vec<RefId> =
            steps.iter().flat_map(|step| [vec![step.y], read(step)].concat()).collect();
        self.follow_all(e, &named)
    }

    /// Before the arms of a construct that selects by `selector`.
    pub(crate) fn follow_selector(
        &mut self,
        e: &mut Emitter<'_>,
        selector: ExprId,
    ) -> Result<(), Diagnostic> {
        let named = references(e.doc, selector);
        self.follow_all(e, &named)
    }

    fn follow_all(&mut self, e: &mut Emitter<'_>, named: &[RefId]) -> Result<(), Diagnostic> {
        let mut found: Vec<Follower> = Vec::new();
        for &reference in named {
            let Some(follower) = self.follower_through_pointer(e.doc, reference) else { continue };
            let own = follower.reference();
            if !found.iter().any(|other| same_designator(e.doc, other.reference(), own)) {
                found.push(follower);
            }
        }
        for follower in found {
            let object = e.doc.refs.push(follower.reference().clone());
            match follower {
                Follower::Component(_) => self.tools.follow_state(e, object, Direction::All)?,
                Follower::Structure(_) => self.tools.follow_parts(e, object, Direction::All)?,
            }
        }
        Ok(())
    }

    /// What of a reference follows: the first allocatable component behind a pointer, or, where there
    /// is none, the structure that it is.
    fn follower_through_pointer(&self, doc: &Document, reference: RefId) -> Option<Follower> {
        if !self.tools.parts.is_active(doc, reference) {
            return None;
        }
        let data = &doc.refs[reference];
        let mut through = is_behind_pointer(doc, data.base);
        for (at, part) in data.parts.iter().enumerate() {
            let Part::Component { symbol: Some(symbol), .. } = *part else { continue };
            if through && doc.has(symbol, Attr::Allocatable) {
                let mut component = data.clone();
                component.parts.truncate(at + 1);
                return Some(Follower::Component(with_declared_rank(doc, component)));
            }
            through |= doc.has(symbol, Attr::Pointer);
        }
        let whole = through && self.tools.has_allocatable_within(doc, data.ty.base);
        whole.then(|| Follower::Structure(data.clone()))
    }
}

/// Whether a variable is a pointer, or the name of ASSOCIATE or SELECT TYPE for what a pointer points to.
fn is_behind_pointer(doc: &Document, symbol: SymbolId) -> bool {
    let Some(Role::Associate { selector: Some(selector) }) = doc.role(symbol) else {
        return doc.has(symbol, Attr::Pointer);
    };
    let ExprKind::Ref(reference) = doc.exprs[*selector].kind else { return false };
    let reference = &doc.refs[reference];
    let pointer = |part: &Part| match part {
        Part::Component { symbol: Some(symbol), .. } => doc.has(*symbol, Attr::Pointer),
        _ => false,
    };
    reference.parts.iter().any(pointer) || is_behind_pointer(doc, reference.base)
}

/// The references of a statement whose adjoints its backward sweep names. Not what is passed to a dummy
/// argument that is a pointer itself or may be absent: it may point nowhere, and who is given it sees to
/// it.
fn named_by(doc: &Document, stmt: StmtId) -> Vec<RefId> {
    let mut found = Vec::new();
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, rhs, .. } => {
            found.push(*lhs);
            match &doc.exprs[*rhs].kind {
                ExprKind::Call(call) => {
                    found.extend(call.callee.object);
                    passed(doc, call.callee.symbol, &call.args, &mut found);
                }
                _ => found.extend(references(doc, *rhs)),
            }
        }
        StmtKind::Call(call) => {
            found.extend(call.callee.object);
            passed(doc, call.callee.symbol, &call.args, &mut found);
        }
        StmtKind::Where(construct) => {
            let body = construct.arms.iter().flat_map(|arm| &arm.body);
            body.for_each(|&inner| found.extend(named_by(doc, inner)));
        }
        StmtKind::Allocate(allocate) => {
            found.extend(&allocate.objects);
            found.extend(allocate.source.into_iter().flat_map(|source| references(doc, source)));
        }
        StmtKind::Marker(marker) => {
            let operands = marker.operands.iter();
            found.extend(operands.flat_map(|operand| references(doc, operand.expr)));
        }
        StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Forall(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Comment(_) => {}
    }
    found
}

fn passed(doc: &Document, callee: SymbolId, args: &[Arg], found: &mut Vec<RefId>) {
    let dummies = arguments_of(doc, callee).unwrap_or_default();
    for arg in args {
        let ArgValue::Expr(value) = arg.value else { continue };
        let dummy = dummies.iter().find(|dummy| dummy.position == arg.position);
        let dummy = dummy.and_then(|dummy| dummy.symbol);
        let may_be_nothing = dummy
            .is_some_and(|dummy| doc.has(dummy, Attr::Pointer) || doc.has(dummy, Attr::Optional));
        let variable = matches!(doc.exprs[value].kind, ExprKind::Ref(_));
        if !(variable && may_be_nothing) {
            found.extend(references(doc, value));
        }
    }
}
