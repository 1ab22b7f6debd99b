//! Small documents, built by hand; and the compiler that judges what is printed.

use std::collections::BTreeSet;
use std::process::Command;

use fortran_backend::{Layout, unparse};
use xaif_schema::model::*;

/// A document with one subroutine `s` under construction.
pub(crate) struct Build {
    pub(crate) doc: Document,
    pub(crate) global: ScopeId,
    pub(crate) scope: ScopeId,
    pub(crate) proc: ProcId,
    pub(crate) cfg: Cfg,
}

pub(crate) const REAL: Ty = Ty::scalar(Base::Real(8));
pub(crate) const INTEGER: Ty = Ty::scalar(Base::Integer(4));
pub(crate) const LOGICAL: Ty = Ty::scalar(Base::Logical(4));

impl Build {
    pub(crate) fn new() -> Build {
        let mut doc = Document::new();
        let global = doc.global_scope().expect("a new document has a global scope");
        let symbol = doc.add_symbol(symbol(global, "s", TypeSpec::None));
        let scope = doc.add_scope(global, ScopeKind::Procedure(symbol), Place::default());
        doc.scopes[global].items.push(SpecItem::Unit(scope));
        let proc = doc.procs.push(Procedure {
            symbol,
            scope,
            args: Vec::new(),
            result: None,
            kind: ProcKind::Subroutine,
            body: Body::Interface,
            place: Place::default(),
            active: None,
            entry_written: false,
            effects: Effects::default(),
            independent: Vec::new(),
            dependent: Vec::new(),
        });
        let info = ProcedureInfo {
            sort: ProcSort::Subroutine,
            class: ProcClass::External,
            proc: Some(proc),
            interface: None,
            pass: None,
        };
        if let Some(decl) = &mut doc.symbols[symbol].decl {
            decl.role = Role::Procedure(info);
        }
        Build { doc, global, scope, proc, cfg: Cfg::default() }
    }

    /// The variable `far` of a module `m`, and the module. It stands behind its user in the document.
    pub(crate) fn variable_of_a_module(&mut self, attr: Option<Attr>) -> (SymbolId, SymbolId) {
        let module = self.doc.add_symbol(symbol(self.global, "m", TypeSpec::None));
        let inside = self.doc.add_scope(self.global, ScopeKind::Module(module), Place::default());
        let far = self.doc.add_symbol(symbol(inside, "far", intrinsic(Base::Integer(4))));
        if let Some(decl) = self.doc.symbols[module].decl.as_deref_mut() {
            decl.role = Role::Module { scope: Some(inside) };
        }
        if let Some(decl) = self.doc.symbols[far].decl.as_deref_mut() {
            decl.attrs.extend(attr);
        }
        self.doc.scopes[inside].items.push(SpecItem::Declare(vec![far]));
        self.doc.scopes[self.global].items.push(SpecItem::Unit(inside));
        (far, module)
    }

    /// `symbol = 1`, of an integer.
    pub(crate) fn set_to_one(&mut self, symbol: SymbolId) -> StmtId {
        let lhs = self.doc.refs.push(Reference::whole(symbol, INTEGER, Place::default()));
        let rhs = self.int(1);
        self.stmt(StmtKind::Assign { lhs, rhs, defined: None })
    }

    /// A variable; the first letter decides its type, as in Fortran.
    pub(crate) fn var(&mut self, name: &str) -> SymbolId {
        if let Some(symbol) = self.doc.symbol_in(self.scope, name) {
            return symbol;
        }
        let spec = match name.as_bytes()[0] {
            b'l' => intrinsic(Base::Logical(4)),
            b'i'..=b'n' => intrinsic(Base::Integer(4)),
            _ => TypeSpec::Intrinsic { base: Base::Real(8), kind: KindSpelling::Named },
        };
        self.doc.add_symbol(symbol(self.scope, name, spec))
    }

    /// A dummy argument.
    pub(crate) fn dummy(&mut self, name: &str) -> SymbolId {
        let symbol = self.var(name);
        let args = &mut self.doc.procs[self.proc].args;
        let position = args.len() as u32 + 1;
        args.push(DummyArg { position, symbol: Some(symbol), intent: None, deriv: false });
        symbol
    }

    pub(crate) fn reference(&mut self, name: &str) -> RefId {
        let symbol = self.var(name);
        let ty = match self.doc.symbols[symbol].class {
            TypeClass::Integer => INTEGER,
            _ => REAL,
        };
        self.doc.refs.push(Reference::whole(symbol, ty, Place::default()))
    }

    pub(crate) fn expr(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        self.doc.exprs.push(Expr { kind, ty, place: Place::default(), parens: false })
    }

    /// The value of a variable.
    pub(crate) fn get(&mut self, name: &str) -> ExprId {
        let reference = self.reference(name);
        let ty = self.doc.refs[reference].ty;
        self.expr(ExprKind::Ref(reference), ty)
    }

    /// An integer literal.
    pub(crate) fn int(&mut self, value: i64) -> ExprId {
        let constant = Constant {
            class: ConstantClass::Integer,
            fe_type: None,
            text: value.to_string().into(),
            kind: ConstantKind::None,
        };
        self.expr(ExprKind::Constant(constant), INTEGER)
    }

    pub(crate) fn call(&mut self, name: &str, operands: &[ExprId]) -> ExprId {
        let ty = operands.first().map_or(REAL, |&first| self.doc.exprs[first].ty);
        let kind = ExprKind::Intrinsic {
            name: name.into(),
            spelling: None,
            operands: positions(operands),
        };
        self.expr(kind, ty)
    }

    pub(crate) fn boolean(&mut self, op: BoolOp, operands: &[ExprId]) -> ExprId {
        self.expr(ExprKind::Boolean { op, operands: positions(operands) }, LOGICAL)
    }

    pub(crate) fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.doc.stmts.push(Stmt {
            kind,
            place: Place::default(),
            id: None,
            do_chain: None,
            label: None,
            recorded: None,
            properties: Vec::new(),
            joint: false,
            recompute: false,
            adjoint_live: true,
            checkpoints: None,
            local_jacobian: None,
        })
    }

    /// `name = rhs`
    pub(crate) fn assign(&mut self, name: &str, rhs: ExprId) -> StmtId {
        let lhs = self.reference(name);
        self.stmt(StmtKind::Assign { lhs, rhs, defined: None })
    }

    /// `name = name + 1`, a statement that tests recognise.
    pub(crate) fn step(&mut self, name: &str) -> StmtId {
        let old = self.get(name);
        let one = self.int(1);
        let sum = self.call("add_scal_scal", &[old, one]);
        self.assign(name, sum)
    }

    pub(crate) fn vertex(&mut self, kind: VertexKind) -> VertexId {
        self.cfg.push(Vertex { kind, place: Place::default(), id: None, recorded: None })
    }

    pub(crate) fn block(&mut self, stmts: &[StmtId]) -> VertexId {
        let scope = self.scope;
        self.vertex(VertexKind::BasicBlock { scope, stmts: stmts.to_vec() })
    }

    pub(crate) fn branch(&mut self, condition: ExprId, form: BranchForm) -> VertexId {
        self.vertex(VertexKind::Branch { condition: Some(condition), form, name: None })
    }

    pub(crate) fn goto(&mut self, jump: Jump) -> VertexId {
        self.vertex(VertexKind::Goto(jump))
    }

    /// Edges without condition along a path.
    pub(crate) fn path(&mut self, vertices: &[VertexId]) {
        for pair in vertices.windows(2) {
            self.cfg.connect(pair[0], pair[1]);
        }
    }

    /// `do var = 1, last`
    pub(crate) fn counted(&mut self, var: &str, last: i64, form: ForForm) -> VertexId {
        let one = self.int(1);
        let init = self.assign(var, one);
        let (value, last) = (self.get(var), self.int(last));
        let condition = self.boolean(BoolOp::LessOrEqual, &[value, last]);
        let update = self.step(var);
        self.vertex(VertexKind::ForLoop {
            init,
            condition,
            update,
            reversal: None,
            form,
            name: None,
        })
    }

    /// The document with the body in it.
    pub(crate) fn finish(mut self) -> Document {
        self.doc.procs[self.proc].body = Body::Flow(self.cfg);
        self.doc
    }
}

pub(crate) fn positions(operands: &[ExprId]) -> Operands {
    let numbered = operands.iter().zip(1..);
    numbered.map(|(&expr, position)| Operand { position, keyword: false, expr }).collect()
}

pub(crate) fn intrinsic(base: Base) -> TypeSpec {
    TypeSpec::Intrinsic { base, kind: KindSpelling::Default }
}

pub(crate) fn symbol(scope: ScopeId, name: &str, spec: TypeSpec) -> Symbol {
    let class = match spec.base() {
        Base::Integer(_) => TypeClass::Integer,
        Base::Logical(_) => TypeClass::Bool,
        Base::Void => TypeClass::Void,
        _ => TypeClass::Real,
    };
    Symbol {
        id: name.to_lowercase(),
        scope,
        kind: SymbolKind::Variable,
        class,
        fe_type: None,
        rank: Some(0),
        bounds: Vec::new(),
        active: None,
        temp: None,
        pointer: None,
        decl: Some(Box::new(Decl {
            name: name.to_owned(),
            role: Role::Variable,
            spec,
            dims: Vec::new(),
            attrs: BTreeSet::new(),
            intent: None,
            init: None,
            char_len: None,
            common: None,
            bind_name: None,
            implicit: false,
            value: None,
            place: Place::default(),
        })),
    }
}

/// The only text of a document.
pub(crate) fn print(doc: &Document) -> String {
    let texts = unparse(doc, Layout::OneText).expect("it can be printed");
    texts.into_iter().map(|(_, text)| text).collect()
}

/// Compiles `text`; panics with the compiler's messages if it does not take it.
pub(crate) fn compile(text: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.f90"), text).expect("written");
    let output = Command::new("gfortran")
        .args(["-std=f2018", "-Wall", "-Wno-unused-dummy-argument", "-Werror", "-c", "a.f90"])
        .current_dir(folder.path())
        .output()
        .expect("gfortran runs");
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs a program that is appended to `text` and returns what it prints.
pub(crate) fn run(text: &str, program: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.f90"), format!("{text}\n{program}")).expect("written");
    let output = Command::new("gfortran")
        .args(["-std=f2018", "-O0", "a.f90", "-o", "a.out"])
        .current_dir(folder.path())
        .output()
        .expect("gfortran runs");
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(folder.path().join("a.out")).output().expect("it runs");
    assert!(output.status.success(), "{text}\n{program}");
    String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
}
