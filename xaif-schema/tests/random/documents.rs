//! A document out of bytes: each byte decides one thing, and where they end the simplest is taken.
//!
//! One procedure with declarations, and in its body whatever expressions, statements and
//! constructs the model has. It keeps the invariants that the verifier knows; it means nothing.

#[path = "flow.rs"]
mod flow;

use xaif_schema::model::*;

/// Expressions and statements are nested so deep at most.
const DEEPEST: usize = 4;

/// The document that `bytes` decide on.
pub(crate) fn document(bytes: &[u8]) -> Document {
    let mut maker = Maker::new(bytes);
    maker.procedure();
    maker.doc
}

struct Maker<'b> {
    doc: Document,
    bytes: std::slice::Iter<'b, u8>,
    /// The scope of the procedure, and the scope of an index.
    scope: ScopeId,
    indices: ScopeId,
    block: ScopeId,
    procedure: SymbolId,
    generic: SymbolId,
    ty: SymbolId,
    component: SymbolId,
    index: SymbolId,
    variables: Vec<SymbolId>,
    pointer: TypeId,
    file: FileId,
    /// How many statements have an id of their own.
    named: u32,
    cfg: Cfg,
    /// Whence control comes to the next vertex.
    from: Option<VertexId>,
}

impl<'b> Maker<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        let mut doc = Document::new();
        let set = |key, includes: &[i64], stmts: &[&str]| StmtSet {
            key,
            includes: includes.to_vec(),
            stmts: stmts.iter().map(|&id| id.into()).collect(),
        };
        let sets = vec![set(0, &[], &[]), set(2, &[], &[""]), set(3, &[0, 2], &[""])];
        (doc.du_ud.sets, doc.overwrites.sets) = (sets.clone(), sets);
        let place = Place::default();
        let file =
            doc.files.push(SourceFile { path: "a.f90".into(), language: Language::FreeFortran });
        let global = ScopeId::from_u32(0);
        let procedure = add(&mut doc, global, "p", Role::BlockData);
        let scope = doc.add_scope(global, ScopeKind::Procedure(procedure), place);
        let ty = add(&mut doc, scope, "t", Role::BlockData);
        let members = doc.add_scope(scope, ScopeKind::DerivedType(ty), place);
        role(&mut doc, ty, Role::DerivedType { scope: members, extends: None, params: Vec::new() });
        let component = add(&mut doc, members, "c", Role::Variable);
        let specifics = vec![procedure];
        let generic = Role::Generic { spec: GenericSpec::Name, specifics };
        let generic = add(&mut doc, scope, "g", generic);
        let variables = ["x", "y", "z"].map(|name| add(&mut doc, scope, name, Role::Variable));
        let indices = doc.add_scope(scope, ScopeKind::Indices, place);
        let index = add(&mut doc, indices, "i", Role::Variable);
        let block = doc.add_scope(scope, ScopeKind::Block, place);
        let pointer = doc.types.push(Ty::scalar(Base::Real(8)));
        Maker {
            doc,
            bytes: bytes.iter(),
            scope,
            indices,
            block,
            procedure,
            generic,
            ty,
            component,
            index,
            variables: variables.to_vec(),
            pointer,
            file,
            named: 0,
            cfg: Cfg::default(),
            from: None,
        }
    }

    // Decisions.

    /// One of `count` ways; the first where nothing decides any more.
    fn pick(&mut self, count: usize) -> usize {
        self.bytes.next().map_or(0, |&byte| usize::from(byte) % count)
    }

    fn flag(&mut self) -> bool {
        self.pick(2) == 1
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| make(self))
    }

    fn several<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.pick(most + 1)).map(|_| make(self)).collect()
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.pick(values.len())]
    }

    fn text(&mut self) -> Box<str> {
        self.one_of(&["a", "", "b c", "<&>\"'", "é\u{c}", " x", "1.5d0", "line\nline"]).into()
    }

    fn line(&mut self) -> Box<str> {
        self.one_of(&["a", "", "b c;", "<&>\"'", "é\u{c}", " x", "1.5d0!"]).into()
    }

    /// A statement, or a part of one.
    fn piece(&mut self) -> Box<str> {
        self.one_of(&["a", "", "b c", "<&>';!\"'", "é\u{c}", " x", "\"it's\"", "(/ 3habc /)"])
            .into()
    }

    fn literal(&mut self, class: ConstantClass) -> Box<str> {
        let texts: &[&str] = match class {
            ConstantClass::Integer => &["0", "-12"],
            ConstantClass::Real | ConstantClass::Double => &["1.5d0", "-.5E-3", "2"],
            ConstantClass::Bool => &[".true.", "false"],
            ConstantClass::Char | ConstantClass::String => &["'a;'", "<&>\"'", "é\u{c}", ""],
            ConstantClass::Boz => &["z'1f'", "\"17\"o"],
            ConstantClass::Hollerith => &["3ha;b"],
            ConstantClass::Null => &["", "null()"],
        };
        self.one_of(texts).into()
    }

    fn name(&mut self) -> Option<Box<str>> {
        self.maybe(|_| "outer".into())
    }

    fn place(&mut self) -> Place {
        let (line, column) = (1 + self.pick(99) as u32, self.pick(80) as u32);
        match self.flag() {
            true => Place { file: Some(self.file), line, column },
            false => Place::default(),
        }
    }

    fn variable(&mut self) -> SymbolId {
        let variables = self.variables.clone();
        self.one_of(&variables)
    }

    // Types.

    fn value_type(&mut self) -> Ty {
        let base = self.one_of(&[
            Base::Real(8),
            Base::Unknown,
            Base::Integer(4),
            Base::Unsigned(2),
            Base::Complex(16),
            Base::Logical(4),
            Base::Character(1),
            Base::Derived(self.ty),
            Base::Class(self.ty),
            Base::ClassStar,
            Base::TypeStar,
            Base::Procedure,
            Base::Pointer(self.pointer),
        ]);
        Ty::scalar(base).with_rank(self.pick(3) as u8)
    }

    fn spec(&mut self, depth: usize) -> TypeSpec {
        let kind = match self.pick(4) {
            0 => KindSpelling::Default,
            1 => KindSpelling::Named,
            2 => KindSpelling::Star(8),
            _ => KindSpelling::Expr(self.expr(depth)),
        };
        match self.pick(6) {
            0 => TypeSpec::Intrinsic { base: Base::Real(8), kind },
            1 => {
                let len = match self.pick(4) {
                    0 => CharLen::One,
                    1 => CharLen::Expr(self.expr(depth)),
                    2 => CharLen::Assumed,
                    _ => CharLen::Deferred,
                };
                TypeSpec::Character { bytes: 1, kind, len }
            }
            2 => {
                let class = self.flag();
                let value = self.expr(depth);
                let value =
                    self.one_of(&[TypeParam::Expr(value), TypeParam::Assumed, TypeParam::Deferred]);
                let keyword = self.name().map(String::from);
                let params = self.maybe(|_| (keyword, value)).into_iter().collect();
                TypeSpec::Derived { symbol: Some(self.ty), name: "T".into(), class, params }
            }
            3 => TypeSpec::ClassStar,
            4 => TypeSpec::TypeStar,
            _ => TypeSpec::Pointer(Box::new(TypeSpec::Intrinsic {
                base: Base::Integer(4),
                kind: KindSpelling::Default,
            })),
        }
    }

    // Expressions.

    fn expr(&mut self, depth: usize) -> ExprId {
        let kind = if depth == 0 { self.leaf() } else { self.expr_kind(depth - 1) };
        let (ty, place, parens) = (self.value_type(), self.place(), self.flag());
        self.doc.exprs.push(Expr { kind, ty, place, parens })
    }

    fn number(&mut self) -> ExprId {
        let kind = ExprKind::Constant(self.constant());
        let (ty, place, parens) = (self.value_type(), self.place(), false);
        self.doc.exprs.push(Expr { kind, ty, place, parens })
    }

    fn leaf(&mut self) -> ExprKind {
        match self.pick(4) {
            0 => ExprKind::Constant(self.constant()),
            1 => ExprKind::Procedure(self.procedure),
            2 => ExprKind::Opaque(self.piece()),
            _ => ExprKind::Ref(self.reference(0)),
        }
    }

    fn expr_kind(&mut self, depth: usize) -> ExprKind {
        match self.pick(9) {
            0 => self.leaf(),
            1 => ExprKind::Ref(self.reference(depth)),
            2 => {
                let name =
                    self.one_of(&["add_scal_scal", "mul_scal_scal", "pow_scal_scal", "minus_scal"]);
                let count = if name == "minus_scal" { 1 } else { 2 };
                let operands = self.operands(count, depth);
                ExprKind::Intrinsic { name: name.into(), spelling: None, operands }
            }
            3 => {
                let (name, spelling) = self.one_of(&[("sum", None), ("sin_scal", Some("dsin"))]);
                let count = if name == "sum" { 1 + self.pick(2) } else { 1 };
                let operands = self.operands(count, depth);
                ExprKind::Intrinsic {
                    name: name.into(),
                    spelling: spelling.map(Into::into),
                    operands,
                }
            }
            4 => self.boolean(depth),
            5 => {
                let callee = self.callee(depth);
                ExprKind::Call(Box::new(FunctionCall {
                    callee,
                    args: self.args(depth, false),
                    active: self.maybe(|m| m.flag()),
                }))
            }
            6 => {
                let spec = self.maybe(|m| Box::new(m.spec(depth)));
                ExprKind::ArrayConstructor { spec, items: self.several(3, |m| m.expr(depth)) }
            }
            7 => {
                let items = self.several(2, |m| m.expr(depth));
                let control = self.range(depth);
                ExprKind::ImpliedDo(Box::new(ImpliedDo { items, control }))
            }
            _ => {
                let spec = Box::new(self.spec(depth));
                ExprKind::StructureConstructor { spec, args: self.args(depth, false) }
            }
        }
    }

    fn constant(&mut self) -> Constant {
        use ConstantClass::*;
        let class = self.one_of(&[Integer, Real, Double, Bool, Char, String, Boz, Hollerith, Null]);
        let kind = match self.pick(3) {
            0 => ConstantKind::None,
            1 => ConstantKind::Number(8),
            _ => ConstantKind::Named(self.variable()),
        };
        let fe_type = self.maybe(Self::text);
        Constant { class, fe_type, text: self.literal(class), kind }
    }

    fn boolean(&mut self, depth: usize) -> ExprKind {
        use BoolOp::*;
        let op = self.one_of(&[
            LessThan,
            LessOrEqual,
            GreaterThan,
            GreaterOrEqual,
            Equal,
            NotEqual,
            And,
            Or,
            Xor,
            Equivalent,
            Not,
        ]);
        ExprKind::Boolean { op, operands: self.operands(if op == Not { 1 } else { 2 }, depth) }
    }

    /// Operands at the positions from 1 on, in either order; two may be the same node.
    fn operands(&mut self, count: usize, depth: usize) -> Operands {
        let first = self.expr(depth);
        let shared = self.pick(5) == 1;
        let mut operands: Operands = (1..=count as u16)
            .map(|position| {
                let expr = if position == 1 || shared { first } else { self.expr(depth) };
                Operand { position, keyword: self.pick(4) == 1, expr }
            })
            .collect();
        if self.flag() {
            operands.reverse();
        }
        operands
    }

    fn range(&mut self, depth: usize) -> IndexRange {
        let (lower, upper) = (self.expr(depth), self.expr(depth));
        IndexRange { var: self.index, lower, upper, step: self.maybe(|m| m.expr(depth)) }
    }

    fn callee(&mut self, depth: usize) -> Callee {
        let generic = self.maybe(|m| m.generic);
        let object = self.maybe(|m| m.reference(depth));
        Callee { symbol: self.procedure, generic, object }
    }

    fn args(&mut self, depth: usize, returns: bool) -> Vec<Arg> {
        let mut position = 0;
        self.several(3, |m| {
            position += 1;
            let value = match returns && m.pick(4) == 1 {
                true => ArgValue::AlternateReturn(i64::from(position)),
                false => ArgValue::Expr(m.expr(depth)),
            };
            Arg { position, keyword: m.name(), value }
        })
    }

    // References.

    fn reference(&mut self, depth: usize) -> RefId {
        let parts = match depth {
            0 => Default::default(),
            _ => self.several(3, |m| m.part(depth - 1)).into(),
        };
        let reference = Reference {
            base: self.variable(),
            parts,
            ty: self.value_type(),
            place: self.place(),
            active: self.maybe(Self::flag),
            alias: self.maybe(|_| 0),
            du_ud: self.maybe(|m| if m.flag() { 3 } else { 0 }),
            deriv: self.flag(),
            constant: self.maybe(Self::flag),
            live: self.maybe(Self::flag),
        };
        self.doc.refs.push(reference)
    }

    fn part(&mut self, depth: usize) -> Part {
        match self.pick(5) {
            0 => Part::Elements(self.several(3, |m| m.subscript(depth))),
            1 => Part::Component { symbol: self.maybe(|m| m.component), name: "C".into() },
            2 => {
                let lower = self.maybe(|m| m.expr(depth));
                Part::Substring { lower, upper: self.maybe(|m| m.expr(depth)) }
            }
            3 => Part::Inquiry("re".into()),
            _ => Part::Deref,
        }
    }

    fn subscript(&mut self, depth: usize) -> Subscript {
        if self.flag() {
            return Subscript::Index(self.expr(depth));
        }
        let (lower, upper) = (self.maybe(|m| m.expr(depth)), self.maybe(|m| m.expr(depth)));
        Subscript::Section { lower, upper, stride: self.maybe(|m| m.expr(depth)) }
    }

    // Statements.

    fn stmt(&mut self, kind: StmtKind) -> StmtId {
        let id = match self.pick(4) {
            1 => {
                self.named += 1;
                Some(format!("t{}", self.named).into())
            }
            _ => None,
        };
        let do_chain = self.maybe(|m| if m.flag() { 3 } else { 0 });
        let label = self.maybe(|_| 100);
        let place = self.place();
        let recorded = match self.pick(5) {
            0 => Some(self.several(3, |m| m.reference(1))),
            _ => None,
        };
        let properties = match &recorded {
            Some(_) => self.several(2, |m| m.reference(1)),
            None => Vec::new(),
        };
        let joint = self.pick(3) == 0;
        let local_jacobian = None;
        let (recompute, adjoint_live) = (false, self.pick(4) != 0);
        let checkpoints = self.checkpoints();
        let stmt = Stmt {
            kind,
            place,
            id,
            do_chain,
            label,
            recorded,
            properties,
            joint,
            recompute,
            adjoint_live,
            checkpoints,
            local_jacobian,
        };
        self.doc.stmts.push(stmt)
    }

    fn checkpoints(&mut self) -> Option<Checkpoints> {
        let scheme = match self.pick(9) {
            0 => CheckpointScheme::Binomial,
            1 => CheckpointScheme::Periodic,
            2 => CheckpointScheme::Disk,
            _ => return None,
        };
        let number = match self.pick(2) {
            0 => CheckpointNumber::Number(7),
            _ => CheckpointNumber::Environment("SNAPSHOTS".into()),
        };
        Some(Checkpoints { scheme, number })
    }

    fn assignment(&mut self, depth: usize) -> StmtKind {
        let (lhs, rhs) = (self.reference(depth), self.expr(depth));
        StmtKind::Assign { lhs, rhs, defined: None }
    }

    /// What WHERE and FORALL may hold.
    /// A local Jacobian: a value, an entry, perhaps one that is executed again, the propagator.
    fn local_jacobian(&mut self) -> Vec<StmtId> {
        let parts = [LocalJacobian::Value, LocalJacobian::Entry, LocalJacobian::Again];
        let mut stmts: Vec<StmtId> = parts[..2 + self.pick(2)]
            .iter()
            .map(|&part| {
                // What is executed again assigns whole variables, which nothing there reads.
                let again = part == LocalJacobian::Again;
                let lhs = self.reference(if again { 0 } else { 1 });
                let rhs = if again { self.number() } else { self.expr(1) };
                self.doc.refs[lhs].active = Some(false);
                let stmt = self.stmt(StmtKind::Assign { lhs, rhs, defined: None });
                self.doc.stmts[stmt].local_jacobian = Some(part);
                stmt
            })
            .collect();
        let terms = self.several(3, |m| {
            let coefficient = m.reference(1);
            m.doc.refs[coefficient].active = Some(false);
            let (kind, ty) = (ExprKind::Ref(coefficient), m.value_type());
            let (place, parens) = (m.place(), false);
            (m.doc.exprs.push(Expr { kind, ty, place, parens }), m.reference(1))
        });
        let y = self.reference(1);
        let propagator = self.stmt(StmtKind::Propagate(vec![Propagator::Sax { terms, y }]));
        self.doc.stmts[propagator].local_jacobian = Some(LocalJacobian::Propagator);
        stmts.push(propagator);
        stmts
    }

    fn masked_stmt(&mut self, depth: usize) -> StmtId {
        let inner = depth.saturating_sub(1);
        let kind = match self.pick(5) {
            1 => StmtKind::PointerAssign { lhs: self.reference(inner), rhs: self.expr(inner) },
            2 if depth > 0 => self.masked(inner),
            3 if depth > 0 => self.forall(inner),
            4 => StmtKind::Comment(self.comment()),
            _ => self.assignment(inner),
        };
        self.stmt(kind)
    }

    fn masked(&mut self, depth: usize) -> StmtKind {
        let mut arms = self.several(2, |m| {
            let mask = Some(m.expr(depth));
            WhereArm { mask, body: m.several(2, |m| m.masked_stmt(depth)) }
        });
        if self.flag() {
            arms.push(WhereArm { mask: None, body: vec![self.masked_stmt(depth)] });
        }
        let (name, inline) = (self.name(), self.flag());
        StmtKind::Where(Box::new(Where { arms, name, inline }))
    }

    fn header(&mut self, depth: usize) -> ForallHeader {
        ForallHeader {
            scope: self.indices,
            spec: self.maybe(|m| Box::new(m.spec(depth))),
            ranges: self.several(2, |m| m.range(depth)),
            mask: self.maybe(|m| m.expr(depth)),
        }
    }

    fn forall(&mut self, depth: usize) -> StmtKind {
        let header = self.header(depth);
        let body = self.several(2, |m| m.masked_stmt(depth));
        let (name, inline) = (self.name(), self.flag());
        StmtKind::Forall(Box::new(Forall { header, body, name, inline }))
    }

    fn comment(&mut self) -> Comment {
        let kind = self.one_of(&[CommentKind::Text, CommentKind::Blank, CommentKind::Directive]);
        let text = if kind == CommentKind::Blank { "".into() } else { self.line() };
        Comment { text, trailing: self.flag(), kind, place: self.place() }
    }

    fn statement(&mut self, depth: usize) -> StmtId {
        let kind = match self.pick(11) {
            0 => self.assignment(depth),
            1 => {
                let (lhs, rhs) = (self.reference(depth), self.expr(depth));
                StmtKind::Assign { lhs, rhs, defined: Some(Box::new(self.callee(depth))) }
            }
            2 => StmtKind::PointerAssign { lhs: self.reference(depth), rhs: self.expr(depth) },
            3 => StmtKind::InlinableCall(Box::new(InlinableCall {
                name: "push_i".into(),
                args: self.args(depth, false),
            })),
            4 => StmtKind::Propagate(self.several(4, |m| m.propagator(depth))),
            5 => self.masked(depth),
            6 => self.forall(depth),
            7 => self.allocate(depth),
            8 => StmtKind::Release(Box::new(Release {
                nullify: self.flag(),
                objects: self.several(2, |m| m.reference(depth)),
                stat: self.maybe(|m| m.reference(depth)),
                errmsg: self.maybe(|m| m.reference(depth)),
            })),
            9 => self.marker(depth),
            _ => StmtKind::Comment(self.comment()),
        };
        self.stmt(kind)
    }

    fn propagator(&mut self, depth: usize) -> Propagator {
        let target = self.reference(depth);
        let source = |m: &mut Self| m.reference(depth);
        let term = |m: &mut Self| (m.expr(depth), m.reference(depth));
        match self.pick(7) {
            0 => Propagator::Set { target, source: source(self) },
            1 => Propagator::SetNegative { target, source: source(self) },
            2 => Propagator::Increment { target, source: source(self) },
            3 => Propagator::Decrement { target, source: source(self) },
            4 => Propagator::Sax { terms: vec![term(self), term(self)], y: target },
            5 => Propagator::Saxpy { terms: vec![term(self)], y: target },
            _ => Propagator::Zero { target },
        }
    }

    fn allocate(&mut self, depth: usize) -> StmtKind {
        StmtKind::Allocate(Box::new(Allocate {
            spec: self.maybe(|m| m.spec(depth)),
            objects: self.several(2, |m| m.reference(depth)),
            stat: self.maybe(|m| m.reference(depth)),
            errmsg: self.maybe(|m| m.reference(depth)),
            source: self.maybe(|m| m.expr(depth)),
            mold: self.maybe(|m| m.expr(depth)),
        }))
    }

    fn marker(&mut self, depth: usize) -> StmtKind {
        use Verb::*;
        let verb =
            self.one_of(&[Io, Format, Stop, Pause, Continue, AssignLabel, Return, Opaque, Genuine]);
        let access = [Access::Read, Access::Write, Access::ReadWrite, Access::Inquire];
        let operands = self.several(2, |m| {
            let expr = m.expr(depth);
            MarkerOperand { expr, access: m.one_of(&access) }
        });
        let mut text = self.several(2, |m| Piece::Text(m.piece()));
        text.extend((0..operands.len()).map(Piece::Operand));
        text.extend(self.maybe(|_| Piece::StatementLabel(100)));
        let (pessimistic, annotation) = (self.flag(), self.maybe(Self::line));
        StmtKind::Marker(Box::new(Marker { verb, text, operands, pessimistic, annotation }))
    }
}

/// Adds a declared name.
fn add(doc: &mut Document, scope: ScopeId, name: &str, role: Role) -> SymbolId {
    let spec = match role {
        Role::Variable => TypeSpec::Intrinsic { base: Base::Real(8), kind: KindSpelling::Default },
        _ => TypeSpec::None,
    };
    let variable = role == Role::Variable;
    let decl = Decl {
        name: name.to_uppercase(),
        role,
        spec,
        dims: Vec::new(),
        attrs: Default::default(),
        intent: None,
        init: None,
        char_len: None,
        common: None,
        bind_name: None,
        implicit: false,
        value: None,
        place: Place::default(),
    };
    doc.add_symbol(Symbol {
        id: name.into(),
        scope,
        kind: if variable { SymbolKind::Variable } else { SymbolKind::Subroutine },
        class: if variable { TypeClass::Real } else { TypeClass::Void },
        fe_type: None,
        rank: variable.then_some(0),
        bounds: Vec::new(),
        active: None,
        temp: None,
        pointer: None,
        decl: Some(Box::new(decl)),
    })
}

/// Says what `symbol` is.
fn role(doc: &mut Document, symbol: SymbolId, role: Role) {
    if let Some(decl) = &mut doc.symbols[symbol].decl {
        decl.role = role;
    }
}
