//! Procedures and control flow graphs.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Ns, Read, Reader, Tag, Unique, fault, is_number};
use crate::diag::Code;
use crate::model::{
    Body, BranchForm, CaseRange, Cfg, DummyArg, Edge, Effects, EntityRef, EntryPoint, ForForm,
    ForallHeader, Guard, IndexRange, Jump, Key, Listed, ProcId, ProcKind, Procedure, Replacement,
    ScopeId, Vertex, VertexId, VertexKind,
};
use crate::texts;

/// A graph in the making.
struct Graph<'a> {
    key: (ProcId, u32),
    cfg: Cfg,
    ids: HashMap<Cow<'a, str>, VertexId>,
    edge_ids: Unique<'a>,
    stmt_ids: HashMap<Cow<'a, str>, ()>,
    edges: Vec<FlowEdge<'a>>,
    listed: Vec<Listed>,
}

struct FlowEdge<'a> {
    tag: Tag<'a>,
    source: Cow<'a, str>,
    target: Cow<'a, str>,
    condition: Option<i64>,
    guard: Option<Box<Guard>>,
}

impl<'a> Reader<'a> {
    pub(super) fn procedure(&mut self, mut tag: Tag<'a>) -> Read<()> {
        let id = ProcId::new(self.doc.procs.len());
        let vertex = tag.text_opt("vertex_id")?;
        tag.note_id("vertex_id", id.index() + 1, vertex.as_deref());
        let vertex = vertex.unwrap_or(Cow::Borrowed("1"));
        let offset = tag.offset;
        if self.procs.insert(vertex.clone(), id).is_some() {
            let message = format!("the vertex_id `{vertex}` is used by two procedures");
            return fault(Code::DUPLICATE_ID, offset, message);
        }
        self.positions.procs.push(offset as u32);
        let symbol = self.symbol_attributes(&mut tag)?;
        let scope = self.procedure_scope(&mut tag, symbol)?;
        self.block_scope = Some(scope);
        let replacements = tag.name == "ReplacementList";
        let mut proc = Procedure {
            symbol,
            scope,
            args: Vec::new(),
            result: self.own_symbol_opt(&mut tag, "result")?,
            kind: tag.own_word("kind")?.unwrap_or(ProcKind::Subroutine),
            body: Body::Interface,
            place: self.at(&mut tag)?,
            active: None,
            entry_written: tag.own_flag("entry-written")?,
            effects: Effects::default(),
            independent: Vec::new(),
            dependent: Vec::new(),
        };
        self.in_template = replacements;
        if replacements {
            proc.body = Body::Replacements {
                template: tag.text("template_name")?.into(),
                list: Vec::new(),
            };
        } else {
            proc.active = tag.flag("active")?;
            let structured = tag.flag("structured")?;
            match tag.own_text("body")?.as_deref() {
                Some("interface") if structured.is_none() => (),
                None => proc.body = Body::Flow(Cfg { structured, ..Cfg::default() }),
                Some(_) => return tag.bad("`body` is `interface`, which has no structure"),
            }
        }
        self.keep_annotation(&mut tag)?;
        tag.finish()?;
        self.procedure_content(id, &mut proc, tag.name)?;
        self.note(tag, Key::Proc(id));
        self.doc.procs.push(proc);
        Ok(())
    }

    /// `controlflowgraph_scope_id`; some old documents have only `scope_id`.
    fn procedure_scope(
        &mut self,
        tag: &mut Tag<'a>,
        symbol: crate::model::SymbolId,
    ) -> Read<ScopeId> {
        if let Some(id) = tag.text_opt("controlflowgraph_scope_id")? {
            return self.scope_named(&id, tag.offset);
        }
        let scope = self.doc.symbols[symbol].scope;
        let id = match &self.doc.scopes[scope].id {
            Some(id) => id.to_string(),
            None => (scope.index() + 1).to_string(),
        };
        tag.note("controlflowgraph_scope_id", Some(&id), None);
        Ok(scope)
    }

    fn procedure_content(&mut self, id: ProcId, proc: &mut Procedure, name: &str) -> Read<()> {
        let mut graph = Graph::new(id, 0);
        let flow = matches!(proc.body, Body::Flow(_));
        while let Some(mut tag) = self.input.child()? {
            match (tag.ns, tag.name) {
                (Ns::Xaif, "ArgumentList") if proc.args.is_empty() => {
                    tag.finish()?;
                    proc.args = self.dummy_args(Some(id))?;
                    if proc.args.is_empty() {
                        self.note_form(Key::ArgumentList(id), "present");
                    }
                }
                (Ns::Xaif, "ModLocal" | "Mod" | "ReadLocal" | "Read" | "OnEntry") => {
                    self.side_effects(&tag, &mut proc.effects)?;
                }
                (Ns::Ox, "Independent") => {
                    tag.finish()?;
                    proc.independent = self.reference_list("Reference", "Independent")?;
                }
                (Ns::Ox, "Dependent") => {
                    tag.finish()?;
                    proc.dependent = self.reference_list("Reference", "Dependent")?;
                }
                (Ns::Xaif, "Replacement") => {
                    let Body::Replacements { list, .. } = &mut proc.body else {
                        return tag.unexpected(name);
                    };
                    let placeholder = tag.text("placeholder")?.into();
                    let structured = tag.flag("structured")?;
                    tag.finish()?;
                    let fragment = list.len() as u32 + 1;
                    self.note(tag, Key::Cfg(id, fragment));
                    let mut graph = Graph::new(id, fragment);
                    while let Some(tag) = self.input.child()? {
                        self.graph_child(tag, &mut graph, "Replacement")?;
                    }
                    let cfg = self.finish_graph(graph, structured)?;
                    list.push(Replacement { placeholder, cfg });
                }
                _ if flow => self.graph_child(tag, &mut graph, name)?,
                _ => return tag.unexpected(name),
            }
        }
        if let Body::Flow(cfg) = &mut proc.body {
            *cfg = self.finish_graph(graph, cfg.structured)?;
        }
        Ok(())
    }

    fn side_effects(&mut self, tag: &Tag<'a>, effects: &mut Effects) -> Read<()> {
        tag.finish()?;
        let mut list = Vec::new();
        while let Some(child) = self.input.child()? {
            self.expect(&child, Ns::Xaif, "SideEffectReference", tag.name)?;
            list.push(self.reference(child, Some(1))?);
        }
        let field = match tag.name {
            "ModLocal" => &mut effects.mod_local,
            "Mod" => &mut effects.modified,
            "ReadLocal" => &mut effects.read_local,
            "Read" => &mut effects.read,
            _ => &mut effects.on_entry,
        };
        match field.replace(list) {
            None => Ok(()),
            Some(_) => tag.unexpected("ControlFlowGraph"),
        }
    }

    fn dummy_args(&mut self, proc: Option<ProcId>) -> Read<Vec<DummyArg>> {
        let mut args = Vec::new();
        while let Some(mut tag) = self.input.child()? {
            let arg = match (tag.ns, tag.name) {
                (Ns::Xaif, "ArgumentSymbolReference") => DummyArg {
                    position: tag.number_required("position")?,
                    symbol: Some(self.symbol_attributes(&mut tag)?),
                    intent: tag.word("intent")?,
                    deriv: tag.flag_or_false("deriv")?,
                },
                (Ns::Ox, "AlternateReturn") => DummyArg {
                    position: tag.number_required("position")?,
                    symbol: None,
                    intent: tag.word("intent")?,
                    deriv: tag.flag_or_false("deriv")?,
                },
                _ => return tag.unexpected("ArgumentList"),
            };
            self.keep_annotation(&mut tag)?;
            tag.keep("active")?;
            tag.finish()?;
            self.input.leaf("ArgumentSymbolReference")?;
            if let Some(proc) = proc {
                self.note(tag, Key::Dummy(proc, args.len() as u32));
            }
            args.push(arg);
        }
        Ok(args)
    }

    fn graph_child(&mut self, tag: Tag<'a>, graph: &mut Graph<'a>, parent: &str) -> Read<()> {
        if tag.ns == Ns::Xaif && tag.name == "ControlFlowEdge" {
            graph.listed.push(Listed::Edge(graph.edges.len() as u32, 0));
            return self.flow_edge(tag, graph);
        }
        let number = graph.cfg.vertices.len();
        if number == 0 {
            self.stmts = 0;
        }
        graph.listed.push(Listed::Vertex(number as u32));
        self.vertex(tag, graph, parent)
    }

    fn flow_edge(&mut self, mut tag: Tag<'a>, graph: &mut Graph<'a>) -> Read<()> {
        graph.edge_ids.edge(&mut tag, graph.edges.len() + 1)?;
        let (source, target) = (tag.text("source")?, tag.text("target")?);
        let conditional = tag.flag_or_false("has_condition_value")?;
        let value = tag.number::<i64>("condition_value")?;
        let condition = conditional.then_some(value.unwrap_or(1));
        let canonical = condition.map(|value| value.to_string());
        let raw = value.map(|value| value.to_string());
        tag.note("condition_value", canonical.as_deref(), raw.as_deref());
        self.keep_annotation(&mut tag)?;
        tag.finish()?;
        let mut guard = None;
        while let Some(child) = self.input.child()? {
            self.expect(&child, Ns::Ox, "Guard", "ControlFlowEdge")?;
            guard = Some(Box::new(self.guard(child)?));
        }
        graph.edges.push(FlowEdge { tag, source, target, condition, guard });
        Ok(())
    }

    fn guard(&mut self, mut tag: Tag<'a>) -> Read<Guard> {
        let (kind, offset) = tag.own_required("kind")?;
        tag.finish()?;
        let (mut ranges, mut spec) = (Vec::new(), None);
        while let Some(child) = self.input.child()? {
            match (child.ns, child.name) {
                (Ns::Ox, "Value") => ranges.push(CaseRange::Value(self.boxed_expr(child)?)),
                (Ns::Ox, "Range") => ranges.push(self.case_range(child)?),
                (Ns::Ox, "Type") => spec = Some(self.type_spec(child)?),
                _ => return child.unexpected("Guard"),
            }
        }
        match (&*kind, spec, ranges.as_slice()) {
            ("case", None, _) => Ok(Guard::Case(ranges)),
            ("default", None, []) => Ok(Guard::Default),
            ("type-is", Some(spec), []) => Ok(Guard::TypeIs(spec)),
            ("class-is", Some(spec), []) => Ok(Guard::ClassIs(spec)),
            ("rank", None, &[CaseRange::Value(value)]) => Ok(Guard::Rank(value)),
            ("rank-star", None, []) => Ok(Guard::RankStar),
            _ => {
                fault(Code::BAD_VALUE, offset, "the kind of the guard does not go with its content")
            }
        }
    }

    fn case_range(&mut self, tag: Tag<'a>) -> Read<CaseRange> {
        tag.finish()?;
        let (mut lower, mut upper) = (None, None);
        while let Some(child) = self.input.child()? {
            match (child.ns, child.name) {
                (Ns::Ox, "Lower") => lower = Some(self.boxed_expr(child)?),
                (Ns::Ox, "Upper") => upper = Some(self.boxed_expr(child)?),
                _ => return child.unexpected("Range"),
            }
        }
        Ok(CaseRange::Range(lower, upper))
    }

    fn vertex(&mut self, mut tag: Tag<'a>, graph: &mut Graph<'a>, parent: &str) -> Read<()> {
        let number = graph.cfg.vertices.len();
        let (proc, fragment) = graph.key;
        let id = match tag.text_opt("vertex_id")? {
            Some(id) => id,
            None => {
                tag.note("vertex_id", Some(&(number + 1).to_string()), None);
                "1".into()
            }
        };
        let offset = tag.offset;
        let own_id = (!is_number(&id, number + 1)).then(|| (*id).into());
        if let Some(before) = graph.ids.insert(id, VertexId::new(number)) {
            let message = format!("{before} has the same vertex_id");
            return fault(Code::DUPLICATE_ID, offset, message);
        }
        self.keep_annotation(&mut tag)?;
        let lined = matches!(tag.name, "Branch" | "If" | "ForLoop" | "PreLoop" | "PostLoop");
        let place = if lined { self.line_number(&mut tag)? } else { self.at(&mut tag)? };
        let recorded = match tag.name {
            "Branch" | "If" => tag.own_opt_flag("recorded")?,
            _ => None,
        };
        let kind = self.vertex_kind(&mut tag, graph, parent)?;
        let vertex = graph.cfg.push(Vertex { kind, place, id: own_id, recorded });
        if self.positions.noted() {
            self.positions.vertices.insert((proc, fragment, vertex), offset as u32);
        }
        self.note(tag, Key::Vertex(proc, fragment, vertex));
        Ok(())
    }

    /// The kind of the vertex, to the end of its element.
    fn vertex_kind(
        &mut self,
        tag: &mut Tag<'a>,
        graph: &mut Graph<'a>,
        parent: &str,
    ) -> Read<VertexKind> {
        let kind = match (tag.ns, tag.name) {
            (Ns::Xaif, "Entry") => VertexKind::Entry(None),
            (Ns::Xaif, "Exit") => VertexKind::Exit,
            (Ns::Xaif, "BasicBlock") => return self.basic_block(tag, graph),
            (Ns::Xaif, "Branch" | "If") => return self.branch(tag),
            (Ns::Xaif, "EndBranch") => VertexKind::EndBranch,
            (Ns::Xaif, "ForLoop") => return self.for_loop(tag, graph),
            (Ns::Xaif, "PreLoop") => {
                let name = tag.own_name("name")?.map(Into::into);
                let forever = tag.own_flag("forever")?;
                tag.finish()?;
                let condition = self.condition(tag)?;
                return Ok(VertexKind::PreLoop { condition, name, forever });
            }
            (Ns::Xaif, "PostLoop") => {
                tag.finish()?;
                return Ok(VertexKind::PostLoop { condition: self.condition(tag)? });
            }
            (Ns::Xaif, "EndLoop") => VertexKind::EndLoop,
            (Ns::Xaif, "Goto") => VertexKind::Goto(jump(tag)?),
            (Ns::Xaif, "Label") => VertexKind::Label { label: tag.own_number("label")? },
            (Ns::Ox, "EntryPoint") => return self.entry_point(tag),
            (Ns::Ox, "ConcurrentLoop") => {
                let scope = self.own_scope(tag, "scope")?;
                let locality = tag
                    .own_text_that("locality", "a list of clauses", texts::is_clause)?
                    .map(Into::into);
                let name = tag.own_name("name")?.map(Into::into);
                tag.finish()?;
                let mut header = ForallHeader { scope, spec: None, ranges: Vec::new(), mask: None };
                while let Some(child) = self.input.child()? {
                    self.header_child(child, &mut header, "ConcurrentLoop")?;
                }
                let header = Box::new(header);
                return Ok(VertexKind::ConcurrentLoop { header, locality, name });
            }
            _ => return tag.unexpected(parent),
        };
        tag.finish()?;
        self.input.leaf(tag.name)?;
        Ok(kind)
    }

    fn basic_block(&mut self, tag: &mut Tag<'a>, graph: &mut Graph<'a>) -> Read<VertexKind> {
        let scope = match tag.text_opt("scope_id")? {
            Some(id) => self.scope_named(&id, tag.offset)?,
            // Old documents have none: then it is that of the procedure.
            None => match self.block_scope {
                Some(scope) => {
                    let id = match &self.doc.scopes[scope].id {
                        Some(id) => id.to_string(),
                        None => (scope.index() + 1).to_string(),
                    };
                    tag.note("scope_id", Some(&id), None);
                    scope
                }
                None => return tag.missing("scope_id"),
            },
        };
        tag.finish()?;
        let mut stmts = Vec::new();
        while let Some(child) = self.input.child()? {
            stmts.push(self.stmt(child, &mut graph.stmt_ids, "BasicBlock")?);
        }
        Ok(VertexKind::BasicBlock { scope, stmts })
    }

    fn branch(&mut self, tag: &mut Tag<'a>) -> Read<VertexKind> {
        if tag.name == "If" {
            tag.form = Some("If");
        }
        let form = tag.own_word("form")?.unwrap_or(BranchForm::Plain);
        let name = tag.own_name("name")?.map(Into::into);
        tag.finish()?;
        let condition = self.condition(tag)?;
        Ok(VertexKind::Branch { condition, form, name })
    }

    /// `xaif:Condition` to the end of the element `tag`.
    fn condition(&mut self, tag: &Tag<'a>) -> Read<Option<crate::model::ExprId>> {
        let mut condition = None;
        while let Some(child) = self.input.child()? {
            self.expect(&child, Ns::Xaif, "Condition", tag.name)?;
            if condition.replace(self.boxed_expr(child)?).is_some() {
                return tag.bad("two conditions");
            }
        }
        Ok(condition)
    }

    fn for_loop(&mut self, tag: &mut Tag<'a>, graph: &mut Graph<'a>) -> Read<VertexKind> {
        let reversal = tag.word("reversal")?;
        let form = match tag.own_text("form")?.as_deref() {
            None => ForForm::General,
            Some("counted") => ForForm::Counted,
            Some(_) => return tag.bad("the form of a loop is `counted`, if anything"),
        };
        let name = tag.own_name("name")?.map(Into::into);
        tag.finish()?;
        let (mut init, mut condition, mut update) = (None, None, None);
        while let Some(child) = self.input.child()? {
            match (child.ns, child.name) {
                (Ns::Xaif, "Initialization") if init.is_none() => {
                    init = Some(self.stmt(child, &mut graph.stmt_ids, "ForLoop")?);
                }
                (Ns::Xaif, "Condition") if condition.is_none() => {
                    condition = Some(self.boxed_expr(child)?);
                }
                (Ns::Xaif, "Update") if update.is_none() => {
                    update = Some(self.stmt(child, &mut graph.stmt_ids, "ForLoop")?);
                }
                _ => return child.unexpected("ForLoop"),
            }
        }
        match (init, condition, update) {
            (Some(init), Some(condition), Some(update)) => {
                Ok(VertexKind::ForLoop { init, condition, update, reversal, form, name })
            }
            _ => fault(
                Code::MISSING_ELEMENT,
                tag.offset,
                "a `ForLoop` has an `Initialization`, a `Condition` and an `Update`",
            ),
        }
    }

    fn entry_point(&mut self, tag: &mut Tag<'a>) -> Read<VertexKind> {
        let symbol = self.own_symbol(tag, "symbol")?;
        let result = self.own_symbol_opt(tag, "result")?;
        tag.finish()?;
        let mut args = Vec::new();
        while let Some(child) = self.input.child()? {
            self.expect(&child, Ns::Xaif, "ArgumentList", "EntryPoint")?;
            child.finish()?;
            args = self.dummy_args(None)?;
        }
        Ok(VertexKind::Entry(Some(Box::new(EntryPoint { symbol, args, result }))))
    }

    /// One child of the header of a FORALL or DO CONCURRENT.
    pub(super) fn header_child(
        &mut self,
        child: Tag<'a>,
        header: &mut ForallHeader,
        parent: &str,
    ) -> Read<()> {
        match (child.ns, child.name) {
            (Ns::Ox, "Type") => header.spec = Some(Box::new(self.type_spec(child)?)),
            (Ns::Ox, "Range") => {
                let range = self.index_range(child)?;
                header.ranges.push(range);
            }
            (Ns::Ox, "Mask") => header.mask = Some(self.boxed_expr(child)?),
            _ => return child.unexpected(parent),
        }
        Ok(())
    }

    fn index_range(&mut self, mut tag: Tag<'a>) -> Read<IndexRange> {
        let var = self.own_symbol(&mut tag, "variable")?;
        tag.finish()?;
        let (mut lower, mut upper, mut step) = (None, None, None);
        while let Some(child) = self.input.child()? {
            match (child.ns, child.name) {
                (Ns::Ox, "Lower") => lower = Some(self.boxed_expr(child)?),
                (Ns::Ox, "Upper") => upper = Some(self.boxed_expr(child)?),
                (Ns::Ox, "Step") => step = Some(self.boxed_expr(child)?),
                _ => return child.unexpected("Range"),
            }
        }
        match (lower, upper) {
            (Some(lower), Some(upper)) => Ok(IndexRange { var, lower, upper, step }),
            _ => fault(Code::MISSING_ELEMENT, tag.offset, "a range has `Lower` and `Upper`"),
        }
    }

    fn finish_graph(&mut self, graph: Graph<'a>, structured: Option<bool>) -> Read<Cfg> {
        let Graph { key: (proc, fragment), mut cfg, ids, edges, listed, .. } = graph;
        cfg.structured = structured;
        for edge in edges {
            let find = |id: &str| match ids.get(id) {
                Some(vertex) => Ok(*vertex),
                None => {
                    let message = format!("there is no vertex `{id}` in the control flow graph");
                    fault(Code::DANGLING_EDGE, edge.tag.offset, message)
                }
            };
            let (source, target) = (find(&edge.source)?, find(&edge.target)?);
            let offset = edge.tag.offset;
            let FlowEdge { tag, condition, guard, .. } = edge;
            let edge = cfg.edges.push(Edge { source, target, condition, guard });
            if self.positions.noted() {
                self.positions.edges.insert((proc, fragment, edge), offset as u32);
            }
            self.note(tag, Key::Edge(proc, fragment, edge));
        }
        self.note_order(Key::Cfg(proc, fragment), listed, cfg.vertices.len() as u32);
        Ok(cfg)
    }
}

impl Graph<'_> {
    fn new(proc: ProcId, fragment: u32) -> Self {
        Graph {
            key: (proc, fragment),
            cfg: Cfg::default(),
            ids: HashMap::new(),
            edge_ids: Unique::new("edge_id"),
            stmt_ids: HashMap::new(),
            edges: Vec::new(),
            listed: Vec::new(),
        }
    }
}

fn jump(tag: &mut Tag<'_>) -> Read<Jump> {
    let name = tag.own_name("name")?.map(Into::into);
    Ok(match (tag.own_text("jump")?.as_deref(), name) {
        (None, None) => Jump::Goto,
        (Some("exit"), name) => Jump::Exit(name),
        (Some("cycle"), name) => Jump::Cycle(name),
        (Some("return"), None) => Jump::Return,
        (Some("stop"), None) => Jump::Stop,
        (Some("break"), None) => Jump::Break,
        (Some("continue"), None) => Jump::Continue,
        _ => return tag.bad("this is no jump"),
    })
}
