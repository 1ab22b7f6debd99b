//! Control flow graphs: vertices in the order of the text, then edges.

use std::io;

use super::{Id, Ids, Writer};
use crate::model::{
    BranchForm, CaseRange, Cfg, Edge, EdgeId, EntityRef, EntryPoint, ExprId, ForForm, ForallHeader,
    Guard, IndexRange, Jump, Key, Listed, Place, ProcId, VertexId, VertexKind,
};

impl<'a, W: io::Write> Writer<'a, W> {
    /// The vertices and edges of the fragment `fragment` of `proc`.
    pub(super) fn graph(&mut self, proc: ProcId, fragment: u32, cfg: &'a Cfg) {
        let doc = self.doc;
        self.stmts = (Ids::of(super::stmt::statements(doc, cfg).iter().copied()), 0);
        let mut ids = vec![Id::Number(0); cfg.vertices.len()];
        let by_layout = Ids::of(cfg.layout.iter().map(|&v| cfg.vertices[v].id.as_deref()));
        for (i, vertex) in cfg.layout.iter().enumerate() {
            ids[vertex.index()] = by_layout.get(i);
        }
        let edge_keys = cfg.edges.keys().map(|edge| Key::Edge(proc, fragment, edge));
        let edge_ids = Ids::noted(&doc.as_read, "edge_id", edge_keys);
        let vertices = cfg.layout.iter().map(|vertex| Listed::Vertex(vertex.as_u32()));
        let edges = cfg.edges.keys().map(|edge| Listed::Edge(edge.as_u32(), 0));
        for item in self.in_order(Key::Cfg(proc, fragment), vertices.chain(edges).collect()) {
            match item {
                Listed::Vertex(vertex) => {
                    let vertex = VertexId::from_u32(vertex);
                    self.vertex(
                        Key::Vertex(proc, fragment, vertex),
                        cfg,
                        vertex,
                        ids[vertex.index()],
                    );
                }
                Listed::Edge(edge, _) => {
                    let edge = EdgeId::from_u32(edge);
                    let key = Key::Edge(proc, fragment, edge);
                    self.flow_edge(key, &cfg.edges[edge], edge_ids.get(edge.index()), &ids);
                }
            }
        }
    }

    fn flow_edge(&mut self, key: Key, edge: &Edge, id: Id<'a>, vertices: &[Id<'a>]) {
        self.out.start_of("xaif:ControlFlowEdge", key);
        self.id("edge_id", id);
        self.id("source", vertices[edge.source.index()]);
        self.id("target", vertices[edge.target.index()]);
        self.out.flag_or_false("has_condition_value", edge.condition.is_some());
        self.out.number("condition_value", edge.condition);
        if let Some(guard) = &edge.guard {
            self.guard(guard);
        }
        self.out.end();
    }

    fn guard(&mut self, guard: &Guard) {
        self.out.start("ox:Guard");
        match guard {
            Guard::Case(ranges) => {
                self.out.own("kind", "case");
                for range in ranges {
                    match *range {
                        CaseRange::Value(value) => self.boxed_expr("ox:Value", value),
                        CaseRange::Range(lower, upper) => {
                            self.out.start("ox:Range");
                            self.boxed_expr_opt("ox:Lower", lower);
                            self.boxed_expr_opt("ox:Upper", upper);
                            self.out.end();
                        }
                    }
                }
            }
            Guard::Default => self.out.own("kind", "default"),
            Guard::TypeIs(spec) => {
                self.out.own("kind", "type-is");
                self.type_spec(spec);
            }
            Guard::ClassIs(spec) => {
                self.out.own("kind", "class-is");
                self.type_spec(spec);
            }
            Guard::Rank(rank) => {
                self.out.own("kind", "rank");
                self.boxed_expr("ox:Value", *rank);
            }
            Guard::RankStar => self.out.own("kind", "rank-star"),
        }
        self.out.end();
    }

    fn vertex(&mut self, key: Key, cfg: &'a Cfg, id: VertexId, number: Id<'a>) {
        let vertex = &cfg.vertices[id];
        let place = vertex.place;
        match &vertex.kind {
            VertexKind::Entry(None) => self.plain_vertex("xaif:Entry", key, number, place),
            VertexKind::Entry(Some(entry)) => self.entry_point(entry, number, place),
            VertexKind::Exit => self.plain_vertex("xaif:Exit", key, number, place),
            VertexKind::BasicBlock { scope, stmts } => {
                self.out.start_of("xaif:BasicBlock", key);
                self.id("vertex_id", number);
                let scope = self.scopes.get(scope.index());
                self.id("scope_id", scope);
                self.own_place("at", place);
                for &stmt in stmts {
                    self.stmt(stmt);
                }
            }
            VertexKind::Branch { condition, form, name } => {
                let spelling = self.out.as_read().spelling(key).and_then(|s| s.form);
                let element = if spelling == Some("If") { "xaif:If" } else { "xaif:Branch" };
                self.out.start_of(element, key);
                self.id("vertex_id", number);
                self.line_number(place);
                let form = (*form != BranchForm::Plain).then_some(*form);
                self.out.own_word("form", form);
                self.out.own_opt("name", name.as_deref());
                self.out.own_opt_flag("recorded", vertex.recorded);
                self.boxed_expr_opt("xaif:Condition", *condition);
            }
            VertexKind::EndBranch => self.plain_vertex("xaif:EndBranch", key, number, place),
            VertexKind::ForLoop { init, condition, update, reversal, form, name } => {
                self.out.start_of("xaif:ForLoop", key);
                self.id("vertex_id", number);
                self.out.word("reversal", *reversal);
                self.line_number(place);
                self.out.own_opt("form", (*form == ForForm::Counted).then_some("counted"));
                self.out.own_opt("name", name.as_deref());
                self.loop_assignment("xaif:Initialization", *init);
                self.boxed_expr("xaif:Condition", *condition);
                self.loop_assignment("xaif:Update", *update);
            }
            VertexKind::PreLoop { condition, name, forever } => {
                self.out.start_of("xaif:PreLoop", key);
                self.id("vertex_id", number);
                self.line_number(place);
                self.out.own_opt("name", name.as_deref());
                self.out.own_flag("forever", *forever);
                self.boxed_expr_opt("xaif:Condition", *condition);
            }
            VertexKind::PostLoop { condition } => {
                self.out.start_of("xaif:PostLoop", key);
                self.id("vertex_id", number);
                self.line_number(place);
                self.boxed_expr_opt("xaif:Condition", *condition);
            }
            VertexKind::ConcurrentLoop { header, locality, name } => {
                self.out.start("ox:ConcurrentLoop");
                self.id("vertex_id", number);
                self.scope_attribute(header);
                self.out.own_opt("locality", locality.as_deref());
                self.out.own_opt("name", name.as_deref());
                self.own_place("at", place);
                self.forall_header(header);
            }
            VertexKind::EndLoop => self.plain_vertex("xaif:EndLoop", key, number, place),
            VertexKind::Goto(jump) => self.jump(key, jump, number, place),
            VertexKind::Label { label } => {
                self.plain_vertex("xaif:Label", key, number, place);
                if let Some(label) = label {
                    self.out.own_display("label", format_args!("{label}"));
                }
            }
        }
        self.out.end();
    }

    fn plain_vertex(&mut self, name: &'static str, key: Key, number: Id<'a>, place: Place) {
        self.out.start_of(name, key);
        self.id("vertex_id", number);
        self.own_place("at", place);
    }

    fn jump(&mut self, key: Key, jump: &Jump, number: Id<'a>, place: Place) {
        self.plain_vertex("xaif:Goto", key, number, place);
        let (word, name) = match jump {
            Jump::Goto => return,
            Jump::Exit(name) => ("exit", name.as_deref()),
            Jump::Cycle(name) => ("cycle", name.as_deref()),
            Jump::Return => ("return", None),
            Jump::Stop => ("stop", None),
            Jump::Break => ("break", None),
            Jump::Continue => ("continue", None),
        };
        self.out.own("jump", word);
        self.out.own_opt("name", name);
    }

    fn entry_point(&mut self, entry: &EntryPoint, number: Id<'a>, place: Place) {
        self.out.start("ox:EntryPoint");
        self.id("vertex_id", number);
        self.own_symbol("symbol", entry.symbol);
        self.own_symbol_opt("result", entry.result);
        self.own_place("at", place);
        if !entry.args.is_empty() {
            self.dummy_args(&entry.args, |_| None);
        }
    }

    pub(super) fn scope_attribute(&mut self, header: &ForallHeader) {
        let scope = self.scopes.get(header.scope.index());
        self.out.own_display("scope", format_args!("{scope}"));
    }

    pub(super) fn forall_header(&mut self, header: &ForallHeader) {
        if let Some(spec) = &header.spec {
            self.type_spec(spec);
        }
        for range in &header.ranges {
            self.index_range(range);
        }
        self.boxed_expr_opt("ox:Mask", header.mask);
    }

    fn index_range(&mut self, range: &IndexRange) {
        let parts: [(&'static str, Option<ExprId>); 3] = [
            ("ox:Lower", Some(range.lower)),
            ("ox:Upper", Some(range.upper)),
            ("ox:Step", range.step),
        ];
        self.out.start("ox:Range");
        self.own_symbol("variable", range.var);
        for (name, expr) in parts {
            self.boxed_expr_opt(name, expr);
        }
        self.out.end();
    }
}
