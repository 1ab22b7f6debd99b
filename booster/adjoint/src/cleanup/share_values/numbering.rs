//! Numbers of values: two expressions of a block with one number have one value.
//!
//! Local value numbering (Aho, Lam, Sethi, Ullman, "Compilers", 6.1.2 and 8.5): an operation has the number of its
//! name, type and the numbers of its operands; a variable has the number of what was assigned to it, as long as no
//! statement overwrites it. Elements have numbers of their own by the numbers of their subscripts. The operands of
//! sums and products of two numbers are sorted, as these give the same number in both orders.

use std::collections::{BTreeMap, HashMap, HashSet};

use smallvec::SmallVec;
use xaif_schema::intrinsics::{self, Class};
use xaif_schema::model::{
    Attr, Base, BoolOp, Document, ExprId, ExprKind, Operands, Part, ProcId, RefId, Role, StmtId,
    StmtKind, Subscript, SymbolId, Ty,
};

use crate::cleanup::aliasing::{AliasClass, Aliasing, Effect};
use crate::queries::private_scalars::{has_internal_procedures, is_own_scalar};
use booster_build::{constant_integer, nodes_of, subscripts_of};
use booster_facts::Storage;
use booster_facts::dependence::Range;
use booster_linearize::costs;
use booster_tangent::reads::names_in_statement;

/// The number of a value.
pub(super) type Number = usize;

/// An index, the bounds of a section, or a component.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Piece {
    Index(Number),
    Section([Option<Number>; 3]),
    Component(SymbolId),
    Inquiry(Box<str>),
}

/// A variable or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Name {
    base: SymbolId,
    pieces: SmallVec<[Piece; 2]>,
}

/// How a value is computed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Constant(Box<str>, Ty),
    Named(SymbolId),
    Operation(Box<str>, Ty, SmallVec<[(u16, Number); 2]>),
    Boolean(BoolOp, Ty, SmallVec<[(u16, Number); 2]>),
}

/// What is known of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// It is made of constants only, or is a property of a variable.
    pub(super) constant: bool,
    /// Its type.
    pub(super) ty: Ty,
}

/// What it takes to compute a node as it is written.
#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    /// Functions, divisions and powers.
    cost: usize,
    /// Operations and operands.
    size: usize,
    /// The node is a comparison, or MERGE.
    chooses: bool,
}

/// Of each class of symbols so many references are known at once: a block may name thousands of elements of an array.
const MOST: usize = 256;

/// A choice of fewer operations and operands is no work.
const CHOICE: usize = 5;

/// A variable in which the value with a number is, from one statement of the block to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holder {
    pub(super) reference: RefId,
    /// The first statement that finds the value there.
    pub(super) from: usize,
    /// The last one.
    pub(super) until: usize,
}

/// A reference with a known value.
struct Entry {
    name: Name,
    reference: RefId,
}

/// The numbers of a block.
pub(super) struct Numbering<'a> {
    doc: &'a Document,
    proc: ProcId,
    aliasing: &'a Aliasing,
    around: &'a [Range],
    keys: HashMap<Key, Number>,
    pub(super) values: Vec<Value>,
    /// The numbers of reciprocals by those of their denominators.
    pub(super) reciprocals: HashMap<Number, Number>,
    /// The number of each node that has been looked at.
    pub(super) of: HashMap<ExprId, Number>,
    weights: HashMap<ExprId, Weight>,
    memory: HashMap<Name, Number>,
    /// The names in `memory` by the classes of their symbols.
    entries: HashMap<AliasClass, Vec<Entry>>,
    /// All variables that hold values, by the numbers of the values.
    pub(super) holders: HashMap<Number, Vec<Holder>>,
    /// Those that still do, by the classes of the symbols that they name, with what they name of the class.
    held: HashMap<AliasClass, BTreeMap<(Number, usize), Vec<RefId>>>,
}

impl<'a> Numbering<'a> {
    pub(super) fn new(
        doc: &'a Document,
        proc: ProcId,
        aliasing: &'a Aliasing,
        around: &'a [Range],
    ) -> Self {
        Numbering {
            doc,
            proc,
            aliasing,
            around,
            keys: HashMap::new(),
            values: Vec::new(),
            reciprocals: HashMap::new(),
            of: HashMap::new(),
            weights: HashMap::new(),
            memory: HashMap::new(),
            entries: HashMap::new(),
            holders: HashMap::new(),
            held: HashMap::new(),
        }
    }

    /// Whether it is worth a variable to compute a node once: a function, a division, a power or a choice is saved.
    pub(super) fn is_worth(&self, node: ExprId) -> bool {
        let (Some(&number), Some(weight)) = (self.of.get(&node), self.weights.get(&node)) else {
            return false;
        };
        let value = &self.values[number];
        let named = matches!(value.ty.base, Base::Real(_) | Base::Complex(_) | Base::Logical(_));
        let chooses = weight.chooses && weight.size >= CHOICE;
        !value.constant && named && (weight.cost > 0 || chooses)
    }

    /// The number of an expression with the values that variables have now.
    pub(super) fn number(&mut self, root: ExprId) -> Number {
        for node in nodes_of(self.doc, [root]).into_iter().rev() {
            if !self.of.contains_key(&node) {
                let number = self.node(node);
                self.of.insert(node, number);
                let weight = self.weight(node);
                self.weights.insert(node, weight);
            }
        }
        self.of.get(&root).copied().unwrap_or(0)
    }

    fn fresh(&mut self, ty: Ty) -> Number {
        self.values.push(Value { constant: false, ty });
        self.values.len() - 1
    }

    fn keyed(&mut self, key: Key, value: Value) -> Number {
        if let Some(&known) = self.keys.get(&key) {
            return known;
        }
        self.values.push(value);
        self.keys.insert(key, self.values.len() - 1);
        self.values.len() - 1
    }

    fn node(&mut self, node: ExprId) -> Number {
        let (doc, ty) = (self.doc, self.doc.exprs[node].ty);
        match &doc.exprs[node].kind {
            ExprKind::Constant(constant) => {
                let one = is_one(doc, node) && matches!(ty.base, Base::Real(_));
                let text = if one { "1".into() } else { constant.text.to_ascii_lowercase().into() };
                let value = Value { constant: true, ty };
                self.keyed(Key::Constant(text, ty), value)
            }
            ExprKind::Ref(reference) => self.load(*reference),
            ExprKind::Intrinsic { name, operands, .. } => {
                let impure = intrinsics::operator(name).is_none()
                    && intrinsics::by_xaif(name).is_none_or(|row| {
                        matches!(row.class, Class::Impure | Class::Subroutine { .. })
                    });
                let Some(mut numbers) = self.operands(operands).filter(|_| !impure) else {
                    return self.fresh(ty);
                };
                let commutes = matches!(&**name, "add_scal_scal" | "mul_scal_scal");
                let constant = intrinsics::inquires(name) || self.are_constant(&numbers);
                if commutes && let [one, other] = &mut numbers[..] {
                    let mut sorted = [one.1, other.1];
                    sorted.sort_unstable();
                    (one.1, other.1) = (sorted[0], sorted[1]);
                }
                let reciprocal = self.denominator_of_one(name, operands, ty);
                let number =
                    self.keyed(Key::Operation(name.clone(), ty, numbers), Value { constant, ty });
                if let Some(denominator) = reciprocal {
                    self.reciprocals.entry(denominator).or_insert(number);
                }
                number
            }
            ExprKind::Boolean { op, operands } => {
                let Some(numbers) = self.operands(operands) else { return self.fresh(ty) };
                let value = Value { constant: self.are_constant(&numbers), ty };
                self.keyed(Key::Boolean(*op, ty, numbers), value)
            }
            ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => self.fresh(ty),
        }
    }

    fn operands(&self, operands: &Operands) -> Option<SmallVec<[(u16, Number); 2]>> {
        let number = |expr: ExprId| self.of.get(&expr).copied();
        operands.iter().map(|one| Some((one.position, number(one.expr)?))).collect()
    }

    /// The denominator of a real `1/x` whose kind is that of `x`.
    fn denominator_of_one(&self, name: &str, operands: &Operands, ty: Ty) -> Option<Number> {
        let (one, denominator) = denominator(self.doc, name, operands, ty)?;
        is_one(self.doc, one).then(|| self.of.get(&denominator).copied()).flatten()
    }

    fn are_constant(&self, numbers: &[(u16, Number)]) -> bool {
        numbers.iter().all(|&(_, number)| self.values[number].constant)
    }

    fn weight(&self, node: ExprId) -> Weight {
        let doc = self.doc;
        let constant = self.of.get(&node).is_some_and(|&number| self.values[number].constant);
        let (operands, cost, chooses) = match &doc.exprs[node].kind {
            ExprKind::Intrinsic { name, operands, .. } => {
                let small = |expr| constant_integer(doc, expr).is_some_and(|n| (0..4).contains(&n));
                let product = &**name == "pow_scal_scal"
                    && operands.last().is_some_and(|last| small(last.expr));
                let number = doc.exprs[node].ty.base.is_continuous();
                (operands, costs(name) && number && !product, &**name == "merge" && number)
            }
            ExprKind::Boolean { operands, .. } => (operands, false, true),
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => return Weight { size: 1, ..Weight::default() },
        };
        if constant {
            return Weight { size: 1, ..Weight::default() };
        }
        let mut weight = Weight { cost: usize::from(cost), size: 1, chooses };
        for operand in operands {
            let inner = self.weights.get(&operand.expr).copied().unwrap_or_default();
            weight.cost = weight.cost.saturating_add(inner.cost);
            weight.size = weight.size.saturating_add(inner.size);
        }
        weight
    }

    /// The value of a variable.
    fn load(&mut self, reference: RefId) -> Number {
        let ty = self.doc.refs[reference].ty;
        let base = self.doc.refs[reference].base;
        if self.doc.refs[reference].parts.is_empty() && self.doc.has(base, Attr::Parameter) {
            let value = Value { constant: true, ty };
            return self.keyed(Key::Named(base), value);
        }
        let Some(name) = self.name(reference) else { return self.fresh(ty) };
        if let Some(&known) = self.memory.get(&name) {
            return known;
        }
        let number = self.fresh(ty);
        self.remember(name, reference, number);
        number
    }

    fn remember(&mut self, name: Name, reference: RefId, number: Number) {
        let class = self.aliasing.class(name.base);
        self.memory.insert(name.clone(), number);
        let entries = self.entries.entry(class).or_default();
        entries.push(Entry { name, reference });
        if entries.len() > MOST {
            let oldest = entries.remove(0);
            self.memory.remove(&oldest.name);
        }
    }

    /// The name of a reference whose value only statements of the program change.
    fn name(&self, reference: RefId) -> Option<Name> {
        let data = &self.doc.refs[reference];
        let stays = |symbol: SymbolId| {
            !self.doc.has(symbol, Attr::Volatile) && !self.doc.has(symbol, Attr::Asynchronous)
        };
        let is_variable = matches!(self.doc.role(data.base), Some(Role::Variable));
        if data.deriv || !is_variable || !stays(data.base) {
            return None;
        }
        let number = |expr: ExprId| self.of.get(&expr).copied();
        let mut pieces = SmallVec::new();
        for part in &data.parts {
            match part {
                Part::Elements(list) => {
                    for subscript in list {
                        pieces.push(match *subscript {
                            Subscript::Index(index) => Piece::Index(number(index)?),
                            Subscript::Section { lower, upper, stride } => {
                                let mut bounds = [None; 3];
                                for (bound, of) in bounds.iter_mut().zip([lower, upper, stride]) {
                                    *bound = of
                                        .map(number)
                                        .map(|known| known.ok_or(()))
                                        .transpose()
                                        .ok()?;
                                }
                                Piece::Section(bounds)
                            }
                        });
                    }
                }
                Part::Component { symbol, .. } => {
                    pieces.push(Piece::Component(symbol.filter(|&symbol| stays(symbol))?));
                }
                Part::Inquiry(name) => pieces.push(Piece::Inquiry(name.clone())),
                Part::Substring { .. } | Part::Deref => return None,
            }
        }
        Some(Name { base: data.base, pieces })
    }

    /// The value with `number` is in a variable as control comes to the block.
    pub(super) fn begin_with(&mut self, lhs: RefId, rhs: ExprId) {
        let roots = subscripts_of(&self.doc.refs[lhs]).into_iter().chain([rhs]);
        let nodes = nodes_of(self.doc, roots.clone());
        let numbers: Vec<Number> = roots.map(|root| self.number(root)).collect();
        if let (Some(&number), Some(name)) = (numbers.last(), self.name(lhs))
            && !self.memory.contains_key(&name)
        {
            self.remember(name, lhs, number);
            self.hold(number, lhs, 0);
        }
        // The statement may stand in this block as well, where its operands may have other values.
        for node in nodes {
            self.of.remove(&node);
            self.weights.remove(&node);
        }
    }

    /// What the statement at this position does to memory, once its expressions have numbers.
    pub(super) fn execute(&mut self, stmt: StmtId, effect: Effect, position: usize) {
        match effect {
            Effect::Nothing => {}
            Effect::Writes(written) => {
                self.overwrite(written, position);
                let StmtKind::Assign { lhs, rhs, .. } = self.doc.stmts[stmt].kind else { return };
                if self.doc.refs[lhs].ty != self.doc.exprs[rhs].ty {
                    return;
                }
                let (number, name) = (self.of.get(&rhs).copied(), self.name(lhs));
                let (doc, aliasing) = (self.doc, self.aliasing);
                let touches = |read: RefId| aliasing.touches(doc, lhs, read, &[]);
                let moves = self.parts_of(lhs).into_iter().skip(1).any(touches);
                if let (Some(number), Some(name), false) = (number, name, moves) {
                    self.remember(name, lhs, number);
                    self.hold(number, lhs, position + 1);
                }
            }
            Effect::Unknown => self.forget(stmt, position),
        }
    }

    fn hold(&mut self, number: Number, reference: RefId, from: usize) {
        let holders = self.holders.entry(number).or_default();
        holders.push(Holder { reference, from, until: usize::MAX });
        let place = (number, holders.len() - 1);
        for named in self.parts_of(reference) {
            let class = self.aliasing.class(self.doc.refs[named].base);
            let held = self.held.entry(class).or_default();
            held.entry(place).or_default().push(named);
            if held.len() > MOST
                && let Some((oldest, _)) = held.pop_first()
            {
                self.release(oldest, from);
            }
        }
    }

    /// The symbols that a reference names, those in subscripts included.
    fn named_by(&self, reference: RefId) -> Vec<SymbolId> {
        self.parts_of(reference).into_iter().map(|one| self.doc.refs[one].base).collect()
    }

    /// A reference and those in its subscripts.
    fn parts_of(&self, reference: RefId) -> Vec<RefId> {
        let nodes = nodes_of(self.doc, subscripts_of(&self.doc.refs[reference]));
        let inner = nodes.into_iter().filter_map(|node| self.doc.exprs[node].reference());
        [reference].into_iter().chain(inner).collect()
    }

    fn overwrite(&mut self, written: RefId, position: usize) {
        let (doc, aliasing, around) = (self.doc, self.aliasing, self.around);
        let class = aliasing.class(doc.refs[written].base);
        let touches = |read: RefId| aliasing.touches(doc, written, read, around);
        if let Some(entries) = self.entries.get_mut(&class) {
            let memory = &mut self.memory;
            entries.retain(|entry| {
                let stays = !touches(entry.reference);
                if !stays {
                    memory.remove(&entry.name);
                }
                stays
            });
        }
        let held = self.held.get(&class).into_iter().flatten();
        let changed = held.filter(|(_, named)| named.iter().copied().any(touches));
        let changed: Vec<(Number, usize)> = changed.map(|(&place, _)| place).collect();
        for place in changed {
            self.release(place, position);
        }
    }

    fn holder(&self, (number, at): (Number, usize)) -> Option<Holder> {
        self.holders.get(&number)?.get(at).copied()
    }

    fn release(&mut self, place: (Number, usize), position: usize) {
        let Some(holder) = self.holder(place) else { return };
        if let Some(list) = self.holders.get_mut(&place.0)
            && let Some(one) = list.get_mut(place.1)
        {
            one.until = position;
        }
        for symbol in self.named_by(holder.reference) {
            if let Some(held) = self.held.get_mut(&self.aliasing.class(symbol)) {
                held.remove(&place);
            }
        }
    }

    /// Forgets everything but scalars of the activation that the statement does not name.
    fn forget(&mut self, stmt: StmtId, position: usize) {
        let (doc, proc, storage) = (self.doc, self.proc, self.aliasing.storage());
        let alone = !has_internal_procedures(doc, proc);
        let stays = |symbol: SymbolId| alone && is_left_alone(doc, (proc, storage), symbol, stmt);
        let memory = &mut self.memory;
        for entries in self.entries.values_mut() {
            entries.retain(|entry| {
                let stays = stays(entry.name.base);
                if !stays {
                    memory.remove(&entry.name);
                }
                stays
            });
        }
        let held = self.held.values().flat_map(BTreeMap::keys);
        let held: HashSet<(Number, usize)> = held.copied().collect();
        for place in held {
            let Some(holder) = self.holder(place) else { continue };
            if !self.named_by(holder.reference).into_iter().all(stays) {
                self.release(place, position);
            }
        }
    }
}

/// The numerator and the scalar denominator of a real quotient whose kind is that of the denominator.
pub(super) fn denominator(
    doc: &Document,
    name: &str,
    operands: &Operands,
    ty: Ty,
) -> Option<(ExprId, ExprId)> {
    let [first, second] = &operands[..] else { return None };
    let plain = matches!(ty.base, Base::Real(bytes) if bytes > 0)
        && doc.exprs[second.expr].ty == Ty::scalar(ty.base);
    (name == "div_scal_scal" && plain).then_some((first.expr, second.expr))
}

/// Whether an expression is a literal one.
pub(super) fn is_one(doc: &Document, expr: ExprId) -> bool {
    match &doc.exprs[expr].kind {
        ExprKind::Constant(constant) => {
            let text = constant.text.to_ascii_lowercase();
            matches!(
                &*text,
                "1" | "1." | "1.0" | "1.d0" | "1d0" | "1.0d0" | "1.e0" | "1e0" | "1.0e0"
            )
        }
        ExprKind::Intrinsic { .. }
        | ExprKind::Ref(_)
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    }
}

/// Whether a statement of any kind, calls included, cannot change a variable: a scalar number of the activation that it
/// does not name.
pub(super) fn is_left_alone(
    doc: &Document,
    (proc, storage): (ProcId, &Storage),
    symbol: SymbolId,
    stmt: StmtId,
) -> bool {
    let number = matches!(
        doc.declared_base(symbol),
        Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
    );
    number && is_own_scalar(doc, proc, storage, symbol) && !names_in_statement(doc, stmt, symbol)
}
