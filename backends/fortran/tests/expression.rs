//! Expressions: minimal parentheses, and never another tree than the one that was printed.

use crate::common::{Build, compile, print};
use proptest::prelude::*;
use xaif_schema::model::*;

/// The text of `x = expression`.
fn printed(build: impl FnOnce(&mut Build) -> ExprId) -> String {
    let mut b = Build::new();
    let root = build(&mut b);
    let stmt = b.assign("x", root);
    let entry = b.vertex(VertexKind::Entry(None));
    let block = b.block(&[stmt]);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, block, exit]);
    let text = print(&b.finish());
    let line = text.lines().find(|line| line.trim_start().starts_with("x ="));
    let first = line.expect("the assignment").trim_start();
    first.strip_prefix("x = ").unwrap_or(first).to_owned()
}

fn op(b: &mut Build, name: &str, left: &str, right: &str) -> ExprId {
    let (left, right) = (b.get(left), b.get(right));
    b.call(name, &[left, right])
}

#[test]
fn sums_and_products_keep_their_order_of_evaluation() {
    let right_nested = |outer: &'static str, inner: &'static str| {
        printed(|b| {
            let right = op(b, inner, "b", "c");
            let left = b.get("a");
            b.call(outer, &[left, right])
        })
    };
    assert_eq!(right_nested("add_scal_scal", "add_scal_scal"), "a + (b + c)");
    assert_eq!(right_nested("sub_scal_scal", "sub_scal_scal"), "a - (b - c)");
    assert_eq!(right_nested("add_scal_scal", "mul_scal_scal"), "a + b*c");
    assert_eq!(right_nested("div_scal_scal", "mul_scal_scal"), "a/(b*c)");
    assert_eq!(right_nested("pow_scal_scal", "pow_scal_scal"), "a**b**c");
}

#[test]
fn a_sign_is_enclosed_where_it_cannot_stand() {
    let negative = |name: &'static str, at_left: bool| {
        printed(|b| {
            let inner = b.get("b");
            let minus = b.call("minus_scal", &[inner]);
            let other = b.get("a");
            let operands = if at_left { [minus, other] } else { [other, minus] };
            b.call(name, &operands)
        })
    };
    assert_eq!(negative("mul_scal_scal", false), "a*(-b)");
    assert_eq!(negative("mul_scal_scal", true), "(-b)*a");
    assert_eq!(negative("pow_scal_scal", true), "(-b)**a");
    assert_eq!(negative("add_scal_scal", true), "-b + a");
    assert_eq!(negative("add_scal_scal", false), "a + (-b)");
    let of_power = printed(|b| {
        let power = op(b, "pow_scal_scal", "a", "b");
        b.call("minus_scal", &[power])
    });
    assert_eq!(of_power, "-a**b");
}

#[test]
fn comparisons_do_not_chain_and_negation_binds_stronger_than_and() {
    let text = printed(|b| {
        let (left, right) = (b.get("a"), b.get("b"));
        let less = b.boolean(BoolOp::LessThan, &[left, right]);
        let not = b.boolean(BoolOp::Not, &[less]);
        let (left, right) = (b.get("a"), b.get("b"));
        let equal = b.boolean(BoolOp::Equal, &[left, right]);
        let or = b.boolean(BoolOp::Or, &[not, equal]);
        let other = b.get("l");
        b.boolean(BoolOp::And, &[or, other])
    });
    assert_eq!(text, "(.not. a < b .or. a == b) .and. l");
}

#[test]
fn parentheses_of_the_source_stay() {
    let text = printed(|b| {
        let sum = op(b, "add_scal_scal", "a", "b");
        b.doc.exprs[sum].parens = true;
        let c = b.get("c");
        b.call("add_scal_scal", &[sum, c])
    });
    assert_eq!(text, "(a + b) + c");
}

#[test]
fn intrinsic_functions_have_their_fortran_names_and_keywords() {
    let text = printed(|b| {
        let a = b.get("a");
        let log = b.call("ln_scal", &[a]);
        let (b2, kind) = (b.get("b"), b.int(8));
        let operands = [
            Operand { position: 1, keyword: false, expr: b2 },
            Operand { position: 2, keyword: true, expr: kind },
        ];
        let aint = ExprKind::Intrinsic {
            name: "aint".into(),
            spelling: None,
            operands: operands.into_iter().collect(),
        };
        let aint = b.expr(aint, crate::common::REAL);
        b.call("atan2", &[log, aint])
    });
    assert!(text.contains("(log(a), aint(b, kind=8))"), "{text}");
}

#[test]
fn a_chain_of_a_hundred_thousand_operations_is_printed_without_recursion() {
    let mut b = Build::new();
    let mut sum = b.get("a");
    for _ in 0..100_000 {
        let one = b.int(1);
        sum = b.call("add_scal_scal", &[one, sum]);
    }
    let stmt = b.assign("x", sum);
    let entry = b.vertex(VertexKind::Entry(None));
    let block = b.block(&[stmt]);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, block, exit]);
    assert!(print(&b.finish()).lines().all(|line| line.len() <= 132));
}

/// A tree of the property test.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf(u8),
    Minus(Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
}

const BINARY: [(&str, &str); 5] = [
    ("+", "add_scal_scal"),
    ("-", "sub_scal_scal"),
    ("*", "mul_scal_scal"),
    ("/", "div_scal_scal"),
    ("**", "pow_scal_scal"),
];

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = (0..5_u8).prop_map(Tree::Leaf);
    leaf.prop_recursive(6, 40, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|tree| Tree::Minus(Box::new(tree))),
            (0..BINARY.len(), inner.clone(), inner).prop_map(|(op, left, right)| {
                Tree::Binary(BINARY[op].0, Box::new(left), Box::new(right))
            }),
        ]
    })
}

fn build(b: &mut Build, tree: &Tree) -> ExprId {
    match tree {
        Tree::Leaf(n) => b.get(["a", "b", "c", "d", "e"][usize::from(*n)]),
        Tree::Minus(inner) => {
            let inner = build(b, inner);
            b.call("minus_scal", &[inner])
        }
        Tree::Binary(symbol, left, right) => {
            let (left, right) = (build(b, left), build(b, right));
            let name = BINARY.iter().find(|(s, _)| s == symbol).map_or("", |(_, name)| name);
            b.call(name, &[left, right])
        }
    }
}

/// Reads an expression by the grammar of the Fortran standard (R1002 to R1006), and nothing else.
struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn eat(&mut self, word: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(word) {
            Some(rest) if word != "*" || !rest.starts_with('*') => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn sum(&mut self) -> Tree {
        let mut tree =
            if self.eat("-") { Tree::Minus(Box::new(self.product())) } else { self.product() };
        loop {
            let symbol = if self.eat("+") {
                "+"
            } else if self.eat("-") {
                "-"
            } else {
                return tree;
            };
            tree = Tree::Binary(symbol, Box::new(tree), Box::new(self.product()));
        }
    }

    fn product(&mut self) -> Tree {
        let mut tree = self.power();
        loop {
            let symbol = if self.eat("*") {
                "*"
            } else if self.eat("/") {
                "/"
            } else {
                return tree;
            };
            tree = Tree::Binary(symbol, Box::new(tree), Box::new(self.power()));
        }
    }

    fn power(&mut self) -> Tree {
        let base = self.primary();
        if self.eat("**") {
            return Tree::Binary("**", Box::new(base), Box::new(self.power()));
        }
        base
    }

    fn primary(&mut self) -> Tree {
        if self.eat("(") {
            let inner = self.sum();
            assert!(self.eat(")"), "{}", self.rest);
            return inner;
        }
        self.rest = self.rest.trim_start();
        let letter = self.rest.bytes().next().expect("an operand");
        assert!((b'a'..=b'e').contains(&letter), "{}", self.rest);
        self.rest = &self.rest[1..];
        Tree::Leaf(letter - b'a')
    }
}

proptest! {
    #[test]
    fn what_is_printed_is_read_as_the_same_tree(tree in trees()) {
        let mut b = Build::new();
        let root = build(&mut b, &tree);
        let stmt = b.assign("x", root);
        let entry = b.vertex(VertexKind::Entry(None));
        let block = b.block(&[stmt]);
        let exit = b.vertex(VertexKind::Exit);
        b.path(&[entry, block, exit]);
        let text = print(&b.finish());
        let joined: String = text.lines()
            .skip_while(|line| !line.trim_start().starts_with("x ="))
            .take_while(|line| !line.starts_with("end"))
            .map(|line| line.trim().trim_end_matches('&'))
            .collect();
        let mut reader = Reader { rest: joined.trim_start_matches("x =") };
        prop_assert_eq!(reader.sum(), tree);
        prop_assert!(reader.rest.trim().is_empty());
    }
}

#[test]
fn the_compiler_takes_all_operators() {
    let mut b = Build::new();
    b.dummy("a");
    b.dummy("x");
    let mut stmts = Vec::new();
    for (_, name) in BINARY {
        let (left, right) = (b.get("a"), b.get("a"));
        let right = b.call("minus_scal", &[right]);
        let value = b.call(name, &[left, right]);
        stmts.push(b.assign("x", value));
    }
    let entry = b.vertex(VertexKind::Entry(None));
    let block = b.block(&stmts);
    let exit = b.vertex(VertexKind::Exit);
    b.path(&[entry, block, exit]);
    compile(&print(&b.finish()));
}
