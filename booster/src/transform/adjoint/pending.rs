//! stub
use crate::rules::Catalogue;
use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{Document, ExprId, RefId, SymbolId, Ty};
pub struct Contribution {
    pub target: RefId,
    pub value: ExprId,
    pub negative: bool,
}
pub struct Adjoint {
    pub temporaries: Vec<(SymbolId, ExprId)>,
    pub contributions: Vec<Contribution>,
}
pub fn adjoint_of(
    _doc: &mut Document,
    _catalogue: &Catalogue,
    _rhs: ExprId,
    _seed: ExprId,
    _lhs_ty: Ty,
    _active: &mut dyn FnMut(&mut Document, RefId) -> bool,
    _temporary: &mut dyn FnMut(&mut Document, Ty) -> SymbolId,
) -> Result<Adjoint, Diagnostic> {
    Ok(Adjoint { temporaries: vec![], contributions: vec![] })
}
