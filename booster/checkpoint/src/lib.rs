//! Loops with checkpoints: the body of a loop becomes a procedure whose calls can be executed again.
//!
//! The adjoint of a loop of many iterations cannot record all of them. It keeps some states of the loop, and executes
//! iterations again from there (paper 5, sections 4.2.2 and 4.6; Griewank and Walther, "Algorithm 799: revolve", 2000).
//!
//! This rewriter finds the loops with directives (`directive`). It moves the body of each into an internal procedure
//! (`outline`), and leaves a call with the fact `Stmt.checkpoints`. The program does the same as before. The adjoint mode
//! reads the fact: it keeps snapshots of what the call reads and overwrites, as of any joint call, and lets the runtime
//! choose which iterations are executed again. Inner loops come first, so that checkpoints nest.
//!
//! It does not decide which loops need checkpoints.

mod directive;
mod outline;

pub use outline::outline;

use booster_build::construct_at;
use booster_passes::{About, Need};
use outline::is_loop;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Body, Cfg, Checkpoints, Document, Place, ProcId, StmtId, StmtKind, VertexKind,
};

/// The row of the rewriter in the list of passes.
pub const ABOUT: About = About {
    name: "checkpoint",
    need: Need::Required,
    summary: "Moves bodies of loops with directives of checkpoints into procedures.",
    reads: "bodies, directives",
    writes: "bodies, procedures",
    source: "paper 5, 4.2.2",
};

/// A directive and the loop behind it.
struct Asked {
    /// The position of the loop in the text.
    position: usize,
    checkpoints: Checkpoints,
}

/// Whether any loop of the document is to have checkpoints.
pub fn is_asked(doc: &Document) -> bool {
    doc.stmts.values().any(|stmt| match &stmt.kind {
        StmtKind::Comment(comment) => {
            directive::asked(doc, xaif_schema::model::ScopeId::from_u32(0), comment).is_some()
        }
        _ => false,
    })
}

/// Makes a procedure of the body of each loop that has a directive. The result are warnings.
///
/// # Errors
/// A directive that says no number (OX4490), and a loop that cannot have checkpoints (OX4491).
pub fn checkpoint(doc: &mut Document) -> Result<Diagnostics, Diagnostics> {
    let (mut warnings, mut errors) = (Diagnostics::new(), Diagnostics::new());
    for proc in doc.procs.keys().collect::<Vec<ProcId>>() {
        let Body::Flow(cfg) = &doc.procs[proc].body else { continue };
        let mut asked = Vec::new();
        for at in 0..cfg.layout.len() {
            match of_block(doc, cfg, at) {
                Found::Nothing => {}
                Found::Loop(one) => asked.push(one),
                Found::NoLoop(place) => {
                    let message = "no loop follows this directive of checkpoints";
                    let warning =
                        Diagnostic::warning(Code::CHECKPOINT_NO_LOOP, doc.spot(place), message);
                    warnings.push(warning.with_help("put it on the line before DO"));
                }
                Found::Wrong(problem) => errors.push(problem),
            }
        }
        // Inner loops stand behind the outer ones in the text.
        for one in asked.into_iter().rev() {
            if let Err(problem) = outline(doc, proc, one.position, one.checkpoints) {
                errors.push(problem);
            }
        }
    }
    if errors.has_errors() {
        errors.extend(warnings);
        return Err(errors);
    }
    Ok(warnings)
}

/// What stands at the end of a block.
enum Found {
    Nothing,
    Loop(Asked),
    NoLoop(Place),
    Wrong(Diagnostic),
}

/// The directive among the comments of the block at a position of the text, and the loop behind the block.
fn of_block(doc: &Document, cfg: &Cfg, at: usize) -> Found {
    let VertexKind::BasicBlock { scope, stmts } = &cfg.vertices[cfg.layout[at]].kind else {
        return Found::Nothing;
    };
    let is_comment = |stmt: &StmtId| matches!(doc.stmts[*stmt].kind, StmtKind::Comment(_));
    let last = stmts.iter().rposition(|stmt| !is_comment(stmt));
    for (index, &stmt) in stmts.iter().enumerate().rev() {
        let StmtKind::Comment(comment) = &doc.stmts[stmt].kind else { continue };
        let Some(checkpoints) = directive::asked(doc, *scope, comment) else { continue };
        let checkpoints = match checkpoints {
            Ok(checkpoints) => checkpoints,
            Err(problem) => return Found::Wrong(problem),
        };
        let head =
            cfg.layout.get(at + 1).copied().filter(|&head| is_loop(&cfg.vertices[head].kind));
        return match head {
            Some(_) if last.is_none_or(|last| last < index) => match is_done(doc, cfg, at + 1) {
                true => Found::Nothing,
                false => Found::Loop(Asked { position: at + 1, checkpoints }),
            },
            Some(_) | None if directive::may_concern_a_call(comment) => Found::Nothing,
            Some(_) | None => Found::NoLoop(comment.place),
        };
    }
    Found::Nothing
}

/// Whether the body of a loop is a call already that says what is kept.
fn is_done(doc: &Document, cfg: &Cfg, at: usize) -> bool {
    let inside = construct_at(cfg, at).map(|(_, inside)| inside).unwrap_or_default();
    let mut stmts = inside.iter().flat_map(|&vertex| cfg.vertices[vertex].kind.stmts());
    stmts.any(|&stmt| doc.stmts[stmt].checkpoints.is_some())
}
