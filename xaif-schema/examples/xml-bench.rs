//! Measures the reader and the writer on a large document: `scripts/bench-xml [MEGABYTES]`.
//!
//! The document is what our front-end makes of Fortran: a procedure for each hundred statements,
//! sums of products of array elements, types and places at every node.

use std::time::Instant;

use xaif_schema::model::*;
use xaif_schema::{verify, xml};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let megabytes: usize = std::env::args().nth(1).map_or(Ok(100), |arg| arg.parse())?;
    let one = xml::to_string(&document(10))?.len();
    let doc = document(megabytes * 1_000_000 * 10 / one);
    println!("nodes       {:>9}", doc.exprs.len());
    println!("model       {:>9.0} MB resident", memory("VmRSS:"));
    let start = Instant::now();
    let mut bytes = Vec::new();
    xml::write(&doc, &mut bytes)?;
    let size = bytes.len() as f64 / 1e6;
    let speed = |start: Instant| size / start.elapsed().as_secs_f64();
    println!("size        {size:>9.0} MB of XML");
    println!("write       {:>9.0} MB/s", speed(start));
    drop(doc);
    let start = Instant::now();
    let again = xml::read(&bytes, "bench").map_err(|found| format!("{found:?}"))?;
    println!("read        {:>9.0} MB/s, {:.2} s", speed(start), start.elapsed().as_secs_f64());
    let start = Instant::now();
    let found = verify::verify(&again);
    println!("verify      {:>9.0} MB/s, {} found", speed(start), found.len());
    println!("peak        {:>9.0} MB resident, text included", memory("VmHWM:"));
    Ok(())
}

/// A field of this process's status, in megabytes; 0 where the system does not tell.
fn memory(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1e3
}

/// A document of `procs` procedures with a hundred assignments each.
fn document(procs: usize) -> Document {
    let mut doc = Document::new();
    let file =
        doc.files.push(SourceFile { path: "big.f90".into(), language: Language::FreeFortran });
    let global = ScopeId::from_u32(0);
    for number in 0..procs {
        let mut place = Place { file: Some(file), line: number as u32 * 120 + 1, column: 1 };
        let symbol = plain(&mut doc, global, format!("p{number}"), TypeClass::Void, None);
        doc.symbols[symbol].kind = SymbolKind::Subroutine;
        let scope = doc.add_scope(global, ScopeKind::Procedure(symbol), place);
        let a = plain(&mut doc, scope, "a".into(), TypeClass::Real, Some(1));
        let x = plain(&mut doc, scope, "x".into(), TypeClass::Real, Some(0));
        let i = plain(&mut doc, scope, "i".into(), TypeClass::Integer, Some(0));
        let mut cfg = Cfg::default();
        let entry = push(&mut cfg, VertexKind::Entry(None), place);
        let mut stmts = Vec::new();
        for _ in 0..100 {
            place.line += 1;
            stmts.push(assignment(&mut doc, [a, x, i], place));
        }
        let block = push(&mut cfg, VertexKind::BasicBlock { scope, stmts }, place);
        let exit = push(&mut cfg, VertexKind::Exit, place);
        cfg.connect(entry, block);
        cfg.connect(block, exit);
        doc.procs.push(Procedure {
            symbol,
            scope,
            args: Vec::new(),
            result: None,
            kind: ProcKind::Subroutine,
            body: Body::Flow(cfg),
            place,
            active: None,
            entry_written: false,
            effects: Effects::default(),
            independent: Vec::new(),
            dependent: Vec::new(),
        });
    }
    doc
}

fn push(cfg: &mut Cfg, kind: VertexKind, place: Place) -> VertexId {
    cfg.push(Vertex { kind, place, id: None, recorded: None })
}

fn plain(
    doc: &mut Document,
    scope: ScopeId,
    id: String,
    class: TypeClass,
    rank: Option<u8>,
) -> SymbolId {
    doc.add_symbol(Symbol {
        id,
        scope,
        kind: SymbolKind::Variable,
        class,
        fe_type: None,
        rank,
        bounds: Vec::new(),
        active: None,
        temp: None,
        pointer: None,
        decl: None,
    })
}

const REAL: Ty = Ty::scalar(Base::Real(8));
const INTEGER: Ty = Ty::scalar(Base::Integer(4));

/// `a(i) = a(i)*x + sin(x)*2.0d0`
fn assignment(doc: &mut Document, [a, x, i]: [SymbolId; 3], place: Place) -> StmtId {
    let lhs = element(doc, a, i, place);
    let left = element(doc, a, i, place);
    let left = node(doc, ExprKind::Ref(left), REAL, place);
    let right = variable(doc, x, REAL, place);
    let left = binary(doc, "mul_scal_scal", left, right, place);
    let sine = variable(doc, x, REAL, place);
    let sine = operation(doc, "sin_scal", &[sine], place);
    let two = constant(doc, "2.0d0", place);
    let right = binary(doc, "mul_scal_scal", sine, two, place);
    let rhs = binary(doc, "add_scal_scal", left, right, place);
    let kind = StmtKind::Assign { lhs, rhs, defined: None };
    doc.stmts.push(Stmt {
        kind,
        place,
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

fn element(doc: &mut Document, a: SymbolId, i: SymbolId, place: Place) -> RefId {
    let index = variable(doc, i, INTEGER, place);
    let mut reference = Reference::whole(a, REAL, place);
    reference.parts.push(Part::Elements(vec![Subscript::Index(index)]));
    doc.refs.push(reference)
}

fn variable(doc: &mut Document, symbol: SymbolId, ty: Ty, place: Place) -> ExprId {
    let reference = doc.refs.push(Reference::whole(symbol, ty, place));
    node(doc, ExprKind::Ref(reference), ty, place)
}

fn constant(doc: &mut Document, text: &str, place: Place) -> ExprId {
    let (class, kind) = (ConstantClass::Double, ConstantKind::None);
    let constant = Constant { class, fe_type: None, text: text.into(), kind };
    node(doc, ExprKind::Constant(constant), REAL, place)
}

fn binary(doc: &mut Document, name: &str, left: ExprId, right: ExprId, place: Place) -> ExprId {
    operation(doc, name, &[left, right], place)
}

fn operation(doc: &mut Document, name: &str, operands: &[ExprId], place: Place) -> ExprId {
    let operands = operands.iter().zip(1..);
    let operands =
        operands.map(|(&expr, position)| Operand { position, keyword: false, expr }).collect();
    let kind = ExprKind::Intrinsic { name: name.into(), spelling: None, operands };
    node(doc, kind, REAL, place)
}

fn node(doc: &mut Document, kind: ExprKind, ty: Ty, place: Place) -> ExprId {
    doc.exprs.push(Expr { kind, ty, place, parens: false })
}
