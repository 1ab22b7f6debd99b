//! Ids that are unique in their list: those that were read, numbers for all others.

use std::collections::HashSet;
use std::fmt;

use crate::model::{AsRead, Key};

/// An id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Id<'a> {
    /// The number of an entity in its list, from 1.
    Number(u32),
    /// As it was read.
    Text(&'a str),
}

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Number(number) => number.fmt(f),
            Id::Text(text) => f.write_str(text),
        }
    }
}

/// The ids of a list of entities; an empty table numbers them from 1.
#[derive(Debug, Default)]
pub(super) struct Ids<'a>(Vec<Id<'a>>);

impl<'a> Ids<'a> {
    /// The id of the entity at `index`.
    pub(super) fn get(&self, index: usize) -> Id<'a> {
        self.0.get(index).copied().unwrap_or(Id::Number(index as u32 + 1))
    }

    /// Keeps the ids that are given, and numbers the others by their place in the list as far as
    /// that is free.
    pub(super) fn of(given: impl Iterator<Item = Option<&'a str>> + Clone) -> Self {
        if given.clone().all(|id| id.is_none()) {
            return Ids::default();
        }
        let mut used: HashSet<String> = given.clone().flatten().map(str::to_owned).collect();
        let mut next = used.len() as u32;
        let ids = given.enumerate().map(|(i, id)| match id {
            Some(id) => Id::Text(id),
            None => {
                let mut number = i as u32 + 1;
                while !used.insert(number.to_string()) {
                    next += 1;
                    number = next;
                }
                Id::Number(number)
            }
        });
        Ids(ids.collect())
    }

    /// The ids that were noted for `keys` when the document was read.
    pub(super) fn noted(
        as_read: &'a AsRead,
        attribute: &str,
        keys: impl Iterator<Item = Key>,
    ) -> Self {
        if as_read.elements.is_empty() {
            return Ids::default();
        }
        let given: Vec<Option<&'a str>> = keys
            .map(|key| {
                let spelling = as_read.spelling(key)?;
                let spelt = spelling.attributes.iter().find(|a| *a.name == *attribute)?;
                spelt.raw.as_deref()
            })
            .collect();
        Ids::of(given.iter().copied())
    }
}
