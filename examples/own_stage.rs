//! A stage of its own: counts the floating-point operations that the text of each procedure has.
//!
//! It prints the counts to standard error and passes the document on unchanged, so it may stand anywhere in a pipe:
//!
//!     f2xaif a.f90 | own_stage | xaif-activity | …

use std::process::ExitCode;

use xaif_booster::build::nodes_of;
use xaif_booster::flow::{Step, steps_of_vertex};
use xaif_cli::CommonArgs;
use xaif_schema::cli::{Console, Output};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{ArgValue, Base, Body, Cfg, Document, ExprId, ExprKind, StmtId, StmtKind};

/// Count floating-point operations.
#[derive(clap::Parser)]
#[command(name = "own_stage", version)]
struct Args {
    /// The document; `-` is standard input
    #[arg(default_value = "-")]
    input: String,
    #[command(flatten)]
    common: CommonArgs,
}

fn main() -> ExitCode {
    xaif_cli::run(|args: &Args| &args.common, run)
}

fn run(args: &Args, console: &mut Console) -> Result<Output, Diagnostics> {
    let doc = console.read_document(&args.input)?;
    for proc in doc.procs.values() {
        if let Body::Flow(cfg) = &proc.body {
            eprintln!("{:>6}  {}", operations(&doc, cfg), doc.name(proc.symbol));
        }
    }
    console.write_document(doc)
}

/// The operations in the expressions of a flow graph. An operation on arrays counts once.
fn operations(doc: &Document, cfg: &Cfg) -> usize {
    let steps = cfg.layout.iter().flat_map(|&vertex| steps_of_vertex(cfg, vertex));
    let roots = steps.flat_map(|step| match step {
        Step::Stmt(stmt) => values(doc, stmt),
        Step::Evaluate(condition) => vec![condition],
        Step::Enter(_) | Step::Concurrent(_) | Step::Leave => Vec::new(),
    });
    let counts = |node: &ExprId| {
        let expr = &doc.exprs[*node];
        let number = matches!(expr.ty.base, Base::Real(_) | Base::Complex(_));
        number && matches!(expr.kind, ExprKind::Intrinsic { .. })
    };
    nodes_of(doc, roots).iter().filter(|node| counts(node)).count()
}

/// The expressions of an assignment or a call.
fn values(doc: &Document, stmt: StmtId) -> Vec<ExprId> {
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { rhs, .. } => vec![*rhs],
        StmtKind::Call(call) => {
            let value = |value: ArgValue| match value {
                ArgValue::Expr(expr) => Some(expr),
                ArgValue::AlternateReturn(_) => None,
            };
            call.args.iter().filter_map(|arg| value(arg.value)).collect()
        }
        _ => Vec::new(),
    }
}
