//! Which names share storage, and what overwrites it.

use xaif_schema::model::{Document, ExprKind, RefId, StmtKind, SymbolId};

use booster_facts::{Lifetime, Storage};
use booster_tests::document;

/// The variable `name` of the procedure (or module) `location`.
fn variable(doc: &Document, location: &str, name: &str) -> SymbolId {
    let found = doc.symbols.iter().find(|(_, symbol)| {
        let scope = &doc.scopes[symbol.scope];
        let owner = match scope.kind {
            xaif_schema::model::ScopeKind::Procedure(owner)
            | xaif_schema::model::ScopeKind::Module(owner) => doc.name(owner),
            _ => "",
        };
        symbol.id == name && owner == location
    });
    found.unwrap_or_else(|| panic!("no {name} in {location}")).0
}

/// The names of the locations of a variable, each with all its members.
fn locations(doc: &Document, storage: &Storage, location: &str, name: &str) -> Vec<String> {
    let found = storage.locations_of_symbol(variable(doc, location, name));
    let members = |location| {
        let members = storage.locations()[location].members.iter().map(|member| member.name(doc));
        members.collect::<Vec<_>>().join(" ")
    };
    found.into_iter().map(members).collect()
}

/// The left-hand sides of the assignments, in order.
fn left_sides(doc: &Document) -> Vec<RefId> {
    let lhs = doc.stmts.values().filter_map(|stmt| match stmt.kind {
        StmtKind::Assign { lhs, .. } => Some(lhs),
        _ => None,
    });
    lhs.collect()
}

#[test]
fn variables_are_units_of_their_own() {
    let doc = document("subroutine s(x, y)\n real x, y(3)\n x = y(1)\nend");
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "x"), ["x"]);
    assert_eq!(locations(&doc, &storage, "s", "y"), ["y"]);
}

#[test]
fn equivalence_joins_what_overlaps_and_nothing_else() {
    let doc = document(
        "subroutine s
         real a(4), b(2), c(2), d, e
         equivalence (a(1), b(1)), (a(3), c(1)), (d, e)
         a = 0; b = 0; d = 0
       end",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "b"), ["a b c"]);
    assert_eq!(locations(&doc, &storage, "s", "d"), ["d e"]);
    // Writing all of `a` does not write all that any of the names may be; d and e are the same.
    let kills: Vec<bool> = left_sides(&doc).iter().map(|&r| storage.kills(&doc, r)).collect();
    assert_eq!(kills, [false, false, true]);
}

#[test]
fn equivalence_of_different_parts_of_an_array_keeps_them_apart() {
    let doc = document(
        "subroutine s
         real w(4), u(2), v(2)
         equivalence (w(1), u(1))
         v = 0
       end",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "u"), ["w u"]);
    assert_eq!(locations(&doc, &storage, "s", "v"), ["v"]);
}

#[test]
fn equal_layouts_of_a_block_stay_apart_member_by_member() {
    let doc = document(
        "subroutine s
         common /c/ a, b(3)
       end
       subroutine t
         common /c/ x, y(3)
       end",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "a"), ["a x"]);
    assert_eq!(locations(&doc, &storage, "t", "y"), ["b y"]);
    let location = storage.locations_of_symbol(variable(&doc, "s", "b"))[0];
    assert!(storage.locations()[location].strong_update);
    assert_eq!(storage.locations()[location].lifetime, Lifetime::Global);
}

#[test]
fn different_layouts_of_a_block_are_joined_where_they_overlap() {
    let doc = document(
        "subroutine s
         common /c/ a, b, n, d(2)
       end
       subroutine t
         common /c/ x(2), m, e, f
       end",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "a"), ["a b x"]);
    assert_eq!(locations(&doc, &storage, "s", "n"), ["n m"]);
    assert_eq!(locations(&doc, &storage, "s", "d"), ["d e f"]);
    let location = storage.locations_of_symbol(variable(&doc, "s", "a"))[0];
    assert!(!storage.locations()[location].strong_update);
}

#[test]
fn equivalence_extends_a_block() {
    let doc = document(
        "subroutine s
         real a(2), b(2)
         common /c/ a
         equivalence (a(2), b(1))
       end
       subroutine t
         common /c/ x, y, z
       end",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "t", "z"), ["a b x y z"]);
}

#[test]
fn a_pointer_is_one_with_its_targets() {
    let doc = document(
        "subroutine s
         real, pointer :: p, q
         real, target :: a, b, c
         p => a
         if (a > 0) p => b
         q => p
         p = 1
         c = 2
       end",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "q"), ["p q a b"]);
    assert_eq!(locations(&doc, &storage, "s", "c"), ["c"]);
    let kills: Vec<bool> = left_sides(&doc).iter().map(|&r| storage.kills(&doc, r)).collect();
    assert_eq!(kills, [false, true]);
}

#[test]
fn components_are_units_and_a_copy_shares_the_targets_of_pointers() {
    let doc = document(
        "module m
         type t
           real :: x
           real, pointer :: p(:)
         end type
       contains
         subroutine s(u, v)
           type(t) :: u, v, w
           u%x = v%x
           u = v
           w%x = 1
         end subroutine
       end module",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "u"), ["u%x", "u%p v%p"]);
    assert_eq!(locations(&doc, &storage, "s", "w"), ["w%x", "w%p"]);
    let sides = left_sides(&doc);
    assert!(storage.kills(&doc, sides[0]));
    // The copy is not a write of what p points to.
    assert_eq!(storage.locations_of(&doc, sides[1]), storage.locations_of(&doc, sides[0]));
}

#[test]
fn a_type_inside_itself_ends_in_a_rest() {
    let doc = document(
        "module m
         type node
           real :: x
           type(node), pointer :: next
         end type
       contains
         subroutine s(list)
           type(node) :: list
           list%next%next%x = list%x
           list%next%x = 1
         end subroutine
       end module",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "list"), ["list%x", "list%next"]);
    let sides = left_sides(&doc);
    assert_eq!(storage.locations_of(&doc, sides[0]), storage.locations_of(&doc, sides[1]));
    assert!(!storage.kills(&doc, sides[1]));
}

#[test]
fn an_associate_name_is_its_selector() {
    let doc = document(
        "subroutine s(x, y)
         real x, y(5), z
         associate (a => x, b => y(2), c => x + 1)
           a = c
           b = 1
           z = c
         end associate
       end",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "x"), ["x a"]);
    assert_eq!(locations(&doc, &storage, "s", "y"), ["y b"]);
    let kills: Vec<bool> = left_sides(&doc).iter().map(|&r| storage.kills(&doc, r)).collect();
    assert_eq!(kills, [true, false, true]);
}

#[test]
fn a_narrowed_name_shares_the_components_of_its_selector() {
    let doc = document(
        "module m
         type base
           real :: a
         end type
         type, extends(base) :: child
           real :: b
         end type
       contains
         subroutine s(c)
           class(base) :: c
           select type (c)
           type is (child)
             c%b = c%a
           end select
         end subroutine
       end module",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "c"), ["c%a c%a", "c%b c%b"]);
    for &location in &storage.locations_of_symbol(variable(&doc, "s", "c")) {
        assert!(matches!(storage.locations()[location].lifetime, Lifetime::Dummy(_)));
    }
}

#[test]
fn dummy_arguments_are_apart_from_their_actual_ones_unless_pointers_may_be_kept() {
    let doc = document(
        "module m
         real, pointer :: kept
       contains
         subroutine s(x, y)
           real :: x
           real, target :: y
           kept => y
           x = y
         end subroutine
         subroutine t(a, b)
           real :: a
           real, target :: b
           call s(a, b)
         end subroutine
       end module",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "x"), ["x"]);
    assert_eq!(locations(&doc, &storage, "t", "a"), ["a"]);
    assert_eq!(locations(&doc, &storage, "t", "b"), ["kept y b"]);
}

#[test]
fn pointers_that_only_strangers_pass_may_point_to_the_same() {
    let doc = document(
        "subroutine s(p, q, x)
         real, pointer :: p, q
         integer, pointer :: n
         real x
         p = q + x
       end",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "p"), ["p q"]);
    assert_eq!(locations(&doc, &storage, "s", "x"), ["x"]);
}

#[test]
fn results_of_entries_share_storage() {
    let doc = document(
        "real function f(x)
         real x, g
         f = x
         return
         entry g(x)
         g = 2*x
       end",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "f", "g"), ["f g"].map(str::to_owned));
}

#[test]
fn homes_tell_who_sees_a_unit() {
    let doc = document(
        "module m
         real :: g
       contains
         subroutine s(x)
           real :: x, l, k
           real, save :: k2
           l = x + k2
         end subroutine
       end module",
    );
    let storage = Storage::new(&doc);
    let home = |location: &str, name: &str| {
        let location = storage.locations_of_symbol(variable(&doc, location, name))[0];
        storage.locations()[location].lifetime
    };
    assert_eq!(home("m", "g"), Lifetime::Global);
    assert!(matches!(home("s", "x"), Lifetime::Dummy(_)));
    assert!(matches!(home("s", "l"), Lifetime::Local(_)));
    assert_eq!(home("s", "k2"), Lifetime::Global);
}

#[test]
fn dummy_procedures_and_dispatched_calls_mean_what_reaches_them() {
    let doc = document(
        "module m
         type base
         contains
           procedure :: go => go_base
         end type
         type, extends(base) :: child
         contains
           procedure :: go => go_child
         end type
       contains
         subroutine go_base(this)
           class(base) :: this
         end subroutine
         subroutine go_child(this)
           class(child) :: this
         end subroutine
         subroutine apply(f, c)
           external f
           class(base) :: c
           call c%go
           call f
         end subroutine
         subroutine one
         end subroutine
         subroutine two
         end subroutine
         subroutine top(c)
           class(base) :: c
           call apply(one, c)
           call apply(two, c)
         end subroutine
       end module",
    );
    let storage = Storage::new(&doc);
    let called: Vec<Vec<&str>> = doc
        .stmts
        .values()
        .filter_map(|stmt| match &stmt.kind {
            StmtKind::Call(call) => Some(storage.targets(&doc, &call.callee)),
            _ => None,
        })
        .map(|targets| {
            assert!(!targets.unknown && targets.outside.is_empty());
            let bodies = targets.bodies.iter();
            bodies.map(|entry| doc.name(doc.procs[entry.proc].symbol)).collect()
        })
        .collect();
    let expected: [&[&str]; 4] =
        [&["go_base", "go_child"], &["one", "two"], &["apply"], &["apply"]];
    assert_eq!(called, expected);
}

#[test]
fn a_dummy_procedure_that_strangers_pass_is_unknown() {
    let doc = document("subroutine s(f, x)\n real f, x\n external f\n x = f(x)\nend");
    let storage = Storage::new(&doc);
    let callee = doc.exprs.values().find_map(|expr| match &expr.kind {
        ExprKind::Call(call) => Some(&call.callee),
        _ => None,
    });
    assert!(storage.targets(&doc, callee.expect("a call")).unknown);
}

#[test]
fn a_pointer_that_nobody_sets_may_point_to_any_target_of_its_type_that_outlives_activations() {
    let module = |setting: &str| {
        document(&format!(
            "module m
               real, target :: a(3), b(3)
               integer, target :: i(3)
               real, pointer :: p(:) => null()
             contains
               subroutine s(x)
                 real :: x
                 {setting}
                 x = p(1) + a(1) + b(1) + i(1)
               end subroutine
             end module"
        ))
    };
    let of_p = |doc: &Document| locations(doc, &Storage::new(doc), "m", "p");
    assert_eq!(of_p(&module("")), ["a b p"]);
    assert_eq!(of_p(&module("p => a")), ["a p"]);
}

#[test]
fn an_argument_that_overruns_stands_for_what_lies_behind_it() {
    let doc = document(
        "subroutine s
         real a(2), b, c(2), d
         common /blk/ a, b, c, d
         real t(6), u(2), v
         equivalence (t, u), (t(4), v)
         integer k
         call f(a(2), 3)
         call f(c, 2)
         call f(u, 3)
         call f(u(2), k)
       end
       subroutine f(x, n)
         integer n
         real x(n)
         x = 0
       end",
    );
    let storage = Storage::new(&doc);
    // a(2), b and c(1); nothing more of c(1:2), and t(1:3) without v.
    assert_eq!(locations(&doc, &storage, "s", "b"), ["a b c"]);
    assert_eq!(locations(&doc, &storage, "s", "d"), ["d"]);
    assert_eq!(locations(&doc, &storage, "s", "v"), ["t u v"]);
    let overrun = |name| storage.is_overrun(variable(&doc, "s", name));
    assert_eq!(["a", "b", "c", "u"].map(overrun), [true, false, false, true]);
}

#[test]
fn a_scalar_that_is_passed_for_an_array_of_any_size_stands_for_the_rest_of_its_block() {
    let doc = document(
        "subroutine s
         real a, b, c(2)
         common /blk/ a, b, c
         call f(b)
       end
       subroutine f(x)
         real x(*)
         x(1) = 0
       end",
    );
    let storage = Storage::new(&doc);
    assert_eq!(locations(&doc, &storage, "s", "a"), ["a"]);
    assert_eq!(locations(&doc, &storage, "s", "b"), ["b c"]);
}
