//! What is known of the variables before each statement.

use xaif_schema::model::{Base, Body, Document, Part, Place, Reference, ScopeId, Ty};

use booster_facts::{Accesses, Allocation, Bodies, Changes, StepKey, Storage};
use booster_flow::{Step, steps_of_vertex};
use booster_tests::document;

/// What is known of `names` before each statement of the procedure `s` that has a line of its own:
/// `+` allocated, `-` not, `?` perhaps.
fn known(doc: &Document, names: &[&str]) -> Vec<String> {
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let changes = Changes::new(&accesses, &bodies);
    let mut lines = Vec::new();
    for (id, proc) in &doc.procs {
        let (Body::Flow(cfg), "s") = (&proc.body, doc.name(proc.symbol)) else { continue };
        let allocation =
            Allocation::new(&accesses, bodies.get(id).expect("it has a body"), &changes);
        for &vertex in &cfg.layout {
            for step in steps_of_vertex(cfg, vertex) {
                let Step::Stmt(_) = step else { continue };
                let sign = |name: &&str| {
                    let reference = named(doc, proc.scope, name);
                    match allocation.is_reference_allocated(StepKey::of(step), &reference) {
                        Some(true) => '+',
                        Some(false) => '-',
                        None => '?',
                    }
                };
                lines.push(names.iter().map(sign).collect());
            }
        }
    }
    lines
}

/// The reference `a%b%c`.
fn named(doc: &Document, scope: ScopeId, name: &str) -> Reference {
    let mut names = name.split('%');
    let first = names.next().unwrap_or_default();
    let base = doc.symbol_in(scope, first).expect("it is declared");
    let mut last = base;
    let parts = names.map(|name| {
        let Base::Derived(owner) = doc.declared_base(last) else { panic!("no structure: {name}") };
        let found = doc.data_components(owner).into_iter().find(|&one| doc.name(one) == name);
        last = found.expect("a component");
        Part::Component { name: name.into(), symbol: Some(last) }
    });
    let parts: Vec<Part> = parts.collect();
    Reference {
        parts: parts.into(),
        ..Reference::whole(base, Ty::scalar(Base::Unknown), Place::default())
    }
}

#[test]
fn statements_settle_components() {
    let doc = document(
        "module m
         type in
           real, allocatable :: w(:)
         end type
         type t
           real, allocatable :: v(:)
           type(in) :: i
           type(in), allocatable :: j
         end type
       contains
       subroutine reads(a)
         type(t), intent(inout) :: a
         a%v(1) = 2
         a%i%w = 3
       end
       subroutine grows(a)
         type(t), intent(inout) :: a
         call reads(a)
         a%i%w = [a%i%w, 1.0]
       end
       subroutine s(d)
         type(t), intent(inout) :: d
         type(t) :: a, b
         allocate (a%v(3))
         d%i%w(1) = a%v(1)
         allocate (a%j)
         call reads(a)
         call grows(a)
         b = a
         deallocate (a%j)
         allocate (a%j, source=d%i)
         call move_alloc(a%v, b%v)
       end
       end",
    );
    let names = ["a%v", "a%i%w", "a%j", "a%j%w", "b%v", "d%i%w"];
    let expected =
        ["-----?", "+----?", "+----+", "+-+--+", "+-+--+", "+?+?-+", "+?+??+", "+?--?+", "+?+??+"];
    assert_eq!(known(&doc, &names), expected);
}

#[test]
fn statements_settle_it() {
    let doc = document(
        "subroutine s(d, o)
         real, allocatable, intent(inout) :: d(:)
         real, allocatable, intent(out) :: o(:)
         real, allocatable :: a(:), b(:)
         allocate (a(3))
         b = a
         call move_alloc(a, d)
         deallocate (b)
         o = d
         o(:) = 1
       end",
    );
    assert_eq!(
        known(&doc, &["d", "o", "a", "b"]),
        ["?---", "?-+-", "?-++", "+--+", "+---", "++--"]
    );
}

#[test]
fn an_if_settles_what_it_has_tested() {
    let doc = document(
        "subroutine s(d, n)
         real, allocatable, intent(inout) :: d(:)
         integer n
         if (.not. allocated(d)) then
           allocate (d(n))
         end if
         n = 1
         if (allocated(d) .and. n > 0) then
           deallocate (d)
         end if
         n = 2
         if (.not. allocated(d) .or. n > 0) then
           n = 3
         else
           n = 4
         end if
       end",
    );
    assert_eq!(known(&doc, &["d"]), ["-", "+", "+", "?", "?", "+"]);
}

#[test]
fn what_may_fail_or_go_round_leaves_it_open() {
    let doc = document(
        "subroutine s(n)
         integer n, i, stat
         real, allocatable :: a(:), b(:)
         allocate (a(n), stat=stat)
         i = 1
         do i = 1, n
           b = [1.0, 2.0]
         end do
         i = 2
       end",
    );
    assert_eq!(known(&doc, &["a", "b"]), ["--", "?-", "??", "??"]);
}

#[test]
fn an_allocatable_dummy_leaves_it_open_and_another_does_not() {
    let doc = document(
        "module m
       contains
         subroutine s
           real, allocatable :: a(:), b(:), c(:)
           allocate (a(3), b(3))
           call set(a, b)
           a = f(c)
           call elsewhere(b)
           b = 1
         end
         subroutine set(x, y)
           real, allocatable :: x(:)
           real :: y(:)
           if (y(1) > 0) deallocate (x)
         end
         function f(x)
           real, allocatable :: x(:)
           real f(3)
           f = 1
         end
       end",
    );
    assert_eq!(known(&doc, &["a", "b", "c"]), ["---", "++-", "?+-", "++?", "++?"]);
}

#[test]
fn what_others_see_is_not_told() {
    let doc = document(
        "subroutine s
         real, allocatable, save :: a(:)
         real, allocatable :: b(:)
         b = [1.0]
         a = b
         b = a
       contains
         subroutine inner
           if (allocated(b)) deallocate (b)
         end
       end",
    );
    assert_eq!(known(&doc, &["a", "b"]), ["??", "??", "??"]);
}
