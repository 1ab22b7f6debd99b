//! MOVE_ALLOC moves the derivatives, too.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::intrinsics;
use xaif_schema::model::{
    Allocate, Arg, ArgValue, Base, Part, Place, RefId, StmtId, StmtKind, SubroutineCall, SymbolId,
};

use super::body::Tangent;
use super::gather::slice;
use super::intrinsic::variable;
use booster_build::{Copier, Emitter, exists, value_of, whole};
use booster_shadow::derivative::Direction;

impl Tangent<'_> {
    pub(super) fn move_alloc(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &SubroutineCall,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let row = intrinsics::by_fortran("move_alloc");
        let named = |position: u32, keyword: &str| {
            call.args.iter().find(|arg| {
                let own = arg.keyword.as_deref().and_then(|own| row?.position_of(own));
                let meant = row.and_then(|row| row.position_of(keyword));
                if own.is_some() { own == meant } else { arg.position == position }
            })
        };
        let pair =
            [named(1, "from"), named(2, "to")].map(|arg| arg.and_then(|arg| variable(e.doc, arg)));
        e.push(stmt);
        let [Some(from), Some(to)] = pair else { return Ok(()) };
        let component = |reference: RefId| {
            let parts = &e.doc.refs[reference].parts;
            parts.iter().any(|part| matches!(part, Part::Component { .. }))
        };
        let looped = self.parts.directions.is_some() && (component(from) || component(to));
        if looped && component(from) != component(to) {
            return self.moved_between(e, (from, to), component(to), place);
        }
        let callee = call.callee.clone();
        self.each_direction(e, looped, place, |this, e, direction| {
            let derivatives =
                [from, to].map(|reference| this.parts.reference(e.doc, reference, direction));
            let [Some(from_d), Some(to_d)] = derivatives else {
                return this.half_moved(e, derivatives, (to, direction), place);
            };
            let mut args = Vec::new();
            for (reference, position) in [(from_d, 1), (to_d, 2)] {
                let value = ArgValue::Expr(value_of(e.doc, reference));
                args.push(Arg { position, keyword: None, value });
            }
            let mut copy = callee.clone();
            Copier::new().callee(e.doc, &mut copy);
            let made = SubroutineCall { callee: copy, args, formal_count: Some(2), active: None };
            e.stmt(StmtKind::Call(Box::new(made)), place);
            Ok(())
        })
    }

    /// Only one of the two has a derivative object.
    fn half_moved(
        &mut self,
        e: &mut Emitter<'_>,
        [from, to]: [Option<RefId>; 2],
        (original, direction): (RefId, Direction),
        place: Place,
    ) -> Result<(), Diagnostic> {
        if let Some(from) = from {
            // Its original is gone: so that it can be allocated anew.
            let there = exists(e.doc, from, "allocated");
            e.open_if(there, place);
            let object = Copier::new().reference(e.doc, from);
            e.release(object, place);
            e.close_if();
        }
        let Some(to) = to else { return Ok(()) };
        if self.parts.directions.is_some() {
            return self.allocated_anew(e, to, (original, direction), place);
        }
        // It takes its shape from the original, which has it by now, unless nothing has been moved.
        let there = exists(e.doc, original, "allocated");
        e.open_if(there, place);
        let target = Copier::new().reference(e.doc, to);
        let original = Copier::new().reference(e.doc, original);
        let original = value_of(e.doc, original);
        e.assign(target, original, place);
        let done = self.zero(e, to);
        let there = exists(e.doc, to, "allocated");
        e.open_else_if(there, place);
        let object = Copier::new().reference(e.doc, to);
        e.release(object, place);
        e.close_if();
        e.close_if();
        done
    }

    /// In several directions: the derivative is allocated as the original is by now, and set to zero.
    fn allocated_anew(
        &mut self,
        e: &mut Emitter<'_>,
        derivative: RefId,
        (original, direction): (RefId, Direction),
        place: Place,
    ) -> Result<(), Diagnostic> {
        let polymorphic = matches!(e.doc.refs[original].ty.base, Base::Class(_) | Base::ClassStar);
        if polymorphic {
            return Err(self.error(
                e.doc,
                Code::SEVERAL_DIRECTIONS,
                place,
                "move_alloc from a variable without derivative to a polymorphic one with has no \
                 tangent in several directions at once",
                "compute one direction at a time",
            ));
        }
        let there = exists(e.doc, derivative, "allocated");
        e.open_if(there, place);
        let old = Copier::new().reference(e.doc, derivative);
        e.release(old, place);
        e.close_if();
        let there = exists(e.doc, original, "allocated");
        e.open_if(there, place);
        let is_variable = e.doc.refs[derivative].parts.is_empty();
        let object = if is_variable {
            let symbol = e.doc.refs[derivative].base;
            self.like(e.doc, symbol, original, place)
        } else {
            let object = Copier::new().reference(e.doc, derivative);
            self.add_bounds(e.doc, object, original, None);
            object
        };
        e.stmt(allocate(object), place);
        self.zero(e, derivative)?;
        e.close_if();
        if self.has_allocatable_within(e.doc, e.doc.refs[original].ty.base) {
            self.follow_state(e, original, direction)?;
        }
        Ok(())
    }

    /// Between a variable, whose derivatives in all directions are one array, and a component, which has one in
    /// each: they are copied.
    fn moved_between(
        &mut self,
        e: &mut Emitter<'_>,
        (from, to): (RefId, RefId),
        to_component: bool,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let (variable, component) = if to_component { (from, to) } else { (to, from) };
        let derivative = self.parts.variable(e.doc.refs[variable].base);
        let polymorphic = matches!(e.doc.refs[to].ty.base, Base::Class(_) | Base::ClassStar);
        let known = self.parts.is_active(e.doc, component) && !polymorphic;
        let Some(derivative) = derivative.filter(|_| known) else {
            return Err(self.error(
                e.doc,
                Code::SEVERAL_DIRECTIONS,
                place,
                "move_alloc between a variable and a component has no tangent in several \
                 directions at once, where one of them has no derivative or is polymorphic",
                "compute one direction at a time",
            ));
        };
        let there = exists(e.doc, to, "allocated");
        if !to_component {
            self.release_if_allocated(e, derivative, place);
            e.open_if(there, place);
            let object = self.like(e.doc, derivative, variable, place);
            e.stmt(allocate(object), place);
            e.close_if();
        }
        self.each_direction(e, true, place, |this, e, direction| {
            let Some(part) = this.parts.reference(e.doc, component, direction) else {
                return Ok(());
            };
            let array = slice(e.doc, derivative, direction, place);
            let there = exists(e.doc, if to_component { part } else { to }, "allocated");
            e.open_if(there, place);
            if !to_component {
                let value = Copier::new().reference(e.doc, part);
                let value = value_of(e.doc, value);
                e.assign(array, value, place);
            }
            let old = Copier::new().reference(e.doc, part);
            e.release(old, place);
            e.close_if();
            if to_component {
                let there = exists(e.doc, to, "allocated");
                e.open_if(there, place);
                let object = Copier::new().reference(e.doc, part);
                this.add_bounds(e.doc, object, to, None);
                e.stmt(allocate(object), place);
                let value = value_of(e.doc, array);
                e.assign(part, value, place);
                e.close_if();
            }
            Ok(())
        })?;
        if to_component {
            self.release_if_allocated(e, derivative, place);
        }
        Ok(())
    }

    fn release_if_allocated(&self, e: &mut Emitter<'_>, symbol: SymbolId, place: Place) {
        let object = whole(e.doc, symbol, place);
        let there = exists(e.doc, object, "allocated");
        e.open_if(there, place);
        e.release(object, place);
        e.close_if();
    }
}

fn allocate(object: RefId) -> StmtKind {
    let objects = vec![object];
    let made = Allocate { spec: None, objects, stat: None, errmsg: None, source: None, mold: None };
    StmtKind::Allocate(Box::new(made))
}
