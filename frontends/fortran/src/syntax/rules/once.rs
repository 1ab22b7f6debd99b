//! Attributes that a name may have once, or not together, and attributes of dummy arguments.

use std::collections::HashMap;

use xaif_schema::diag::Code;

use super::super::ast::{Attribute, Entity, Initial, Name, Place, SpecItem, SpecKind};
use super::Breach;

/// The attributes that the rules are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Has {
    Allocatable,
    Common,
    Contiguous,
    External,
    Intent,
    Intrinsic,
    Optional,
    Parameter,
    Pointer,
    Private,
    Protected,
    Public,
    Save,
    Shape,
    Target,
    Value,
    Initial,
}

impl Has {
    fn word(self) -> &'static str {
        match self {
            Has::Allocatable => "ALLOCATABLE",
            Has::Common => "COMMON",
            Has::Contiguous => "CONTIGUOUS",
            Has::External => "EXTERNAL",
            Has::Intent => "INTENT",
            Has::Intrinsic => "INTRINSIC",
            Has::Optional => "OPTIONAL",
            Has::Parameter => "PARAMETER",
            Has::Pointer => "POINTER",
            Has::Private => "PRIVATE",
            Has::Protected => "PROTECTED",
            Has::Public => "PUBLIC",
            Has::Save => "SAVE",
            Has::Shape => "a shape",
            Has::Target => "TARGET",
            Has::Value => "VALUE",
            Has::Initial => "an initial value",
        }
    }
}

/// Attributes that no name has together.
const APART: &[(Has, Has)] = &[
    (Has::Allocatable, Has::Pointer),
    (Has::Allocatable, Has::Common),
    (Has::Allocatable, Has::External),
    (Has::Allocatable, Has::Parameter),
    (Has::Allocatable, Has::Value),
    (Has::Common, Has::External),
    (Has::Common, Has::Intent),
    (Has::Common, Has::Optional),
    (Has::Common, Has::Parameter),
    (Has::External, Has::Intrinsic),
    (Has::External, Has::Parameter),
    (Has::External, Has::Target),
    (Has::Intent, Has::Parameter),
    (Has::Intent, Has::Save),
    (Has::Intrinsic, Has::Parameter),
    (Has::Optional, Has::Parameter),
    (Has::Optional, Has::Save),
    (Has::Parameter, Has::Pointer),
    (Has::Parameter, Has::Target),
    (Has::Parameter, Has::Value),
    (Has::Pointer, Has::Target),
    (Has::Pointer, Has::Value),
    (Has::Private, Has::Public),
];

/// Attributes of dummy arguments alone.
const OF_DUMMIES: &[Has] = &[Has::Intent, Has::Optional, Has::Value];

/// Attributes that no dummy argument has.
const OF_OTHERS: &[Has] = &[Has::Common, Has::Parameter, Has::Save, Has::Initial];

/// Attributes that old code repeats and compilers take with a warning.
const REPEATED: &[Has] = &[Has::Save];

fn of(attribute: &Attribute) -> Option<Has> {
    Some(match attribute {
        Attribute::Allocatable => Has::Allocatable,
        Attribute::Contiguous => Has::Contiguous,
        Attribute::Dimension(_) => Has::Shape,
        Attribute::External => Has::External,
        Attribute::Intent(_) => Has::Intent,
        Attribute::Intrinsic => Has::Intrinsic,
        Attribute::Optional => Has::Optional,
        Attribute::Parameter => Has::Parameter,
        Attribute::Pointer => Has::Pointer,
        Attribute::Private => Has::Private,
        Attribute::Protected => Has::Protected,
        Attribute::Public => Has::Public,
        Attribute::Save => Has::Save,
        Attribute::Target => Has::Target,
        Attribute::Value => Has::Value,
        Attribute::Asynchronous
        | Attribute::Automatic
        | Attribute::Bind(_)
        | Attribute::Kind
        | Attribute::Len
        | Attribute::Static
        | Attribute::Volatile => return None,
    })
}

/// The attributes of the names of one specification part.
struct Table<'a, 'f> {
    dummies: Option<&'f Vec<&'a Name>>,
    has: HashMap<&'a str, Vec<Has>>,
    found: &'f mut Vec<Breach>,
}

/// Adds the rules that the declarations of a specification part break. Where `dummies` is `None` nothing is
/// known of the dummy arguments.
pub(super) fn check<'a>(
    spec: &'a [SpecItem],
    dummies: Option<&Vec<&'a Name>>,
    found: &mut Vec<Breach>,
) {
    let mut table = Table { dummies, has: HashMap::new(), found };
    for item in spec {
        let SpecItem::Stmt(stmt) = item else { continue };
        table.statement(&stmt.kind, stmt.head.place);
    }
}

/// Adds a breach for each attribute that a list has twice.
pub(super) fn attributes_once(list: &[Attribute], place: Place, found: &mut Vec<Breach>) {
    let mut seen: Vec<Has> = Vec::new();
    for has in list.iter().filter_map(of) {
        if seen.contains(&has) {
            found.push(twice(has, place));
        } else if let Some(other) = seen.iter().find(|other| are_apart(has, **other)) {
            found.push(apart(has, *other, place));
        }
        seen.push(has);
    }
}

fn are_apart(a: Has, b: Has) -> bool {
    APART.contains(&(a, b)) || APART.contains(&(b, a))
}

fn twice(has: Has, place: Place) -> Breach {
    Breach {
        code: Code::ATTRIBUTES,
        place,
        message: format!("{} is said twice", has.word()),
        help: "say it once",
    }
}

fn apart(has: Has, other: Has, place: Place) -> Breach {
    Breach {
        code: Code::ATTRIBUTES,
        place,
        message: format!("{} does not go with {}", has.word(), other.word()),
        help: "remove one of the two",
    }
}

impl<'a> Table<'a, '_> {
    fn statement(&mut self, kind: &'a SpecKind, place: Place) {
        match kind {
            SpecKind::Declaration(declaration) => {
                attributes_once(&declaration.attributes, place, self.found);
                for entity in &declaration.entities {
                    let mut all: Vec<Has> = declaration.attributes.iter().filter_map(of).collect();
                    all.dedup();
                    self.entity(entity, &mut all);
                    self.value(entity, &all);
                    self.add(&entity.name, &all);
                }
            }
            SpecKind::Parameter { list, .. } => {
                for (name, _) in list {
                    self.add(name, &[Has::Parameter]);
                }
            }
            SpecKind::Dimension(entities) => self.entities(entities, None),
            SpecKind::Attribute(attribute, entities) => self.entities(entities, of(attribute)),
            SpecKind::Common(blocks) => {
                for entity in blocks.iter().flat_map(|block| &block.members) {
                    let mut all = vec![Has::Common];
                    self.entity(entity, &mut all);
                    self.add(&entity.name, &all);
                }
            }
            SpecKind::External(names) => {
                names.iter().for_each(|name| self.add(name, &[Has::External]));
            }
            SpecKind::Intrinsic(names) => {
                names.iter().for_each(|name| self.add(name, &[Has::Intrinsic]));
            }
            SpecKind::Use(_)
            | SpecKind::Import(_)
            | SpecKind::Implicit(_)
            | SpecKind::Procedure(_)
            | SpecKind::Data(_)
            | SpecKind::Save(_)
            | SpecKind::Equivalence(_)
            | SpecKind::Namelist(_)
            | SpecKind::Bind(..)
            | SpecKind::Access(..)
            | SpecKind::Generic(_)
            | SpecKind::TypeDef(_)
            | SpecKind::Enum(_)
            | SpecKind::Interface(_)
            | SpecKind::Entry(_)
            | SpecKind::Format(_)
            | SpecKind::Opaque(_) => {}
        }
    }

    fn entities(&mut self, entities: &'a [Entity], attribute: Option<Has>) {
        for entity in entities {
            let mut all: Vec<Has> = attribute.into_iter().collect();
            self.entity(entity, &mut all);
            self.add(&entity.name, &all);
        }
    }

    /// The attributes that a name has by what stands behind it; a shape there hides that of DIMENSION.
    fn entity(&self, entity: &Entity, all: &mut Vec<Has>) {
        if entity.shape.is_some() && !all.contains(&Has::Shape) {
            all.push(Has::Shape);
        }
        match &entity.initial {
            Some(Initial::Value(_) | Initial::Pointer(_) | Initial::Data(_)) => {
                all.push(Has::Initial);
            }
            None => {}
        }
    }

    /// A named constant has a value.
    fn value(&mut self, entity: &Entity, all: &[Has]) {
        if all.contains(&Has::Parameter) && !all.contains(&Has::Initial) {
            self.found.push(Breach {
                code: Code::ATTRIBUTES,
                place: entity.name.place,
                message: format!("the constant `{}` has no value", entity.name),
                help: "write `= value` behind its name",
            });
        }
    }

    /// Adds attributes of a name and says which of them break a rule.
    fn add(&mut self, name: &'a Name, all: &[Has]) {
        let before = self.has.entry(name.key()).or_default();
        let is_dummy = self.dummies.map(|dummies| dummies.contains(&name));
        for &has in all {
            let repeated = before.contains(&has) && !REPEATED.contains(&has);
            let other = before.iter().copied().find(|&other| are_apart(has, other));
            let breach = if repeated {
                Some(twice(has, name.place))
            } else if let Some(other) = other {
                Some(apart(has, other, name.place))
            } else {
                of_dummies(name, has, is_dummy)
            };
            self.found.extend(breach);
        }
        before.extend(all);
    }
}

/// The breach of an attribute that dummy arguments alone have, or that they do not have.
fn of_dummies(name: &Name, has: Has, is_dummy: Option<bool>) -> Option<Breach> {
    let is_dummy = is_dummy?;
    let (message, help) = if is_dummy && OF_OTHERS.contains(&has) {
        (format!("the dummy argument `{name}` has {}", has.word()), "remove it, or the argument")
    } else if !is_dummy && OF_DUMMIES.contains(&has) {
        (
            format!("`{name}` has {} and is no dummy argument", has.word()),
            "add it to the arguments, or remove the attribute",
        )
    } else {
        return None;
    };
    Some(Breach { code: Code::ATTRIBUTES, place: name.place, message, help })
}
