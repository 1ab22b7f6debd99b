//! Which vertices need no line of their own: what a construct implies, ELSE IF, the one-line IF.

use super::BodyText;
use crate::model::{BranchForm, Jump, StmtKind, Verb, VertexId, VertexKind};

impl BodyText<'_, '_> {
    pub(super) fn find_hidden(&mut self) {
        for (position, &vertex) in self.flow.order.iter().enumerate() {
            let hidden = match self.kind(vertex) {
                VertexKind::Entry(None) => position == 0 && self.falls_through(vertex),
                VertexKind::Exit => {
                    position + 1 == self.flow.order.len() && self.flow.out[vertex].is_empty()
                }
                VertexKind::BasicBlock { stmts, .. } => {
                    stmts.iter().all(|&stmt| self.silent(stmt)) && self.falls_through(vertex)
                }
                VertexKind::Goto(jump) => self.said_by_marker(vertex, jump),
                _ => false,
            };
            self.hidden[vertex] = hidden && !self.named[vertex];
        }
    }

    /// Whether a jump to the exit only completes the STOP or RETURN before it.
    fn said_by_marker(&self, vertex: VertexId, jump: &Jump) -> bool {
        let verb = match jump {
            Jump::Stop => Verb::Stop,
            Jump::Return => Verb::Return,
            Jump::Goto | Jump::Exit(_) | Jump::Cycle(_) | Jump::Break | Jump::Continue => {
                return false;
            }
        };
        let last = self.previous(vertex).and_then(|before| {
            self.stmts(before).iter().rev().find_map(|&stmt| match self.stmt_kind(stmt)? {
                StmtKind::Comment(_) => None,
                kind => Some(kind),
            })
        });
        matches!(last, Some(StmtKind::Marker(marker)) if marker.verb == verb)
            && self.only_obvious_jump(vertex)
    }

    fn only_obvious_jump(&self, vertex: VertexId) -> bool {
        matches!(self.flow.out[vertex].as_slice(), [only] if self.obvious_jump(&self.cfg.edges[*only]))
    }

    /// ELSE IF: a branch that alone is the else arm of the branch around it.
    pub(super) fn find_else_ifs(&mut self) {
        for &branch in &self.flow.order {
            let VertexKind::Branch { form: BranchForm::ElseIf, .. } = self.kind(branch) else {
                continue;
            };
            let node = self.flow.nodes[branch];
            let (Some(around), Some(end)) = (node.around, node.mate) else { continue };
            let head = match self.previous(branch) {
                Some(block) if self.hidden[block] && self.flow.arms.contains_key(&block) => block,
                _ => branch,
            };
            let is_else = self.flow.arms.get(&head).is_some_and(|edges| {
                edges.iter().all(|&edge| {
                    let edge = &self.cfg.edges[edge];
                    edge.source == around && matches!(edge.condition, None | Some(0))
                })
            });
            let alone = self.next(end) == self.flow.nodes[around].mate
                && self.falls_through(end)
                && !self.named[end];
            if is_else && alone && self.flow.opens(branch) {
                self.else_ifs.extend([branch, head]);
                self.hidden[end] = true;
            }
        }
    }

    /// The one-line IF, whose statement and jump then need no line of their own.
    pub(super) fn find_one_liners(&mut self) {
        for &branch in &self.flow.order {
            let VertexKind::Branch { form: BranchForm::InlineIf, .. } = self.kind(branch) else {
                continue;
            };
            let Some(end) = self.flow.nodes[branch].mate else { continue };
            let from = self.flow.nodes[branch].position + 1;
            let to = self.flow.nodes[end].position;
            let Some(inner) = self.flow.order.get(from..to) else { continue };
            let plain = self.flow.out[branch].iter().all(|&edge| self.flow.plain[edge])
                && self.flow.out[branch].len() == 2
                && self.falls_through(end)
                && !self.named[end]
                && inner.iter().all(|&vertex| !self.named[vertex]);
            let foldable = match *inner {
                [block] => self.falls_through(block) && self.single(block),
                [block, jump] => {
                    let jumps = matches!(self.kind(jump), VertexKind::Goto(_))
                        && self.flow.out[jump].len() == 1;
                    let empty = self.hidden[block];
                    let ended = self.hidden[jump] && self.single(block);
                    jumps && self.falls_through(block) && (empty || ended)
                }
                _ => false,
            };
            if plain && foldable {
                let folded: Vec<_> = inner.to_vec();
                for vertex in folded {
                    self.hidden[vertex] = true;
                }
                self.hidden[end] = true;
                self.one_line.insert(branch);
            }
        }
    }

    /// Whether a block is one statement of one line.
    fn single(&self, block: VertexId) -> bool {
        match self.stmts(block) {
            [stmt] => match self.stmt_kind(*stmt) {
                Some(StmtKind::Propagate(steps)) => steps.len() == 1,
                Some(StmtKind::Where(masked)) => masked.inline,
                Some(StmtKind::Forall(forall)) => forall.inline,
                Some(StmtKind::Comment(_) | StmtKind::OpenScope(_) | StmtKind::CloseScope(_)) => {
                    false
                }
                Some(
                    StmtKind::Assign { .. }
                    | StmtKind::PointerAssign { .. }
                    | StmtKind::Call(_)
                    | StmtKind::InlinableCall(_)
                    | StmtKind::Allocate(_)
                    | StmtKind::Release(_)
                    | StmtKind::Marker(_),
                ) => true,
                None => false,
            },
            _ => false,
        }
    }
}
