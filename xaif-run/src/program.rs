//! What is worked out once of a document before it runs: names resolved, constants parsed,
//! adjacency of the flow graphs, homes of the symbols.
//!
//! Nothing here depends on inputs, and nothing of the document is changed.

use std::collections::{HashMap, HashSet};

use smallvec::SmallVec;
use xaif_schema::intrinsics;
use xaif_schema::model::{
    Attr, Base, Body, BoolOp, Cfg, Constant, ConstantClass, ConstantKind, Dim, Document, EdgeId,
    Expr, ExprId, ExprKind, ForForm, Init, Piece, ProcClass, ProcId, ProcKind, Role, ScopeId,
    ScopeKind, SecondaryMap, SpecItem, StmtId, StmtKind, SymbolId, Verb, VertexId, VertexKind,
};
use xaif_schema::uses::Uses;

use crate::arith::Operator;
use crate::intrinsics::Builtin;
use crate::num::Num;
use crate::value::Scalar;

/// What an intrinsic operation of the document does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Op {
    /// Not known to the interpreter (or no operation).
    #[default]
    Unknown,
    /// An operator.
    Operator(Operator),
    /// An intrinsic procedure; for a specific name, the type of its result.
    Builtin(Builtin, Option<Base>),
}

/// Where the storage of a symbol belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Home {
    /// To the program: module variables, names of program units.
    #[default]
    Global,
    /// To each activation of a procedure, under this number.
    Local(ProcId, u32),
}

/// A counted loop, taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub(crate) lower: ExprId,
    pub(crate) upper: ExprId,
    pub(crate) step: Step,
}

/// The step of a counted loop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// `var + step`
    Plus(ExprId),
    /// `var - step`
    Minus(ExprId),
}

/// What is needed to walk one flow graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    pub(crate) entry: Option<VertexId>,
    pub(crate) successors: SecondaryMap<VertexId, SmallVec<[EdgeId; 2]>>,
    pub(crate) counted: HashMap<VertexId, Counted>,
}

/// Longer chains of dummy arguments whose extents need each other's shapes are not followed.
const MOST_STAGES: u8 = 16;

/// A document ready to run.
#[derive(Debug)]
pub(crate) struct Program<'d> {
    pub(crate) doc: &'d Document,
    /// Whether it is a XAIF 1.0 document: what names of templates mean is for its tools to say.
    pub(crate) xaif_1: bool,
    pub(crate) ops: SecondaryMap<ExprId, Op>,
    pub(crate) constants: SecondaryMap<ExprId, Option<Scalar>>,
    pub(crate) homes: SecondaryMap<SymbolId, Home>,
    pub(crate) slots: SecondaryMap<ProcId, u32>,
    pub(crate) flows: SecondaryMap<ProcId, Flow>,
    /// Variables whose extents or length are evaluated as their procedure is entered.
    pub(crate) automatic: SecondaryMap<ProcId, Vec<SymbolId>>,
    /// Variables that keep their storage between calls.
    pub(crate) statics: HashSet<SymbolId>,
    /// Scopes whose DATA statements set anything, by the variables that they set.
    pub(crate) data: HashMap<SymbolId, ScopeId>,
    /// Procedures with a body, by the symbol that names them, ENTRY points included.
    pub(crate) bodies: HashMap<SymbolId, (ProcId, Option<VertexId>)>,
    /// External procedures with a body, by lower-case name.
    pub(crate) externals: HashMap<String, (ProcId, Option<VertexId>)>,
    /// Variables that hold results of functions.
    pub(crate) results: HashSet<SymbolId>,
    /// Dummy arguments.
    pub(crate) dummies: HashSet<SymbolId>,
    /// When each dummy argument can be bound: after those of lower numbers, which its extents or length may need.
    pub(crate) stages: SecondaryMap<SymbolId, u8>,
    /// FORMATs from their parenthesis on, by procedure and label.
    pub(crate) formats: HashMap<(ProcId, u32), String>,
    /// The procedure whose scope (or a scope in it) a scope is.
    pub(crate) owners: SecondaryMap<ScopeId, Option<ProcId>>,
}

impl<'d> Program<'d> {
    /// Works it out.
    pub(crate) fn new(doc: &'d Document) -> Self {
        let mut program = Program {
            doc,
            xaif_1: doc.is_xaif_1(),
            ops: SecondaryMap::new(),
            constants: SecondaryMap::new(),
            homes: SecondaryMap::new(),
            slots: SecondaryMap::new(),
            flows: SecondaryMap::new(),
            automatic: SecondaryMap::new(),
            statics: HashSet::new(),
            data: HashMap::new(),
            bodies: HashMap::new(),
            externals: HashMap::new(),
            results: HashSet::new(),
            dummies: HashSet::new(),
            stages: SecondaryMap::new(),
            formats: HashMap::new(),
            owners: SecondaryMap::new(),
        };
        for (id, expr) in &doc.exprs {
            program.resolve(id, expr);
        }
        program.procedures();
        program.own_scopes();
        program.house_symbols();
        program.find_statics();
        program.find_automatics();
        program.order_dummies();
        program
    }

    /// Orders dummy arguments by what their declarations mention. No chain is longer than the number of arguments.
    fn order_dummies(&mut self) {
        let doc = self.doc;
        let mentioned = |symbol: SymbolId| {
            let mut uses = Uses::new(doc);
            doc.symbols[symbol].decl.iter().for_each(|decl| uses.decl(decl));
            uses.symbols.retain(|&other| other != symbol && self.dummies.contains(&other));
            uses.symbols
        };
        let mentions: Vec<(SymbolId, Vec<SymbolId>)> =
            self.dummies.iter().map(|&symbol| (symbol, mentioned(symbol))).collect();
        let mentions: Vec<_> = mentions.into_iter().filter(|(_, all)| !all.is_empty()).collect();
        for _ in 0..MOST_STAGES {
            let mut changed = false;
            for (symbol, others) in &mentions {
                let last = others.iter().map(|&other| self.stages[other]).max();
                let stage = last.map_or(0, |last| (last + 1).min(MOST_STAGES));
                changed |= self.stages[*symbol] != stage;
                self.stages[*symbol] = stage;
            }
            if !changed {
                break;
            }
        }
    }

    fn resolve(&mut self, id: ExprId, expr: &Expr) {
        match &expr.kind {
            ExprKind::Constant(constant) => {
                self.constants[id] = parse_constant(self.doc, expr, constant);
            }
            ExprKind::Intrinsic { name, spelling, .. } => {
                self.ops[id] = resolve_operation(name, spelling.as_deref());
            }
            ExprKind::Ref(_)
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {}
        }
    }

    fn procedures(&mut self) {
        let doc = self.doc;
        for (id, proc) in &doc.procs {
            self.results.extend(proc.result);
            self.dummies.extend(proc.args.iter().filter_map(|arg| arg.symbol));
            let Body::Flow(cfg) = &proc.body else { continue };
            self.name_body(proc.symbol, id, None);
            for (vertex, data) in &cfg.vertices {
                if let VertexKind::Entry(Some(point)) = &data.kind {
                    self.name_body(point.symbol, id, Some(vertex));
                    self.results.extend(point.result);
                    self.dummies.extend(point.args.iter().filter_map(|arg| arg.symbol));
                }
            }
            self.flows[id] = flow(doc, cfg);
            self.find_formats(id, cfg);
        }
    }

    fn find_formats(&mut self, id: ProcId, cfg: &Cfg) {
        let doc = self.doc;
        let mut keep = |label: Option<u32>, text: &str| {
            if let (Some(label), Some(at)) = (label, text.find('(')) {
                self.formats.insert((id, label), text[at..].to_string());
            }
        };
        for item in &doc.scopes[doc.procs[id].scope].items {
            if let SpecItem::Opaque { label, text, .. } = item {
                keep(*label, text);
            }
        }
        let blocks = cfg.vertices.values().filter_map(|vertex| match &vertex.kind {
            VertexKind::BasicBlock { stmts, .. } => Some(stmts),
            _ => None,
        });
        for stmt in blocks.flatten() {
            let stmt = &doc.stmts[*stmt];
            if let StmtKind::Marker(marker) = &stmt.kind
                && marker.verb == Verb::Format
                && let [Piece::Text(text)] = marker.text.as_slice()
            {
                keep(stmt.label, text);
            }
        }
    }

    fn name_body(&mut self, symbol: SymbolId, proc: ProcId, entry: Option<VertexId>) {
        self.bodies.insert(symbol, (proc, entry));
        let doc = self.doc;
        let external = match doc.role(symbol) {
            Some(Role::Procedure(info)) => {
                matches!(info.class, ProcClass::External | ProcClass::Entry)
            }
            Some(_) | None => true,
        };
        if external {
            let name = doc.name(symbol).to_ascii_lowercase();
            self.externals.entry(name).or_insert((proc, entry));
        }
    }

    fn own_scopes(&mut self) {
        let doc = self.doc;
        for (id, proc) in &doc.procs {
            self.owners[proc.scope] = Some(id);
        }
        for (id, proc) in &doc.procs {
            // A separate module procedure has the arguments of its interface.
            let foreign = proc.args.iter().filter_map(|arg| arg.symbol).chain(proc.result);
            if proc.kind == ProcKind::ModuleProcedure && matches!(proc.body, Body::Flow(_)) {
                for symbol in foreign {
                    self.owners[doc.symbols[symbol].scope] = Some(id);
                }
            }
        }
        for scope in doc.scopes.keys() {
            let mut chain = Vec::new();
            let mut at = Some(scope);
            // A chain longer than the number of scopes goes round in a circle.
            while let Some(scope) = at
                && self.owners[scope].is_none()
                && chain.len() <= doc.scopes.len()
            {
                chain.push(scope);
                at = doc.scopes[scope].parent;
            }
            let owner = at.and_then(|scope| self.owners[scope]);
            for scope in chain {
                if !matches!(doc.scopes[scope].kind, ScopeKind::Module(_) | ScopeKind::Global) {
                    self.owners[scope] = owner;
                }
            }
        }
    }

    fn house_symbols(&mut self) {
        for (id, symbol) in &self.doc.symbols {
            if let Some(proc) = self.owners[symbol.scope] {
                let slot = self.slots[proc];
                self.slots[proc] = slot + 1;
                self.homes[id] = Home::Local(proc, slot);
            }
        }
    }

    fn find_statics(&mut self) {
        let doc = self.doc;
        let mut whole = HashSet::new();
        for (id, scope) in &doc.scopes {
            let main =
                self.owners[id].is_some_and(|proc| doc.procs[proc].kind == ProcKind::Program);
            let save = scope.items.iter().any(|item| matches!(item, SpecItem::SaveAll));
            if main
                || save
                || matches!(
                    scope.kind,
                    ScopeKind::Module(_) | ScopeKind::Submodule { .. } | ScopeKind::BlockData(_)
                )
            {
                whole.insert(id);
            }
            for item in &scope.items {
                if let SpecItem::Data(sets) = item {
                    for object in sets.iter().flat_map(|set| &set.objects) {
                        self.data_object(*object, id, 0);
                    }
                }
            }
        }
        for (id, symbol) in &doc.symbols {
            let Some(decl) = &symbol.decl else { continue };
            let saved = decl.has(Attr::Save)
                || matches!(decl.init, Some(Init::Value(_) | Init::Target(_)))
                || whole.contains(&symbol.scope)
                || decl.common.is_some();
            if saved && !self.dummies.contains(&id) && !self.results.contains(&id) {
                self.statics.insert(id);
            }
        }
        for scope in doc.scopes.keys() {
            doc.add_equivalent(scope, &mut self.statics);
        }
    }

    fn data_object(&mut self, object: ExprId, scope: ScopeId, depth: usize) {
        match &self.doc.exprs[object].kind {
            ExprKind::Ref(r) => {
                let base = self.doc.refs[*r].base;
                self.data.insert(base, scope);
                self.statics.insert(base);
            }
            ExprKind::ImpliedDo(implied) if depth < 32 => {
                for &item in &implied.items {
                    self.data_object(item, scope, depth + 1);
                }
            }
            ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {}
        }
    }

    fn find_automatics(&mut self) {
        let doc = self.doc;
        for (id, symbol) in &doc.symbols {
            let Home::Local(proc, _) = self.homes[id] else { continue };
            let Some(decl) = &symbol.decl else { continue };
            let ours = doc.procs[proc].scope == symbol.scope
                && matches!(decl.role, Role::Variable)
                && !self.dummies.contains(&id)
                && !self.statics.contains(&id)
                && !self.results.contains(&id);
            if !ours {
                continue;
            }
            let mut parts: Vec<ExprId> = Vec::new();
            for dim in &decl.dims {
                match *dim {
                    Dim::Explicit { lower, upper } => {
                        parts.extend(lower.into_iter().chain([upper]))
                    }
                    Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => parts.extend(lower),
                    Dim::Deferred | Dim::AssumedRank => {}
                }
            }
            if let xaif_schema::model::TypeSpec::Character {
                len: xaif_schema::model::CharLen::Expr(len),
                ..
            } = decl.spec
            {
                parts.push(len);
            }
            if let Some(xaif_schema::model::CharLen::Expr(len)) = decl.char_len {
                parts.push(len);
            }
            if !parts.iter().all(|&part| self.is_literal(part)) {
                self.automatic[proc].push(id);
            }
        }
    }

    /// Whether an expression is a literal or a named constant: what needs no activation.
    fn is_literal(&self, expr: ExprId) -> bool {
        match &self.doc.exprs[expr].kind {
            ExprKind::Constant(_) => true,
            ExprKind::Ref(r) => {
                matches!(self.doc.role(self.doc.refs[*r].base), Some(Role::Constant))
            }
            ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        }
    }
}

fn resolve_operation(name: &str, spelling: Option<&str>) -> Op {
    let operator = match name {
        "add_scal_scal" => Operator::Add,
        "sub_scal_scal" => Operator::Sub,
        "mul_scal_scal" => Operator::Mul,
        "div_scal_scal" => Operator::Div,
        "pow_scal_scal" => Operator::Pow,
        "minus_scal" => Operator::Minus,
        "plus_scal" => Operator::Plus,
        "string_concat" => Operator::Concat,
        "complex_literal" => Operator::ComplexLiteral,
        _ => return resolve_intrinsic(name, spelling),
    };
    Op::Operator(operator)
}

fn resolve_intrinsic(name: &str, spelling: Option<&str>) -> Op {
    let compare = match name {
        "string_eq_scal_scal" => Some(BoolOp::Equal),
        "string_ne_scal_scal" => Some(BoolOp::NotEqual),
        "string_lt_scal_scal" => Some(BoolOp::LessThan),
        "string_le_scal_scal" => Some(BoolOp::LessOrEqual),
        "string_gt_scal_scal" => Some(BoolOp::GreaterThan),
        "string_ge_scal_scal" => Some(BoolOp::GreaterOrEqual),
        _ => None,
    };
    if let Some(op) = compare {
        return Op::Builtin(Builtin::StringCompare(op), None);
    }
    let fortran = intrinsics::by_xaif(name).map_or(name, |row| row.fortran);
    let Some(builtin) = Builtin::named(fortran) else { return Op::Unknown };
    let specific = spelling.and_then(|name| intrinsics::specific(&name.to_ascii_lowercase()));
    let result = specific.map(|specific| specific.result).filter(|&base| base != Base::Unknown);
    Op::Builtin(builtin, result)
}

fn flow(doc: &Document, cfg: &Cfg) -> Flow {
    let mut flow = Flow::default();
    for (id, edge) in &cfg.edges {
        flow.successors[edge.source].push(id);
    }
    for &vertex in &cfg.layout {
        match &cfg.vertices[vertex].kind {
            VertexKind::Entry(None) if flow.entry.is_none() => flow.entry = Some(vertex),
            VertexKind::ForLoop { init, condition, update, form: ForForm::Counted, .. } => {
                if let Some(counted) = counted(doc, *init, *condition, *update) {
                    flow.counted.insert(vertex, counted);
                }
            }
            VertexKind::ForLoop { form: ForForm::General, .. }
            | VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::Branch { .. }
            | VertexKind::EndBranch
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
    }
    flow
}

/// Takes a counted loop apart; `None` if it does not have the form that the model prescribes.
fn counted(doc: &Document, init: StmtId, condition: ExprId, update: StmtId) -> Option<Counted> {
    let StmtKind::Assign { rhs: lower, .. } = doc.stmts[init].kind else { return None };
    let StmtKind::Assign { rhs: next, .. } = doc.stmts[update].kind else { return None };
    let step = match operation(doc, next)? {
        ("add_scal_scal", _, step) => Step::Plus(step),
        ("sub_scal_scal", _, step) => Step::Minus(step),
        _ => return None,
    };
    let ExprKind::Boolean { operands, .. } = &doc.exprs[condition].kind else { return None };
    let left = operands.iter().find(|o| o.position == 1)?.expr;
    let right = operands.iter().find(|o| o.position == 2)?.expr;
    let upper = match operation(doc, left) {
        // (var - upper) * step <= 0
        Some(("mul_scal_scal", difference, _)) => operation(doc, difference)?.2,
        Some(_) | None => right,
    };
    Some(Counted { lower, upper, step })
}

fn operation(doc: &Document, expr: ExprId) -> Option<(&str, ExprId, ExprId)> {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return None };
    let left = operands.iter().find(|o| o.position == 1)?.expr;
    let right = operands.iter().find(|o| o.position == 2)?.expr;
    Some((name, left, right))
}

/// The value of a literal; `None` where its text is not understood or its kind not supported.
fn parse_constant(doc: &Document, expr: &Expr, constant: &Constant) -> Option<Scalar> {
    let text: &str = &constant.text;
    let suffix = match constant.kind {
        ConstantKind::None => None,
        ConstantKind::Number(kind) => u8::try_from(kind).ok(),
        ConstantKind::Named(symbol) => {
            let value = doc.symbols[symbol].decl.as_ref().and_then(|decl| decl.value);
            value.and_then(|kind| u8::try_from(kind).ok())
        }
    };
    let machine = constant.fe_type.as_deref().and_then(|name| name.get(1..)?.parse::<u8>().ok());
    match constant.class {
        ConstantClass::Integer => {
            let kind = match expr.ty.base {
                Base::Integer(kind) => kind,
                _ => suffix.or(machine).unwrap_or(4),
            };
            let value: i128 = text.trim().parse().ok()?;
            matches!(kind, 1 | 2 | 4 | 8)
                .then(|| Scalar::Int(kind, crate::value::wrap(kind, value as i64)))
        }
        ConstantClass::Real | ConstantClass::Double => {
            let double = constant.class == ConstantClass::Double
                || text.contains(['d', 'D'])
                || machine == Some(8);
            let kind = match expr.ty.base {
                Base::Real(kind) => kind,
                _ => suffix.unwrap_or(if double { 8 } else { 4 }),
            };
            parse_real(text, kind)
        }
        ConstantClass::Bool => {
            let kind = match expr.ty.base {
                Base::Logical(kind) => kind,
                _ => suffix.unwrap_or(4),
            };
            let text = text.trim_matches('.').to_ascii_lowercase();
            let value = matches!(text.as_str(), "true" | "t" | "1");
            matches!(kind, 1 | 2 | 4 | 8).then_some(Scalar::Logical(kind, value))
        }
        ConstantClass::Char | ConstantClass::String => Some(Scalar::chars(unquote(text))),
        ConstantClass::Hollerith => {
            let body = text.split_once(['h', 'H']).map_or(text, |(_, body)| body);
            Some(Scalar::chars(body.as_bytes()))
        }
        ConstantClass::Boz => parse_boz(text),
        ConstantClass::Null => None,
    }
}

fn parse_real(text: &str, kind: u8) -> Option<Scalar> {
    let text = text.trim().to_ascii_lowercase().replace(['d', 'q'], "e");
    match kind {
        4 => text.parse::<f32>().ok().map(|v| Scalar::Real(4, Num::of(v.into()))),
        8 => text.parse().ok().map(|v| Scalar::Real(8, Num::of(v))),
        _ => None,
    }
}

/// The characters of a literal without its delimiters; XAIF 1.0 documents write none.
fn unquote(text: &str) -> Vec<u8> {
    let quote = text.chars().next().filter(|&c| c == '\'' || c == '"');
    match quote {
        Some(quote) if text.len() >= 2 && text.ends_with(quote) => {
            let inner = &text[1..text.len() - 1];
            inner.replace(&format!("{quote}{quote}"), &quote.to_string()).into_bytes()
        }
        Some(_) | None => text.as_bytes().to_vec(),
    }
}

fn parse_boz(text: &str) -> Option<Scalar> {
    let lower = text.to_ascii_lowercase();
    let digits: String = lower.chars().filter(char::is_ascii_hexdigit).collect();
    let radix = match lower.chars().find(|c| matches!(c, 'b' | 'o' | 'z' | 'x'))? {
        'b' => 2,
        'o' => 8,
        _ => 16,
    };
    // The radix letter of a binary constant is a hexadecimal digit too.
    let digits = lower.split(['\'', '"']).nth(1).map_or(digits, str::to_string);
    let value = u64::from_str_radix(&digits, radix).ok()?;
    Some(Scalar::Int(8, value as i64))
}
