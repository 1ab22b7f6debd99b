//! The events of statements, in order.

use xaif_schema::model::{Body, Document, RefId};

use booster_facts::access::{ActualValue, ReadRole, Source, Written};
use booster_facts::{Accesses, Event, Storage};
use booster_flow::{Flow, steps_of_vertex};
use booster_tests::document;

/// The events of the body of the procedure `name`, one line for each step that does something.
fn events(doc: &Document, name: &str) -> Vec<String> {
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    let mut lines = Vec::new();
    for (id, proc) in &doc.procs {
        let Body::Flow(cfg) = &proc.body else { continue };
        if doc.name(proc.symbol) != name {
            continue;
        }
        let flow = Flow::new(cfg);
        for &vertex in &flow.cfg.layout {
            for step in steps_of_vertex(cfg, vertex) {
                let found = accesses.of(id, step);
                if !found.is_empty() {
                    let words: Vec<String> = found.iter().map(|e| event(doc, e)).collect();
                    lines.push(words.join("; "));
                }
            }
        }
    }
    lines
}

fn name(doc: &Document, reference: RefId) -> String {
    let reference = &doc.refs[reference];
    let mut name = doc.name(reference.base).to_owned();
    for part in &reference.parts {
        match part {
            xaif_schema::model::Part::Component { name: component, .. } => {
                name.push('%');
                name.push_str(component);
            }
            _ => name.push_str("()"),
        }
    }
    name
}

fn sources(doc: &Document, sources: &[Source]) -> String {
    let word = |source: &Source| match source {
        Source::Ref(reference) => name(doc, *reference),
        Source::Result(event) => format!("#{event}"),
    };
    sources.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn event(doc: &Document, event: &Event<'_>) -> String {
    match event {
        Event::Read(reference, role) => {
            let role = match role {
                ReadRole::Value => "",
                ReadRole::Index => " index",
                ReadRole::Control => " control",
                ReadRole::Bound => " bound",
                ReadRole::Inquiry => " inquiry",
            };
            format!("read{role} {}", name(doc, *reference))
        }
        Event::Write(write) => {
            let place = match write.place {
                Written::Ref(reference) => name(doc, reference),
                Written::Symbol(symbol) => format!("<{}>", doc.name(symbol)),
            };
            let perhaps = if write.certain { "" } else { " perhaps" };
            let from = sources(doc, &write.sources);
            let from = if from.is_empty() { from } else { format!(" <- {from}") };
            format!("write{perhaps} {place}{from}")
        }
        Event::Call(site) => {
            let actual = |actual: &booster_facts::access::Actual| {
                let value = match &actual.value {
                    ActualValue::Variable(reference) => name(doc, *reference),
                    ActualValue::Object(reference) => format!("object {}", name(doc, *reference)),
                    ActualValue::Target(..) => "target".to_owned(),
                    ActualValue::Value(_, flows) => format!("({})", sources(doc, flows)),
                    ActualValue::Procedure(symbol) => format!("procedure {}", doc.name(*symbol)),
                };
                format!("{}={value}", actual.position)
            };
            let actuals: Vec<String> = site.actuals.iter().map(actual).collect();
            let bodies = site.targets.bodies.len();
            let callee = doc.name(site.callee.symbol);
            format!("call {callee}/{bodies} {}", actuals.join(" ")).trim_end().to_owned()
        }
        Event::Allocate(object) => format!("allocate {}", name(doc, *object)),
        Event::Release { object, nullify } => {
            format!("{} {}", if *nullify { "nullify" } else { "release" }, name(doc, *object))
        }
        Event::Associate(pointer) => format!("associate {}", name(doc, *pointer)),
        Event::Ask(reference, _) => format!("ask {}", name(doc, *reference)),
        Event::Reshape(reshape) => {
            let place = match reshape.place {
                Written::Ref(reference) => name(doc, reference),
                Written::Symbol(symbol) => format!("<{}>", doc.name(symbol)),
            };
            let perhaps = if reshape.certain { "" } else { " perhaps" };
            format!("reshape{perhaps} {place}")
        }
        Event::Anything => "anything".to_owned(),
    }
}

#[test]
fn indices_conditions_and_integers_do_not_flow_into_a_value() {
    let doc = document(
        "subroutine s(a, x, i, n)
         real a(n), x
         integer i, n
         if (x > 0) a(i) = x*a(n) + real(i) + sign(a(1), x)
         x = merge(a(1), a(2), x > 1)
       end",
    );
    assert_eq!(
        events(&doc, "s"),
        [
            "read bound n",
            "read control x",
            "read x; read index n; read a(); read i; read a(); read x; read index i; \
             write a() <- x a() a()",
            "read a(); read a(); read x; write x <- a() a()",
        ]
    );
}

#[test]
fn what_is_asked_for_is_not_read() {
    let doc = document(
        "subroutine s(a, n, x)
         real, allocatable :: a(:)
         integer n
         real, optional :: x
         n = size(a)
         if (present(x)) n = 0
       end",
    );
    let events = events(&doc, "s");
    assert_eq!(events[0], "read inquiry a; ask a; write n");
    assert_eq!(events[1], "read inquiry x; ask x");
}

#[test]
fn a_call_in_an_expression_is_an_event_whose_result_flows_on() {
    let doc = document(
        "module m
       contains
         real function f(x, i)
           real :: x
           integer :: i
           f = x
         end function
         subroutine s(a, y)
           real :: a(3), y
           y = f(a(2), 1)*y + f(x=(y), i=int(y))
         end subroutine
       end module",
    );
    assert_eq!(
        events(&doc, "s"),
        ["call f/1 0=a() 1=(); read y; read y; read y; call f/1 0=(y) 1=(); write y <- y #0 #4"]
    );
}

#[test]
fn masked_statements_and_input_write_perhaps() {
    let doc = document(
        "subroutine s(a, n)
         real a(n)
         where (a > 0) a = 2*a
         forall (i = 1:n) a(i) = i
         read (*, *) (a(i), i = 1, n)
       end",
    );
    assert_eq!(
        events(&doc, "s")[1..],
        [
            "read control a; read a; write perhaps a <- a",
            "read bound n; write <i>; read i; read index i; write perhaps a()",
            "read bound n; write <i>; read index i; write perhaps a()",
        ]
    );
}

#[test]
fn a_statement_function_stands_for_its_expression() {
    let doc = document(
        "subroutine s(x, y, z)
         real x, y, z, f, a
         f(a) = a*z
         x = f(x) + f(y)
       end",
    );
    assert_eq!(
        events(&doc, "s"),
        ["read x; write <a> <- x; read a; read z; read y; write <a> <- y; read a; read z; \
          write x <- z x y"]
    );
}

#[test]
fn objects_and_user_defined_operations_are_calls() {
    let doc = document(
        "module m
         type t
           real :: x
         contains
           procedure :: go
         end type
         interface operator(+)
           module procedure add
         end interface
         interface assignment(=)
           module procedure set
         end interface
       contains
         subroutine go(this, y)
           class(t) :: this
           real :: y
         end subroutine
         type(t) function add(a, b)
           type(t), intent(in) :: a, b
           add%x = a%x
         end function
         subroutine set(a, r)
           type(t), intent(out) :: a
           real, intent(in) :: r
           a%x = r
         end subroutine
         subroutine s(u, y)
           type(t) :: u
           real :: y
           call u%go(y)
           u = u + u
           u = 2*y
         end subroutine
       end module",
    );
    assert_eq!(
        events(&doc, "s"),
        ["call go/1 1=y", "call add/1 0=u 1=u; write u <- #0", "read y; call set/1 0=u 1=(y)",]
    );
}

#[test]
fn intrinsic_subroutines_follow_the_table() {
    let doc = document(
        "subroutine s(a, b)
         real, allocatable :: a(:), b(:)
         call move_alloc(a, b)
         call random_number(b)
         call cpu_time(b(1))
       end",
    );
    assert_eq!(
        events(&doc, "s"),
        [
            "read a; ask a; write perhaps a <- a; reshape a; write b <- a; reshape b",
            "write b",
            "ask b(); write b()"
        ]
    );
}

#[test]
fn allocation_and_association_are_told_from_writes() {
    let doc = document(
        "subroutine s(n, y)
         integer n
         real, pointer :: p(:)
         real, target :: x(3)
         real, allocatable :: a(:), y(:)
         allocate (a(n), stat=i)
         allocate (y, source=a)
         p => x(1:n)
         nullify (p)
         deallocate (a)
       end",
    );
    assert_eq!(
        events(&doc, "s"),
        [
            "reshape <p>; reshape <a>",
            "read bound n; allocate a(); reshape perhaps a(); write i",
            "read a; ask a; allocate y; reshape y; write y <- a",
            "read index n; associate p; reshape p",
            "nullify p; reshape p",
            "release a; reshape a",
        ]
    );
}

#[test]
fn the_value_of_an_associated_expression_is_written() {
    let doc = document(
        "subroutine s(x, y)
         real x, y
         associate (a => 2*x, b => y)
           b = a
         end associate
       end",
    );
    assert_eq!(events(&doc, "s"), ["read x; write <a> <- x", "read a; write b <- a"]);
}

#[test]
fn a_statement_that_is_not_understood_may_do_anything() {
    let doc = document("subroutine s(x)\n real x\n sync all\n x = 1\nend");
    assert!(events(&doc, "s")[0].ends_with("anything"));
}
