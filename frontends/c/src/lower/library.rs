//! Functions of other headers: output, the end of the program, memory.

use lang_c::ast::{BinaryOperator, CallExpression, Expression, UnaryOperator};
use lang_c::span::{Node, Span};
use xaif_schema::diag::Code;
use xaif_schema::model::{
    Access, Allocate, ExprId, Jump, Marker, MarkerOperand, Part, Piece, Place, RefId, Release,
    StmtKind, Subscript, SymbolId, Ty, Verb, VertexKind,
};

use super::place::Pointer;
use super::pointers::allocation;
use super::types::CType;
use super::{Entity, Lowered, Lowering};

impl Lowering<'_> {
    /// A call of a function of the system, as a statement.
    pub(crate) fn library_statement(
        &mut self,
        name: &str,
        call: &CallExpression,
        span: Span,
    ) -> Lowered<()> {
        let place = self.place(span);
        match name {
            "printf" | "fprintf" | "puts" | "putchar" | "fflush" | "__oxad_assert" => {
                let marker = self.output(name, call)?;
                self.push(StmtKind::Marker(Box::new(marker)), place);
                Ok(())
            }
            "exit" | "abort" | "_Exit" => {
                let mut marker = self.output(name, call)?;
                marker.verb = Verb::Stop;
                self.push(StmtKind::Marker(Box::new(marker)), place);
                self.leave(Jump::Stop, place);
                Ok(())
            }
            "free" => self.free(call, span),
            "memset" | "memcpy" | "memmove" => self.memory(name, call, span),
            _ => self.unknown_function(name, span),
        }
    }

    /// A call of a function of the system that has a value.
    pub(crate) fn library_value(
        &mut self,
        name: &str,
        call: &CallExpression,
        span: Span,
    ) -> Lowered<(ExprId, CType)> {
        match name {
            "isnan" | "__builtin_isnan" | "__isnan" => {
                let Some(argument) = call.arguments.first() else {
                    return self.unknown_function(name, span);
                };
                let place = self.place(span);
                let (value, _) = self.promoted(argument)?;
                let ty = Ty::scalar(xaif_schema::model::Base::Logical(4));
                let truth = self.operation("isnan", &[value], ty, place);
                Ok((self.truth_as_integer(truth, place), super::types::INT))
            }
            "__builtin_inf" | "__builtin_huge_val" | "__builtin_nan" => self.refuse(
                span,
                "an infinite or undefined literal is not supported",
                "use a large number",
            ),
            "malloc" | "calloc" | "realloc" => self.refuse(
                span,
                "memory is allocated for what is no local pointer variable",
                "write double *p = malloc(n*sizeof(double))",
            ),
            _ => self.unknown_function(name, span),
        }
    }

    fn unknown_function<T>(&mut self, name: &str, span: Span) -> Lowered<T> {
        if self.entity(name).is_none() {
            let message = format!("`{name}` is not declared");
            return self.refuse_by(
                Code::C_UNSUPPORTED,
                span,
                &message,
                "include its header, or write a prototype",
            );
        }
        self.refuse(
            span,
            &format!("the function `{name}` of the system is not supported"),
            "give its source, or a prototype under another name",
        )
    }

    /// Output that a document carries as text with operands.
    fn output(&mut self, name: &str, call: &CallExpression) -> Lowered<Marker> {
        let shown = if name == "__oxad_assert" { "assert" } else { name };
        let mut text = vec![Piece::Text(format!("{shown}(").into())];
        let mut operands = Vec::new();
        for (index, argument) in call.arguments.iter().enumerate() {
            if name == "__oxad_assert" && index == 1 {
                break;
            }
            if index > 0 {
                text.push(Piece::Text(", ".into()));
            }
            match &argument.node {
                Expression::StringLiteral(parts) => {
                    text.push(Piece::Text(parts.node.join(" ").into()));
                }
                Expression::Identifier(stream)
                    if matches!(stream.node.name.as_str(), "stdout" | "stderr") =>
                {
                    text.push(Piece::Text(stream.node.name.clone().into()));
                }
                _ => {
                    let (expr, _) = match name {
                        "__oxad_assert" => {
                            let inner = twice_negated(argument);
                            let truth = self.truth(inner)?;
                            (truth, CType::Void)
                        }
                        _ => self.value_of(argument)?,
                    };
                    text.push(Piece::Operand(operands.len()));
                    operands.push(MarkerOperand { expr, access: Access::Read });
                }
            }
        }
        text.push(Piece::Text(")".into()));
        Ok(Marker { verb: Verb::Io, text, operands, pessimistic: false, annotation: None })
    }

    fn free(&mut self, call: &CallExpression, span: Span) -> Lowered<()> {
        let place = self.place(span);
        let name = call.arguments.first().and_then(|one| super::pointers::variable(&one.node));
        if let Some(name) = name
            && let Some(Entity::Allocated { symbol, .. }) = self.entity(name)
        {
            let symbol = *symbol;
            let object = self.whole(symbol, place);
            let release =
                Release { nullify: false, objects: vec![object], stat: None, errmsg: None };
            self.push(StmtKind::Release(Box::new(release)), place);
            return Ok(());
        }
        self.refuse(
            span,
            "memory is freed that no variable of this function allocates",
            "free it where it is allocated",
        )
    }

    /// `p = malloc(…)` and `p = NULL` of a variable that owns its memory.
    pub(crate) fn allocated_assignment(
        &mut self,
        symbol: SymbolId,
        target: &CType,
        value: &Node<Expression>,
        span: Span,
    ) -> Lowered<()> {
        if self.is_null(value) {
            if self.releases_last(symbol) {
                return Ok(());
            }
            return self.refuse(span, "a pointer loses its memory here", "free it before");
        }
        let Some(call) = allocation(&value.node) else {
            return self.refuse(
                span,
                "a pointer that owns memory gets another target",
                "use a pointer of its own for it",
            );
        };
        self.allocate(symbol, target, &call.node, span)
    }

    fn releases_last(&self, symbol: SymbolId) -> bool {
        let Some(block) = self.flow.block else { return false };
        let VertexKind::BasicBlock { stmts, .. } = &self.flow.cfg.vertices[block].kind else {
            return false;
        };
        stmts.last().is_some_and(|&stmt| match &self.doc.stmts[stmt].kind {
            StmtKind::Release(release) => {
                release.objects.iter().any(|&object| self.doc.refs[object].base == symbol)
            }
            _ => false,
        })
    }

    /// `malloc(n*sizeof(double))`
    pub(crate) fn allocate(
        &mut self,
        symbol: SymbolId,
        target: &CType,
        call: &CallExpression,
        span: Span,
    ) -> Lowered<()> {
        let place = self.place(span);
        let size = self.size(target);
        let calloc = call.arguments.len() == 2;
        let count = match (&call.arguments[..], size) {
            ([bytes], Some(size)) => self.count(bytes, size)?,
            ([count, bytes], Some(size)) if self.constant(bytes) == Some(size) => {
                Some(self.integer_of(count)?)
            }
            _ => None,
        };
        let Some(count) = count else {
            return self.refuse(
                span,
                "the number of elements that are allocated is not known",
                "write the size as a product with sizeof of the element",
            );
        };
        let reference = self.section(symbol, None, count, place);
        let allocate = Allocate {
            spec: None,
            objects: vec![reference],
            stat: None,
            errmsg: None,
            source: None,
            mold: None,
        };
        self.push(StmtKind::Allocate(Box::new(allocate)), place);
        if calloc {
            let lhs = self.whole(symbol, place);
            let rhs = match target {
                CType::Float(bytes) => self.real("0.0", *bytes, place),
                CType::Int { bytes, .. } => self.integer(0, *bytes, place),
                _ => {
                    return self.refuse(
                        span,
                        "calloc of this type is not supported",
                        "use malloc and set the elements",
                    );
                }
            };
            self.push(StmtKind::Assign { lhs, rhs, defined: None }, place);
        }
        Ok(())
    }

    /// The elements `from` to `from + count - 1` of a vector.
    fn section(
        &mut self,
        symbol: SymbolId,
        from: Option<ExprId>,
        count: ExprId,
        place: Place,
    ) -> RefId {
        let lower = from.unwrap_or_else(|| self.integer(0, 4, place));
        let copy = self.copy(lower);
        let end = self.sum(copy, count, place);
        let upper = self.less_one(end, place);
        let reference = self.whole(symbol, place);
        let data = &mut self.doc.refs[reference];
        data.ty.rank = 1;
        data.parts.push(Part::Elements(vec![Subscript::Section {
            lower: Some(lower),
            upper: Some(upper),
            stride: None,
        }]));
        reference
    }

    /// `value - 1`
    pub(crate) fn less_one(&mut self, value: ExprId, place: Place) -> ExprId {
        if let Some(value) = self.literal(value) {
            return self.integer(value - 1, 4, place);
        }
        let one = self.integer(1, 4, place);
        let ty = self.doc.exprs[value].ty;
        self.operation("sub_scal_scal", &[value, one], ty, place)
    }

    /// The integer behind casts to `size_t`, as a signed one.
    fn integer_of(&mut self, expr: &Node<Expression>) -> Lowered<ExprId> {
        match &expr.node {
            Expression::Cast(cast) => self.integer_of(&cast.node.expression),
            _ => {
                let value = self.integer_value(expr)?;
                let ty = self.doc.exprs[value].ty;
                if matches!(ty.base, xaif_schema::model::Base::Unsigned(_)) {
                    let place = self.place(expr.span);
                    let kind = self.integer(8, 4, place);
                    let ty = Ty::scalar(xaif_schema::model::Base::Integer(8));
                    return Ok(self.operation("int_scal", &[value, kind], ty, place));
                }
                Ok(value)
            }
        }
    }

    /// The number of elements of `size` bytes in `bytes`; `None` where it is not told by a product.
    fn count(&mut self, bytes: &Node<Expression>, size: i64) -> Lowered<Option<ExprId>> {
        let place = self.place(bytes.span);
        if let Some(bytes) = self.constant(bytes) {
            return Ok((bytes % size == 0).then(|| self.integer(bytes / size, 4, place)));
        }
        match &bytes.node {
            Expression::Cast(cast) => self.count(&cast.node.expression, size),
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Multiply =>
            {
                let (left, right) = (&binary.node.lhs, &binary.node.rhs);
                if self.constant(right) == Some(size) {
                    return Ok(Some(self.integer_of(left)?));
                }
                if self.constant(left) == Some(size) {
                    return Ok(Some(self.integer_of(right)?));
                }
                if let Some(inner) = self.count(left, size)? {
                    let other = self.integer_of(right)?;
                    let ty = self.wider(inner, other);
                    return Ok(Some(self.operation("mul_scal_scal", &[inner, other], ty, place)));
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// `memset(x, 0, …)` and `memcpy(x, y, …)`, as assignments of arrays.
    fn memory(&mut self, name: &str, call: &CallExpression, span: Span) -> Lowered<()> {
        let place = self.place(span);
        let [to, from, bytes] = &call.arguments[..] else {
            return self.unknown_function(name, span);
        };
        let pointer = self.pointer(to)?;
        let Pointer::Element { array, offset } = pointer else {
            return self.refuse(span, "memory of one object is set", "assign to its members");
        };
        let (base, element, rank) =
            (array.ty.element().clone(), array.ty.target().cloned(), array.ty.rank());
        let (lhs, whole) = (self.reference(array, span), element);
        let size = whole.as_ref().and_then(|element| self.size(element));
        let all = match &bytes.node {
            Expression::SizeOfVal(value) => {
                super::pointers::variable(&value.node.0.node) == super::pointers::variable(&to.node)
                    && offset.is_none()
            }
            _ => false,
        };
        let simple = self.doc.refs[lhs].parts.is_empty() && rank == 1;
        let symbol = self.doc.refs[lhs].base;
        let count = match size {
            Some(size) if simple && !all => self.count(bytes, size)?,
            _ => None,
        };
        let (target, count) = match count {
            Some(count) => {
                let copy = self.copy(count);
                (self.section(symbol, offset, copy, place), Some(count))
            }
            None if all => (lhs, None),
            None => {
                return self.refuse(
                    span,
                    "the elements that are set are not known",
                    "write a loop",
                );
            }
        };
        let rhs = if name == "memset" {
            if self.constant(from) != Some(0) {
                return self.refuse(span, "memory is set to what is not zero", "write a loop");
            }
            match base {
                CType::Float(bytes) => self.real("0.0", bytes, place),
                CType::Int { bytes, .. } => self.integer(0, bytes, place),
                _ => {
                    return self.refuse(
                        span,
                        "structures are set byte by byte",
                        "assign to their members",
                    );
                }
            }
        } else {
            let Pointer::Element { array, offset } = self.pointer(from)? else {
                return self.refuse(span, "memory of one object is copied", "assign the object");
            };
            if *array.ty.element() != base || array.ty.rank() != rank {
                return self.refuse(
                    span,
                    "memory is copied between arrays of different types",
                    "write a loop",
                );
            }
            let source = self.reference(array, span);
            let reference = match count {
                Some(count) if self.doc.refs[source].parts.is_empty() => {
                    let symbol = self.doc.refs[source].base;
                    self.section(symbol, offset, count, place)
                }
                None if offset.is_none() => source,
                _ => {
                    return self.refuse(
                        span,
                        "the elements that are copied are not known",
                        "write a loop",
                    );
                }
            };
            let ty = self.doc.refs[reference].ty;
            self.node(xaif_schema::model::ExprKind::Ref(reference), ty, place)
        };
        self.push(StmtKind::Assign { lhs: target, rhs, defined: None }, place);
        Ok(())
    }
}

/// `e` of `!!(e)`.
fn twice_negated(expr: &Node<Expression>) -> &Node<Expression> {
    let inner = negated(expr).and_then(negated);
    inner.unwrap_or(expr)
}

/// `e` of `!e`.
fn negated(expr: &Node<Expression>) -> Option<&Node<Expression>> {
    match &expr.node {
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Negate => {
            Some(&unary.node.operand)
        }
        _ => None,
    }
}
