//! Sizes and types: of variables from their declarations, of derived types by laying them out.
//!
//! Components stand in the order of their declaration at their natural alignment, as gfortran puts
//! them. A pointer or allocatable component is a slot of eight bytes, whatever it refers to.

use xaif_schema::model::{Attr, Base, CharLen, Dim, Role, Symbol, SymbolId, TypeClass, TypeSpec};

use crate::fault::{Run, refuse};
use crate::machine::Machine;
use crate::storage::scalar_size;
use crate::value::{Elem, size_of_shape};

/// The bytes of a slot.
pub(crate) const SLOT_SIZE: i64 = 8;

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotKind {
    Pointer,
    Allocatable,
    Procedure,
}

/// A component of a derived type.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub(crate) symbol: SymbolId,
    pub(crate) offset: i64,
    /// `None` for an unlimited polymorphic one or a procedure.
    pub(crate) elem: Option<Elem>,
    pub(crate) bounds: Vec<(i64, i64)>,
    pub(crate) rank: u8,
    pub(crate) slot: Option<SlotKind>,
}

/// A derived type in storage.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) symbol: SymbolId,
    pub(crate) parent: Option<u32>,
    pub(crate) size: i64,
    pub(crate) align: i64,
    pub(crate) components: Vec<Component>,
    /// The FINAL procedures of the type itself.
    pub(crate) finals: Vec<SymbolId>,
}

impl Machine<'_> {
    /// The bytes of one element.
    pub(crate) fn size_of(&self, elem: Elem) -> i64 {
        match elem {
            Elem::Derived(layout) => self.layouts.get(layout as usize).map_or(0, |l| l.size),
            Elem::Int(_) | Elem::Real(_) | Elem::Complex(_) | Elem::Logical(_) | Elem::Char(_) => {
                scalar_size(elem) as i64
            }
        }
    }

    /// Where elements may begin.
    pub(crate) fn align_of(&self, elem: Elem) -> i64 {
        match elem {
            Elem::Derived(layout) => self.layouts.get(layout as usize).map_or(1, |l| l.align),
            Elem::Int(kind) | Elem::Real(kind) | Elem::Complex(kind) | Elem::Logical(kind) => {
                i64::from(kind)
            }
            Elem::Char(_) => 1,
        }
    }

    /// The element type of a base type without parameters.
    pub(crate) fn elem_of_base(&mut self, base: Base) -> Run<Elem> {
        match base {
            Base::Integer(kind @ (1 | 2 | 4 | 8)) => Ok(Elem::Int(kind)),
            Base::Real(kind @ (4 | 8)) => Ok(Elem::Real(kind)),
            Base::Complex(kind @ (4 | 8)) => Ok(Elem::Complex(kind)),
            Base::Logical(kind @ (1 | 2 | 4 | 8)) => Ok(Elem::Logical(kind)),
            Base::Character(1) => Ok(Elem::Char(1)),
            Base::Derived(symbol) | Base::Class(symbol) => Ok(Elem::Derived(self.layout(symbol)?)),
            Base::Integer(kind) => refuse(format!("integers of {kind} bytes")),
            Base::Real(kind) => refuse(format!("reals of {kind} bytes")),
            Base::Complex(kind) => refuse(format!("complex numbers of {kind} bytes a part")),
            Base::Logical(kind) => refuse(format!("logicals of {kind} bytes")),
            Base::Character(kind) => refuse(format!("characters of {kind} bytes")),
            Base::Unsigned(_) => refuse("unsigned integers"),
            Base::ClassStar | Base::TypeStar => refuse("an object whose type is not known here"),
            Base::Procedure => refuse("a procedure where a value is needed"),
            Base::Pointer(_) => refuse("pointers of C"),
            Base::Unknown => refuse("a name whose type is not known"),
            Base::Void => refuse("a name without a type where a value is needed"),
        }
    }

    /// The element type that a declaration gives. `entity` is a length of the entity's own.
    pub(crate) fn elem_of_spec(&mut self, spec: &TypeSpec, entity: Option<CharLen>) -> Run<Elem> {
        if let TypeSpec::Character { len, bytes, .. } = spec {
            if *bytes != 1 {
                return refuse(format!("characters of {bytes} bytes"));
            }
            return self.char_elem(entity.unwrap_or(*len));
        }
        if let TypeSpec::Derived { params, .. } = spec
            && !params.is_empty()
        {
            return refuse("derived types with parameters");
        }
        if let TypeSpec::Derived { symbol: None, name, .. } = spec {
            return refuse(format!("type `{name}`, whose definition is not in the document"));
        }
        self.elem_of_base(spec.base())
    }

    fn char_elem(&mut self, len: CharLen) -> Run<Elem> {
        Ok(Elem::Char(match len {
            CharLen::One => 1,
            CharLen::Expr(expr) => {
                let len = self.int(expr)?.max(0);
                size_of_shape(&[len])?
            }
            // Known by the argument, the value or the allocation.
            CharLen::Assumed | CharLen::Deferred => 0,
        }))
    }

    /// The element type of a variable or constant.
    pub(crate) fn elem_of_symbol(&mut self, symbol: SymbolId) -> Run<Elem> {
        let doc = self.doc;
        let data = &doc.symbols[symbol];
        match &data.decl {
            Some(decl) => self.elem_of_spec(&decl.spec, decl.char_len),
            None => genuine_elem(data),
        }
    }

    /// Declared bounds as lower bound and extent; assumed and deferred ones are not asked for.
    pub(crate) fn bounds_of_symbol(&mut self, symbol: SymbolId) -> Run<Vec<(i64, i64)>> {
        let doc = self.doc;
        let data = &doc.symbols[symbol];
        let Some(decl) = &data.decl else {
            // XAIF lists the dimensions in C's order.
            let bounds = data.bounds.iter().rev();
            return Ok(bounds.map(|&(low, high)| (low, extent(low, high))).collect());
        };
        // Those of what is in COMMON are constants, which may have names in a scope that is not active.
        if decl.common.is_some() && data.bounds.len() == decl.dims.len() {
            let bounds = data.bounds.iter().rev();
            return Ok(bounds.map(|&(low, high)| (low, extent(low, high))).collect());
        }
        let mut bounds = Vec::with_capacity(decl.dims.len());
        for dim in &decl.dims {
            bounds.push(match *dim {
                Dim::Explicit { lower, upper } => {
                    let lower = self.lower_bound(lower)?;
                    (lower, extent(lower, self.int(upper)?))
                }
                Dim::AssumedSize { lower } | Dim::AssumedShape { lower } => {
                    (self.lower_bound(lower)?, crate::view::Extent::UNKNOWN)
                }
                Dim::Deferred => (1, 0),
                Dim::AssumedRank => return refuse("assumed-rank objects"),
            });
        }
        Ok(bounds)
    }

    /// A lower bound, which is 1 where it is absent.
    pub(crate) fn lower_bound(&mut self, lower: Option<xaif_schema::model::ExprId>) -> Run<i64> {
        lower.map_or(Ok(1), |lower| self.int(lower))
    }

    /// The layout of a derived type, made where it is asked for first.
    pub(crate) fn layout(&mut self, symbol: SymbolId) -> Run<u32> {
        if let Some(&layout) = self.layout_of.get(&symbol) {
            return Ok(layout);
        }
        let doc = self.doc;
        let Some(Role::DerivedType { scope, extends, params }) = doc.role(symbol) else {
            return refuse(format!("`{}` as a derived type", doc.name(symbol)));
        };
        if !params.is_empty() {
            return refuse(format!("the parameterised type `{}`", doc.name(symbol)));
        }
        self.check_stack()?;
        let mut layout = match *extends {
            Some(parent) => {
                let id = self.layout(parent)?;
                let mut layout = self.layouts[id as usize].clone();
                layout.parent = Some(id);
                layout.finals.clear();
                layout.symbol = symbol;
                layout
            }
            None => Layout {
                symbol,
                parent: None,
                size: 0,
                align: 1,
                components: Vec::new(),
                finals: Vec::new(),
            },
        };
        // A type may contain slots of itself, so its number must stand before its components.
        let id = self.layouts.len() as u32;
        self.layouts.push(layout.clone());
        self.layout_of.insert(symbol, id);
        for &component in &doc.scopes[*scope].symbols {
            match doc.role(component) {
                Some(Role::Variable) => self.lay_out(&mut layout, component)?,
                Some(Role::Procedure(_)) => {
                    place(&mut layout, component, SLOT_SIZE, 8, Some(SlotKind::Procedure), None);
                }
                Some(Role::Final { target }) => layout.finals.push(*target),
                Some(_) | None => {}
            }
        }
        layout.size = align_up(layout.size, layout.align);
        self.layouts[id as usize] = layout;
        Ok(id)
    }

    fn lay_out(&mut self, layout: &mut Layout, component: SymbolId) -> Run<()> {
        let doc = self.doc;
        let Some(decl) = &doc.symbols[component].decl else { return Ok(()) };
        let slot = if decl.has(Attr::Pointer) {
            Some(SlotKind::Pointer)
        } else if decl.has(Attr::Allocatable) {
            Some(SlotKind::Allocatable)
        } else {
            None
        };
        let elem = match decl.spec.base() {
            Base::ClassStar | Base::TypeStar if slot.is_some() => None,
            _ => Some(self.elem_of_symbol(component)?),
        };
        if let (Some(_), _) | (None, None) = (slot, elem) {
            place(layout, component, SLOT_SIZE, 8, slot, elem);
            if let Some(last) = layout.components.last_mut() {
                last.rank = decl.dims.len() as u8;
            }
            return Ok(());
        }
        let bounds = self.bounds_of_symbol(component)?;
        let shape: Vec<i64> = bounds.iter().map(|&(_, count)| count).collect();
        let elem = elem.unwrap_or(Elem::Int(4));
        let size = size_of_shape(&shape)? as i64 * self.size_of(elem);
        place(layout, component, size, self.align_of(elem), None, Some(elem));
        if let Some(last) = layout.components.last_mut() {
            last.rank = bounds.len() as u8;
            last.bounds = bounds;
        }
        Ok(())
    }

    /// Whether `layout` is `ancestor` or extends it.
    pub(crate) fn extends(&self, layout: u32, ancestor: u32) -> bool {
        let mut at = Some(layout);
        while let Some(id) = at {
            if id == ancestor {
                return true;
            }
            at = self.layouts.get(id as usize).and_then(|layout| layout.parent);
        }
        false
    }
}

fn place(
    layout: &mut Layout,
    symbol: SymbolId,
    size: i64,
    align: i64,
    slot: Option<SlotKind>,
    elem: Option<Elem>,
) {
    let align = align.max(1);
    let offset = align_up(layout.size, align);
    layout.size = offset + size;
    layout.align = layout.align.max(align);
    layout.components.push(Component { symbol, offset, elem, bounds: Vec::new(), rank: 0, slot });
}

/// `size` rounded up to a multiple of `align`.
pub(crate) fn align_up(size: i64, align: i64) -> i64 {
    let align = align.max(1);
    (size + align - 1) / align * align
}

/// The number of indices from `lower` to `upper`.
pub(crate) fn extent(lower: i64, upper: i64) -> i64 {
    upper.saturating_sub(lower).saturating_add(1).max(0)
}

/// The element type of a variable of a XAIF 1.0 document: its class and the front-end's name.
fn genuine_elem(symbol: &Symbol) -> Run<Elem> {
    let bytes = symbol.fe_type.as_deref().and_then(|name| name.get(1..)?.parse::<u8>().ok());
    match symbol.class {
        TypeClass::Integer => {
            Ok(Elem::Int(bytes.filter(|b| matches!(b, 1 | 2 | 4 | 8)).unwrap_or(4)))
        }
        TypeClass::Real => match bytes {
            Some(kind @ (4 | 8)) => Ok(Elem::Real(kind)),
            Some(kind) => refuse(format!("reals of {kind} bytes")),
            None => Ok(Elem::Real(8)),
        },
        TypeClass::Complex => match bytes {
            Some(kind @ (4 | 8)) => Ok(Elem::Complex(kind)),
            Some(kind) => refuse(format!("complex numbers of {kind} bytes a part")),
            None => Ok(Elem::Complex(8)),
        },
        TypeClass::Bool => Ok(Elem::Logical(4)),
        TypeClass::Char => Ok(Elem::Char(1)),
        TypeClass::String | TypeClass::Opaque | TypeClass::Void => {
            refuse(format!("variable `{}`, whose type the document does not say", symbol.id))
        }
    }
}
