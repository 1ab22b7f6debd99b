//! The rows of a relation, where copies share what they have in common.
//!
//! The solver keeps a relation at each point of a procedure, and from one point to the next few rows
//! differ. So rows stand in blocks, blocks are shared, and what is the same block is not compared: a
//! copy costs a pointer for each block, a join what is not the same. A procedure with thousands of
//! variables and jumps (a cloud microphysics of 25,000 lines) takes seconds with that, not minutes.

use std::sync::Arc;

use super::dep::{Var, VarSet};

/// How many rows a block has: a copy of a block and a copy of the list of blocks cost about the same
/// for frames of a few thousand variables.
const BLOCK: usize = 32;

type Row = Arc<VarSet>;

type Block = [Option<Row>; BLOCK];

/// A row for each of some variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// `None` is a block without rows.
    blocks: Vec<Option<Arc<Block>>>,
}

impl Rows {
    /// No rows, in a frame of `size` variables.
    pub(super) fn new(size: usize) -> Self {
        Rows { blocks: vec![None; size.div_ceil(BLOCK)] }
    }

    /// The row of `var`.
    pub(super) fn get(&self, var: Var) -> Option<&Row> {
        let block = self.blocks.get(var as usize / BLOCK)?.as_ref()?;
        block[var as usize % BLOCK].as_ref()
    }

    /// All rows, by their variables in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Var, &Row)> {
        let blocks = self.blocks.iter().enumerate();
        let blocks = blocks.filter_map(|(index, block)| Some((index, block.as_ref()?)));
        blocks.flat_map(|(index, block)| {
            let rows = block.iter().enumerate();
            rows.filter_map(move |(at, row)| Some(((index * BLOCK + at) as Var, row.as_ref()?)))
        })
    }

    /// Sets the rows of some variables.
    pub(super) fn extend(&mut self, rows: impl IntoIterator<Item = (Var, Row)>) {
        for (var, row) in rows {
            let block = &mut self.blocks[var as usize / BLOCK];
            let block = block.get_or_insert_with(|| Arc::new([const { None }; BLOCK]));
            Arc::make_mut(block)[var as usize % BLOCK] = Some(row);
        }
    }

    /// Gives `var` another row, where it has one and `change` says so.
    pub(super) fn change(&mut self, var: Var, change: impl FnOnce(&VarSet) -> Option<Row>) {
        if let Some(row) = self.get(var).and_then(|row| change(row)) {
            self.extend([(var, row)]);
        }
    }

    /// Takes what `other` has: `row` tells for a variable, its row here and its row there what its row
    /// becomes, `None` where it stays. Where both are the same nothing is asked. Whether any row is
    /// another now.
    pub(super) fn join(
        &mut self,
        other: &Rows,
        row: impl Fn(Var, Option<&Row>, Option<&Row>) -> Option<Row>,
    ) -> bool {
        let mut changed = false;
        for (index, (mine, theirs)) in self.blocks.iter_mut().zip(&other.blocks).enumerate() {
            let is_same = match (&*mine, theirs) {
                (None, None) => true,
                (Some(mine), Some(theirs)) => Arc::ptr_eq(mine, theirs),
                (None, Some(_)) | (Some(_), None) => false,
            };
            if is_same {
                continue;
            }
            let mut joined: Option<Block> = None;
            for at in 0..BLOCK {
                let here = mine.as_ref().and_then(|block| block[at].as_ref());
                let there = theirs.as_ref().and_then(|block| block[at].as_ref());
                if let Some(row) = row((index * BLOCK + at) as Var, here, there) {
                    let old = || mine.as_ref().map_or([const { None }; BLOCK], |b| (**b).clone());
                    joined.get_or_insert_with(old)[at] = Some(row);
                }
            }
            if let Some(joined) = joined {
                let is_theirs = |theirs: &&Arc<Block>| joined.iter().zip(theirs.iter()).all(same);
                let shared = theirs.as_ref().filter(is_theirs).map(Arc::clone);
                *mine = Some(shared.unwrap_or_else(|| Arc::new(joined)));
                changed = true;
            }
        }
        changed
    }
}

/// Whether two rows are the same in memory.
fn same((one, other): (&Option<Row>, &Option<Row>)) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, Some(_)) | (Some(_), None) => false,
    }
}
