//! From an elimination to statements: partial derivatives, accumulation, and one propagator.
//!
//! What the run assigns stays, with all references passive. Partial derivatives stand before the
//! statement that would overwrite what they read, else behind the run with the accumulation, whose
//! statements are those of [`Listing`]. Only what the entries need is computed.

use std::collections::{BTreeMap, HashMap, HashSet};

use elimination::listing::{Expression, Listing};
use elimination::{Accumulation, Atom, NodeId, Value, Variable};
use xaif_schema::model::{
    Base, Document, ExprId, LocalJacobian, Part, Place, Propagator, RefId, ScopeId, StmtId,
    Subscript, SymbolId,
};

use super::choices::{chosen, deciding};
use super::graph::{Computed, Local};
use super::places::Places;
use super::runs::{Item, Run};
use super::shape::{Form, ShapeId, Shapes};
use super::steps::{Step, Whose, steps};
use booster_build::{
    Copier, FreshNames, binary, negate, nodes_of, promote, real, subscripts_of, value_of, whole,
};
use booster_shadow::jacobian::unless_zero;

/// What is written for a run.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// Assignments before statements of the run.
    pub(super) before: HashMap<StmtId, Vec<(RefId, ExprId)>>,
    /// Assignments behind its last statement.
    pub(super) behind: Vec<(RefId, ExprId)>,
    /// What these are to an adjoint.
    pub(super) part: LocalJacobian,
    /// The steps of the propagator.
    pub(super) steps: Vec<Propagator>,
    /// The variables that are allocated for the run, with their extents.
    pub(super) allocated: Vec<RefId>,
    /// The statement of the run before which that happens; behind the last one where there is none.
    pub(super) allocated_before: Option<StmtId>,
}

/// The names that variables of this stage have in a procedure.
#[derive(Clone, Debug)]
pub(super) struct Names {
    fresh: FreshNames,
    /// Variables that no entry is in, which other runs may use again.
    free: HashMap<(String, Form), SymbolId>,
}

impl Names {
    /// Those of a procedure with this scope.
    pub(super) fn new(doc: &Document, scope: ScopeId) -> Self {
        Names { fresh: FreshNames::new(doc, scope), free: HashMap::new() }
    }
}

/// Writes what computes the derivatives of a run by `accumulation`, which an adjoint executes `again` or
/// not.
pub(super) fn write(
    doc: &mut Document,
    (shapes, place): (&Shapes, Place),
    run: &Run<'_>,
    local: &Local,
    (accumulation, again): (&Accumulation, bool),
    names: &mut Names,
) -> Written {
    let mut writer = Writer {
        doc,
        shapes,
        place,
        local,
        listing: Listing::new(accumulation),
        places: HashMap::new(),
        symbols: HashMap::new(),
        forms: HashMap::new(),
        needed: HashSet::new(),
        entries: entries(accumulation),
        chosen: HashSet::new(),
        aside: Vec::new(),
        names,
    };
    writer.chosen = chosen(&local.coefficients, &writer.listing);
    writer.needed = needed(accumulation, &writer.listing);
    writer.name_all(accumulation, again);
    let mut written = Written {
        before: HashMap::new(),
        behind: Vec::new(),
        part: LocalJacobian::Entry,
        steps: Vec::new(),
        allocated: Vec::new(),
        allocated_before: None,
    };
    writer.partials(run, &mut written);
    writer.accumulation(&mut written);
    writer.propagator(&run.places, accumulation, &mut written);
    writer.allocations(run, &mut written);
    let made: Vec<((String, Form), SymbolId)> = writer.symbols.into_iter().collect();
    let kept: HashSet<SymbolId> = kept(doc, &written);
    names.free.extend(made.into_iter().filter(|(_, symbol)| !kept.contains(symbol)));
    passive(doc, run);
    written
}

/// The variables that coefficients of the propagator name.
fn kept(doc: &Document, written: &Written) -> HashSet<SymbolId> {
    let mut roots = Vec::new();
    for step in &written.steps {
        if let Propagator::Sax { terms, .. } = step {
            roots.extend(terms.iter().map(|&(value, _)| value));
        }
    }
    let nodes = nodes_of(doc, roots).into_iter();
    nodes
        .filter_map(|node| doc.exprs[node].reference())
        .map(|reference| doc.refs[reference].base)
        .collect()
}

/// The values that entries are.
fn entries(accumulation: &Accumulation) -> HashSet<Atom> {
    accumulation.entries().iter().map(|entry| entry.value.atom).collect()
}

struct Writer<'a> {
    doc: &'a mut Document,
    shapes: &'a Shapes,
    place: Place,
    local: &'a Local,
    listing: Listing,
    /// The variables of the results of statements.
    places: HashMap<NodeId, SymbolId>,
    /// The variables that were made, by wish and form.
    symbols: HashMap<(String, Form), SymbolId>,
    /// What these are.
    forms: HashMap<NodeId, Form>,
    /// The coefficients that something reads.
    needed: HashSet<Atom>,
    entries: HashSet<Atom>,
    /// The values that are 0 where something was not chosen.
    chosen: HashSet<Atom>,
    /// The variables that derivatives are set aside in, with their shapes.
    aside: Vec<(SymbolId, Option<ShapeId>)>,
    names: &'a mut Names,
}

impl Writer<'_> {
    /// Variables for partial derivatives and for the results of statements.
    fn name_all(&mut self, accumulation: &Accumulation, again: bool) {
        let coefficients = self.local.coefficients.iter().enumerate();
        let taken: Vec<(String, Atom)> = coefficients
            .filter(|(_, coefficient)| coefficient.place != Computed::Itself)
            .map(|(number, one)| (one.name.clone(), Atom::Variable(Variable(number as u32))))
            .collect();
        let graph = &self.local.graph;
        // What is executed again must find what was computed before the run.
        let coefficients = self.local.coefficients.iter();
        let early: HashSet<&str> = coefficients
            .filter(|coefficient| again && matches!(coefficient.place, Computed::Before(_)))
            .map(|coefficient| coefficient.name.as_str())
            .collect();
        let name = |(source, target): (u32, u32), number: usize| {
            let base = format!("c_{}_{}", graph.name(target), graph.name(source));
            let name = if number == 0 { base } else { format!("{base}_{}", number + 1) };
            if early.contains(name.as_str()) { format!("{name}_all") } else { name }
        };
        let places = self.listing.places(accumulation, &taken, &name);
        for statement in self.listing.statements.clone() {
            let operands = operands(statement.expression).into_iter();
            let form = operands.filter_map(|value| self.form_of(value)).reduce(Form::join);
            let form = form.unwrap_or(Form::scalar(Base::Real(8)));
            self.forms.insert(statement.node, form);
            let wish = places.get(&statement.node).cloned().unwrap_or_else(|| "c".into());
            let is_entry = self.entries.contains(&Atom::Node(statement.node));
            let symbol = self.symbol(&wish, form, is_entry);
            self.places.insert(statement.node, symbol);
        }
    }

    /// What a value is; `None` for constants, which have any type.
    fn form_of(&self, value: Value) -> Option<Form> {
        match value.atom {
            Atom::Constant(_) => None,
            Atom::Variable(Variable(number)) => Some(self.local.coefficients[number as usize].form),
            Atom::Node(node) => self.forms.get(&node).copied(),
        }
    }

    /// The variable for a name that a listing gives; one of an earlier run, where no entry is in it.
    fn symbol(&mut self, wish: &str, form: Form, is_entry: bool) -> SymbolId {
        let key = (wish.to_owned(), form);
        if let Some(&known) = self.symbols.get(&key) {
            return known;
        }
        let symbol = match self.names.free.get(&key) {
            Some(&free) if !is_entry => free,
            Some(_) | None => {
                form.variable(self.doc, self.shapes, &mut self.names.fresh, (wish, self.place))
            }
        };
        self.symbols.insert(key, symbol);
        symbol
    }

    fn partials(&mut self, run: &Run<'_>, written: &mut Written) {
        for (number, coefficient) in self.local.coefficients.iter().enumerate() {
            let atom = Atom::Variable(Variable(number as u32));
            if !self.needed.contains(&atom) {
                continue;
            }
            let list = match coefficient.place {
                Computed::Itself => continue,
                Computed::Behind => &mut written.behind,
                Computed::Before(item) => written.before.entry(run.items[item].stmt).or_default(),
            };
            let is_entry = self.entries.contains(&atom);
            let symbol = self.symbol(&coefficient.name, coefficient.form, is_entry);
            let target = passive_whole(self.doc, symbol, self.place);
            passive_expr(self.doc, coefficient.value);
            list.push((target, coefficient.value));
        }
    }

    fn accumulation(&mut self, written: &mut Written) {
        for statement in self.listing.statements.clone() {
            let Some(&symbol) = self.places.get(&statement.node) else { continue };
            let value = match statement.expression {
                Expression::Product(a, b) => self.product(a, b),
                Expression::Sum(a, b) => self.sum(a, b),
                Expression::MultiplyAdd { addend, factors: (a, b), negated, product_first } => {
                    let product = self.product(a, b);
                    let base = self.doc.exprs[product].ty.base;
                    match (product_first, negated, addend.negative) {
                        (true, _, true) => {
                            let addend = self.value(-addend, base);
                            binary(self.doc, "sub_scal_scal", product, addend)
                        }
                        (true, _, false) => {
                            let addend = self.value(addend, base);
                            binary(self.doc, "add_scal_scal", product, addend)
                        }
                        (false, true, _) => {
                            let addend = self.value(addend, base);
                            binary(self.doc, "sub_scal_scal", addend, product)
                        }
                        (false, false, _) => {
                            let addend = self.value(addend, base);
                            binary(self.doc, "add_scal_scal", addend, product)
                        }
                    }
                }
            };
            let target = passive_whole(self.doc, symbol, self.place);
            written.behind.push((target, value));
        }
    }

    fn product(&mut self, a: Value, b: Value) -> ExprId {
        let base = self.common(a, b);
        let factors = (self.value(a, base), self.value(b, base));
        let product = binary(self.doc, "mul_scal_scal", factors.0, factors.1);
        let deciding: Vec<Value> = deciding(&self.chosen, a, b).collect();
        deciding.into_iter().fold(product, |product, one| {
            let factor = self.value(Value { negative: false, ..one }, base);
            unless_zero(self.doc, product, factor)
        })
    }

    fn sum(&mut self, a: Value, b: Value) -> ExprId {
        let base = self.common(a, b);
        let first = self.value(a, base);
        let (name, b) = if b.negative { ("sub_scal_scal", -b) } else { ("add_scal_scal", b) };
        let second = self.value(b, base);
        binary(self.doc, name, first, second)
    }

    /// The type of constants among two operands.
    fn common(&self, a: Value, b: Value) -> Base {
        let known = [a, b].into_iter().filter_map(|value| self.form_of(value));
        known.map(|form| form.base).reduce(promote).unwrap_or(Base::Real(8))
    }

    /// A value as an expression; constants are of the type `base`.
    fn value(&mut self, value: Value, base: Base) -> ExprId {
        let without_sign = match value.atom {
            Atom::Constant(number) => constant(self.doc, number.get(), base, self.place),
            Atom::Variable(Variable(number)) => {
                let coefficient = &self.local.coefficients[number as usize];
                match self.symbols.get(&(coefficient.name.clone(), coefficient.form)) {
                    Some(&symbol) if coefficient.place != Computed::Itself => {
                        let read = passive_whole(self.doc, symbol, self.place);
                        value_of(self.doc, read)
                    }
                    Some(_) | None => {
                        let copy = Copier::new().expr(self.doc, coefficient.value);
                        passive_expr(self.doc, copy);
                        copy
                    }
                }
            }
            Atom::Node(node) => match self.places.get(&node) {
                Some(&symbol) => {
                    let read = passive_whole(self.doc, symbol, self.place);
                    value_of(self.doc, read)
                }
                None => real(self.doc, "0", base, self.place),
            },
        };
        if value.negative { negate(self.doc, without_sign) } else { without_sign }
    }

    fn propagator(&mut self, places: &Places, accumulation: &Accumulation, written: &mut Written) {
        let order = steps(&self.local.vertices, accumulation.entries());
        let bases = self.bases_of_steps(places, &order);
        let mut made: BTreeMap<Whose, SymbolId> = BTreeMap::new();
        for Step { target, terms } in &order {
            let base = bases.get(target).copied().unwrap_or(Base::Real(8));
            let terms = terms
                .iter()
                .map(|&(value, source)| {
                    let value = self.coefficient(value, base);
                    (value, self.active(places, source, base, &mut made))
                })
                .collect();
            let y = self.active(places, *target, base, &mut made);
            written.steps.push(Propagator::Sax { terms, y });
        }
    }

    /// ALLOCATE for the variables whose shape is known where the run is executed.
    fn allocations(&mut self, run: &Run<'_>, written: &mut Written) {
        let made = self.symbols.iter().map(|((_, form), &symbol)| (symbol, form.shape));
        let made = made.chain(self.aside.iter().copied());
        let allocated = |(symbol, shape): (SymbolId, Option<ShapeId>)| {
            Some((symbol, shape.filter(|&shape| self.shapes.is_allocated(shape))?))
        };
        let mut found: Vec<(SymbolId, ShapeId)> = made.filter_map(allocated).collect();
        found.sort_unstable_by_key(|&(symbol, _)| symbol);
        for &(symbol, shape) in &found {
            let extents = self.shapes.extents(self.doc, shape, self.place);
            extents.iter().for_each(|&extent| passive_expr(self.doc, extent));
            let bounds = extents.into_iter().map(Subscript::Index).collect();
            let base = whole(self.doc, symbol, self.place);
            let object = &mut self.doc.refs[base];
            object.parts.push(Part::Elements(bounds));
            object.active = self.doc.symbols[symbol].active;
            written.allocated.push(base);
        }
        let early = |item: &&Item<'_>| {
            let targets = written.before.get(&item.stmt).into_iter().flatten();
            let mut symbols = targets.map(|&(target, _)| self.doc.refs[target].base);
            symbols.any(|symbol| found.iter().any(|&(own, _)| own == symbol))
        };
        written.allocated_before = run.items.iter().find(early).map(|item| item.stmt);
    }

    /// The coefficient of a derivative, which chooses where it is 0 because something was not chosen.
    fn coefficient(&mut self, value: Value, base: Base) -> ExprId {
        if !self.chosen.contains(&value.atom) {
            return self.value(value, base);
        }
        let plain = Value { negative: false, ..value };
        let (factor, again) = (self.value(plain, base), self.value(plain, base));
        let choosing = unless_zero(self.doc, factor, again);
        if value.negative { negate(self.doc, choosing) } else { choosing }
    }

    /// The types of what the steps overwrite.
    fn bases_of_steps(&self, places: &Places, order: &[Step]) -> HashMap<Whose, Base> {
        let mut bases: HashMap<Whose, Base> = HashMap::new();
        let of = |whose: Whose, bases: &HashMap<Whose, Base>| match whose {
            Whose::Place(place) => Some(self.doc.refs[places.list[place.0].reference].ty.base),
            Whose::Vertex(_) => bases.get(&whose).copied(),
        };
        for Step { target, terms } in order {
            let own = of(*target, &bases);
            let read = terms.iter().filter_map(|&(_, source)| of(source, &bases)).reduce(promote);
            bases.insert(*target, own.or(read).unwrap_or(Base::Real(8)));
        }
        bases
    }

    /// A reference whose derivative is meant.
    fn active(
        &mut self,
        places: &Places,
        whose: Whose,
        base: Base,
        made: &mut BTreeMap<Whose, SymbolId>,
    ) -> RefId {
        match whose {
            Whose::Place(place) => {
                // A reference of the run, which is passive now: the fact is that of the place.
                let copy = Copier::new().reference(self.doc, places.list[place.0].reference);
                let own = places.list[place.0].active;
                self.doc.refs[copy].active = own;
                copy
            }
            Whose::Vertex(vertex) => {
                let symbol = *made.entry(whose).or_insert_with(|| {
                    let wish = self.local.graph.name(vertex);
                    let form = Form { base, ..self.local.forms[vertex as usize] };
                    let symbol = form.variable(
                        self.doc,
                        self.shapes,
                        &mut self.names.fresh,
                        (wish, self.place),
                    );
                    self.doc.symbols[symbol].active = Some(true);
                    self.aside.push((symbol, form.shape));
                    symbol
                });
                let reference = whole(self.doc, symbol, self.place);
                self.doc.refs[reference].active = Some(true);
                reference
            }
        }
    }
}

/// A number as a literal.
fn constant(doc: &mut Document, number: f64, base: Base, place: Place) -> ExprId {
    let single = number as f32;
    // A complex number is multiplied by a real one.
    let base = match base {
        Base::Complex(bytes) => Base::Real(bytes),
        other => other,
    };
    match base {
        Base::Real(4) if single.is_finite() => real(doc, &format!("{single:?}"), base, place),
        Base::Real(4) => real(doc, &format!("{number:?}"), Base::Real(8), place),
        _ => real(doc, &format!("{number:?}"), base, place),
    }
}

/// The values that entries are, or that a statement reads.
fn needed(accumulation: &Accumulation, listing: &Listing) -> HashSet<Atom> {
    let read = listing.statements.iter().flat_map(|statement| operands(statement.expression));
    read.map(|operand| operand.atom).chain(entries(accumulation)).collect()
}

fn operands(expression: Expression) -> Vec<Value> {
    match expression {
        Expression::Product(a, b) | Expression::Sum(a, b) => vec![a, b],
        Expression::MultiplyAdd { addend, factors: (a, b), .. } => vec![addend, a, b],
    }
}

/// All references of the assignments of a run are passive.
fn passive(doc: &mut Document, run: &Run<'_>) {
    for assignment in run.items.iter().filter_map(|item| item.assignment.as_ref()) {
        passive_expr(doc, assignment.rhs);
        passive_reference(doc, assignment.lhs);
    }
}

fn passive_whole(doc: &mut Document, symbol: SymbolId, place: Place) -> RefId {
    let reference = whole(doc, symbol, place);
    doc.refs[reference].active = Some(false);
    reference
}

fn passive_reference(doc: &mut Document, reference: RefId) {
    doc.refs[reference].active = Some(false);
    for subscript in subscripts_of(&doc.refs[reference]) {
        passive_expr(doc, subscript);
    }
}

fn passive_expr(doc: &mut Document, expr: ExprId) {
    for node in nodes_of(doc, [expr]) {
        if let Some(reference) = doc.exprs[node].reference() {
            doc.refs[reference].active = Some(false);
        }
    }
}
