//! Names: what a small source declares, as `xaif-show` tells it, and what is said about wrong ones.

use fortran_frontend::source::Options;
use fortran_frontend::{Translation, translate_texts};
use xaif_schema::inspect::show::show;
use xaif_schema::model::{Dim, ScopeKind};
use xaif_schema::verify::verify;

fn translate(files: &[(&str, &str)]) -> Translation {
    translate_texts(files, &Options::default())
}

/// The document as text; the source must be without faults, and the document without violations.
fn shown(source: &str) -> String {
    shown_files(&[("a.f90", source)])
}

fn shown_files(files: &[(&str, &str)]) -> String {
    let translation = translate(files);
    let said: Vec<String> = translation.diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(said, Vec::<String>::new());
    let violations: Vec<String> =
        verify(&translation.document).iter().map(ToString::to_string).collect();
    assert_eq!(violations, Vec::<String>::new());
    show(&translation.document)
}

/// What is said about a source: the first lines of the messages.
fn said(files: &[(&str, &str)]) -> Vec<String> {
    translate(files).diagnostics.iter().map(ToString::to_string).collect()
}

macro_rules! shows {
    ($($(#[$doc:meta])* $name:ident: $source:literal)*) => {
        $(
            $(#[$doc])*
            #[test]
            fn $name() {
                insta::assert_snapshot!(shown($source));
            }
        )*
    };
}

shows! {
    attribute_statements_are_merged_into_the_declaration: "
subroutine s(a, n, f)
  real a, b
  integer n
  dimension a(n), c(3)
  save b
  optional f
  external f
  intent(in) a
  target c
end subroutine
"
    a_constant_is_declared_at_its_parameter_statement: "
subroutine s
  integer n, m
  real x
  parameter (n = 3)
  parameter (m = 2*n)
end subroutine
"
    a_declaration_waits_for_what_it_needs: "
subroutine s
  real a
  common /c/ b(n), i
  dimension a(n)
  integer n
  parameter (n = 3)
end subroutine
"
    an_implicit_bound_is_declared_before_its_array: "
subroutine s(a, n)
  dimension a(n)
end subroutine
"
    implicit_rules_give_types: "
subroutine s
  implicit double precision (a-h, o-z), complex (c), character*4 (s)
  a = 1
  c1 = 2
  string = 'x'
  i = 1
end subroutine
"
    contained_procedures_have_the_implicit_rules_of_their_host: "
subroutine s
  implicit integer (a-z)
  x = 1
contains
  subroutine t
    y = x
  end subroutine
end subroutine
"
    common_members_belong_to_each_procedure: "
subroutine s
  common /c/ x, y(2) // z
end subroutine
subroutine t
  common /c/ a(3)
end subroutine
"
    data_among_executable_statements_is_a_declaration: "
subroutine s
  real x(4)
  x(1) = 2
  data (x(i), i = 1, 4) /4*0.0/
end subroutine
"
    statement_functions_are_told_from_array_assignments: "
subroutine s(b)
  dimension a(3), b(3)
  f(x) = x*x
  ! about g
  g(x, y) = f(x) + y
  a(1) = g(1.0, 2.0)
  b(i) = a(i)
end subroutine
"
    entries_have_arguments_and_results: "
real function f(x)
  real x, g
  integer k
  f = x
  entry g(k)
  g = k
end function
"
    a_function_has_the_type_of_its_prefix_or_result: "
module m
contains
  integer function f(x) result(y)
    f2 = 1
    y = 2
  end function
  recursive pure real(8) function g(n)
    integer, intent(in) :: n
    g = n
  end function
  function h(n)
    integer, intent(in) :: n
    logical :: h(n)
    h = .true.
  end function
end module
"
    derived_types_keep_components_bindings_and_order: "
module m
  type, abstract :: base
    private
    integer :: n = 0 ! how many
    ! the numbers
    real, allocatable :: x(:)
  contains
    procedure(area), deferred :: measure
    procedure, nopass :: helper => help
    generic :: operator(+) => plus
    procedure, private :: plus
    final :: done
  end type base
  type, extends(base) :: more
    procedure(area), pointer, pass(self) :: f => null()
    type(more), pointer :: next => null()
  contains
    procedure :: measure => m_measure
  end type more
  abstract interface
    real function area(self)
      import base
      class(base), intent(in) :: self
    end function
  end interface
contains
  subroutine help
  end subroutine
  function plus(a, b) result(c)
    class(base), intent(in) :: a, b
    real :: c
    c = a%n + b%n
  end function
  real function m_measure(self)
    class(more), intent(in) :: self
    m_measure = self%n
  end function
  subroutine done(self)
    type(more) :: self
  end subroutine
end module
"
    generic_names_are_resolved_by_type_and_rank: "
module m
  interface norm
    module procedure norm1, norm0, normi
  end interface
contains
  real function norm0(x)
    real, intent(in) :: x
    norm0 = x
  end function
  real function norm1(x)
    real, intent(in) :: x(:)
    norm1 = x(1)
  end function
  elemental integer function normi(i)
    integer, intent(in) :: i
    normi = i
  end function
  subroutine s(x, i)
    real :: x(3)
    integer :: i(2)
    x(1) = norm(x) + norm(x(1)) + sum(norm(i))
  end subroutine
end module
"
    renamed_and_hidden_names_of_modules: "
module a
  integer :: x = 1, y = 2
  integer, private :: z = 3
end module
module b
  use a, w => x
  private
  public :: w, t
  real :: t
end module
subroutine s
  use b, only: q => w
  use a, only: y
  real :: z
  z = q + y
end subroutine
"
    constants_are_folded: "
module m
  integer, parameter :: dp = kind(1.0d0), n = 2**3 - 1, k = selected_real_kind(6)
  real(dp) :: x(n, 0:n/2)
  real(k) :: y(-n:n)
  character(len=n+1) :: c
end module
"
    intrinsic_modules_are_known: "
subroutine s(x) bind(c)
  use, intrinsic :: iso_c_binding, only: c_double, c_ptr, c_loc
  use iso_fortran_env, only: real64, output_unit
  use ieee_arithmetic
  real(c_double), target :: x
  real(real64) :: y
  type(c_ptr) :: p
  p = c_loc(x)
  y = ieee_value(y, ieee_quiet_nan)
  write (output_unit, *) y
end subroutine
"
    an_interface_body_sees_its_host_by_import_only: "
subroutine s
  integer, parameter :: n = 3
  integer x
  interface
    subroutine t(a)
      import n
      real a(n)
    end subroutine
    subroutine u(b, m)
      real b(m), x
    end subroutine
  end interface
  real :: v(n)
  call t(v)
end subroutine
"
    enumerators_count_on: "
module m
  enum, bind(c)
    enumerator :: red = 4, green
    enumerator blue
  end enum
  integer :: x(blue)
end module
"
    blocks_and_associate_names_are_scopes: "
subroutine s(x)
  real :: x(3)
  integer :: i
  block
    integer :: x, y
    x = i
    y = x
  end block
  associate (z => x(2:3))
    z = 1
  end associate
  x = [(real(i), i = 1, 3)]
end subroutine
"
    external_procedures_are_variables_no_more: "
subroutine s(f, g, x)
  external f, h
  real f, x, dnrm, sin
  x = f(x) + dnrm(x) + k(x) + sin(x)
  call g(h)
end subroutine
"
    old_initial_values_are_data: "
subroutine s
  integer i /3/, j(2) /1, 2/
end subroutine
"
    parameterised_types_have_parameters: "
module m
  type t(k, n)
    integer, kind :: k = 8
    integer, len :: n
    real(k) :: a(n)
  end type
  type(t(4, 10)) :: x
end module
"
    intrinsic_operators_can_be_imported_from_any_module: "
module m
  type t
    real :: x
  contains
    procedure :: plus
    generic :: operator(+) => plus
  end type
contains
  function plus(a, b) result(c)
    class(t), intent(in) :: a, b
    type(t) :: c
    c%x = a%x + b%x
  end function
end module
subroutine s(a, b)
  use m, only: t, operator(+)
  type(t) :: a, b
  a = a + b
end subroutine
"
    procedure_pointers_have_interfaces: "
module m
  procedure(real), pointer :: f => null()
  procedure(g), pointer :: h
  procedure(), pointer :: any
contains
  subroutine g(x)
    real, intent(in) :: x
  end subroutine
end module
"
}

#[test]
fn a_submodule_has_the_names_of_its_module_whatever_the_order_of_the_files() {
    let text = shown_files(&[
        (
            "sub.f90",
            "submodule (m) impl\ncontains\n  module procedure p\n    x = n*hidden\n  end procedure\nend \
             submodule\n",
        ),
        (
            "mod.f90",
            "module m\n  use base\n  integer, private :: hidden = 2\n  interface\n    module subroutine \
             p(x)\n      real, intent(out) :: x\n    end subroutine\n  end interface\nend module\n",
        ),
        ("base.f90", "module base\n  integer :: n = 1\nend module\n"),
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn directives_name_what_is_differentiated() {
    let translation = translate(&[(
        "a.f90",
        "subroutine s(x, y)\n  real :: x(3), y\n  !$openad independent(x)\n  y = x(1)\n  !$oxad \
         dependent(y)\nend subroutine\n",
    )]);
    let doc = &translation.document;
    let proc = doc.procs.values().next().expect("a procedure");
    let names = |list: &[_]| -> Vec<String> {
        list.iter().map(|&r| doc.name(doc.refs[r].base).to_owned()).collect()
    };
    assert_eq!(names(&proc.independent), ["x"]);
    assert_eq!(names(&proc.dependent), ["y"]);
}

#[test]
fn the_call_graph_has_an_edge_for_each_given_callee() {
    let translation = translate(&[(
        "a.f90",
        "subroutine s(x)\n  call t(x)\n  call t(x)\n  x = f(x) + unknown(x)\nend subroutine\n\
         subroutine t(x)\nend subroutine\nreal function f(x)\nend function\n",
    )]);
    let doc = &translation.document;
    let name = |proc| doc.name(doc.procs[proc].symbol);
    let mut calls: Vec<(&str, &str)> =
        doc.calls.iter().map(|&(from, to)| (name(from), name(to))).collect();
    calls.sort_unstable();
    assert_eq!(calls, [("s", "f"), ("s", "t")]);
}

#[test]
fn symbols_have_the_facts_of_xaif_1_0() {
    let translation =
        translate(&[("a.f90", "subroutine s(x)\n  real(8) :: x(3, 0:4)\nend subroutine\n")]);
    let doc = &translation.document;
    let symbol = doc.symbols.values().find(|symbol| symbol.id == "x").expect("x");
    assert_eq!(symbol.fe_type.as_deref(), Some("F8"));
    assert_eq!(symbol.rank, Some(2));
    assert_eq!(symbol.bounds, [(0, 4), (1, 3)]);
    assert_eq!(symbol.active, Some(true));
}

#[test]
fn a_name_without_type_is_an_error_once() {
    let source = "subroutine s\n  implicit none\n  x = 1\n  x = 2\nend subroutine\n";
    assert_eq!(said(&[("a.f90", source)]), ["a.f90:3:3: error[OX1100]: `x` is not declared"]);
}

#[test]
fn modules_that_use_each_other_are_an_error() {
    let source = "module a\n  use b\nend module\nmodule b\n  use a\nend module\n";
    assert_eq!(
        said(&[("a.f90", source)]),
        ["a.f90:5:7: error[OX1101]: modules use each other in a circle: `a` uses `b` uses `a`"]
    );
}

#[test]
fn a_module_that_uses_itself_is_an_error() {
    let source = "module a\n  use a\nend module\n";
    assert_eq!(
        said(&[("a.f90", source)]),
        ["a.f90:2:7: error[OX1101]: modules use each other in a circle: `a` uses `a`"]
    );
}

#[test]
fn a_missing_module_is_named_once_and_its_names_are_unresolved() {
    let source = "subroutine s(x)\n  use gone\n  use lost, only: wp, f\n  implicit none\n  real(wp) :: x\n  \
                  x = f(x) + a\n  call b(x)\nend subroutine\nsubroutine t\n  use gone\nend subroutine\n";
    assert_eq!(
        said(&[("a.f90", source)]),
        [
            "a.f90:2:7: warning[OX1102]: the source of module `gone` was not given",
            "a.f90:3:7: warning[OX1102]: the source of module `lost` was not given",
        ]
    );
}

#[test]
fn a_unit_that_is_defined_twice_is_an_error() {
    let files =
        [("a.f", "      subroutine s\n      end\n"), ("b.f", "      subroutine s\n      end\n")];
    assert_eq!(said(&files), ["b.f:1:18: error[OX1103]: `s` is defined twice"]);
}

#[test]
fn a_name_that_its_module_does_not_have_is_an_error() {
    let source = "module m\n  private\n  integer :: hidden\nend module\nsubroutine s\n  use m, only: hidden, \
                  none\nend subroutine\n";
    assert_eq!(
        said(&[("a.f90", source)]),
        [
            "a.f90:6:16: error[OX1104]: module `m` has no public name `hidden`",
            "a.f90:6:24: error[OX1104]: module `m` has no public name `none`",
        ]
    );
}

#[test]
fn a_second_type_is_an_error() {
    let source = "subroutine s\n  integer :: i\n  real :: i\nend subroutine\n";
    assert_eq!(said(&[("a.f90", source)]), ["a.f90:3:11: error[OX1105]: `i` has a type already"]);
}

#[test]
fn an_unknown_type_is_an_error() {
    let source = "subroutine s\n  type(t) :: x\nend subroutine\n";
    assert_eq!(
        said(&[("a.f90", source)]),
        ["a.f90:2:8: error[OX1106]: there is no derived type `t` here"]
    );
}

#[test]
fn a_submodule_without_its_module_is_an_error() {
    let source = "submodule (m) s\nend submodule\n";
    assert_eq!(
        said(&[("a.f90", source)]),
        ["a.f90:1:12: error[OX1107]: the source of `m` was not given"]
    );
}

#[test]
fn a_module_procedure_without_interface_is_an_error() {
    let source = "module m\nend module\nsubmodule (m) s\ncontains\n  module procedure p\n  end procedure\nend \
                  submodule\n";
    assert_eq!(
        said(&[("a.f90", source)]),
        ["a.f90:5:20: error[OX1108]: no interface of the module procedure `p` was found"]
    );
}

#[test]
fn a_directive_that_names_no_variable_is_a_warning() {
    let source = "subroutine s(x)\n  !$openad independent(y)\n  x = 1\nend subroutine\n";
    assert_eq!(
        said(&[("a.f90", source)]),
        ["a.f90:2:3: warning[OX1109]: the directive names `y`, which is no variable here"]
    );
}

/// Declarations that need each other in the wrong order, however many, end neither the stack nor
/// the patience of a person.
#[test]
fn long_chains_of_declarations_are_lowered() {
    let mut source = String::from("subroutine s\n");
    for index in 0..3000 {
        source += &format!("  integer, parameter :: n{index} = n{} + 1\n", index + 1);
    }
    source += "  integer, parameter :: n3000 = 0\nend subroutine\n";
    let translation = translate(&[("a.f90", &source)]);
    assert!(translation.document.symbols.len() > 3000);
}

shows! {
    /// Its declarations are looked at before the body of the host, which declares `n` and `m`.
    bounds_of_contained_procedures_use_undeclared_variables_of_the_host: "
program p
  n = 4
  m = 3
  call s
contains
  subroutine s
    real a(n)
    a = m
    l = 1
  end subroutine
  function own()
    real own(m)
    integer n
    n = 2
    own = n
  end function
end program
"
    names_of_constructs_are_not_variables_of_the_host: "
program p
  real x(3)
  block
    integer n
    n = 4
  end block
  forall (k = 1:3) x(k) = k
  associate (m => x)
    m = 1
  end associate
contains
  subroutine s(a, b, c)
    real a(n), b(k), c(m)
    a = 1
    b = 2
    c = 3
  end subroutine
end program
"
    a_function_may_be_passed_before_it_is_called: "
subroutine s(f, x)
  call apply(f, x)
  call apply(g, x)
  y = f(x) + g(x)
end subroutine
"
}

shows! {
    /// The order of the members of a block is their place in memory.
    statements_for_one_common_block_keep_their_order: "
subroutine s
  common /c/ a, b
  common /c/ d
  common /e/ f
  dimension a(n)
  parameter (n = 2)
end subroutine
"
    a_common_block_keeps_its_binding_label: "
subroutine s
  common /c/ a
  bind(c, name='Other') :: /c/
end subroutine
"
    declarations_within_constructs_are_those_of_the_unit: "
subroutine s(x)
  if (x > 0) then
    integer r
    r = x
  else
    real :: t = 2
    x = t
  end if
end subroutine
"
}

#[test]
fn a_declaration_behind_the_statements_of_a_block_is_an_error() {
    let source = "subroutine s\n  block\n    x = 1\n    integer w\n    w = 1\n  end block\nend\n";
    assert_eq!(
        said(&[("a.f90", source)]),
        ["a.f90:4:5: error[OX1110]: a declaration behind an executable statement"]
    );
}

/// In fixed form blanks mean nothing, but for this statement of old compilers.
#[test]
fn parameter_without_parentheses_is_no_assignment() {
    let source = "      INTEGER A\n      PARAMETER A=1\n      PARAMETERB=A\n      END\n";
    let text = show(&translate(&[("a.f", source)]).document);
    assert!(text.contains("A: integer4, constant, = 1\n"), "{text}");
    assert!(text.contains("PARAMETERB = A\n"), "{text}");
}

/// The call graph of the sources, an edge a line, each procedure with the name around it.
fn calls(files: &[(&str, &str)]) -> Vec<String> {
    let doc = translate(files).document;
    let name = |proc| {
        let symbol = &doc.symbols[doc.procs[proc].symbol];
        let around = match doc.scopes[symbol.scope].kind {
            ScopeKind::Module(unit) | ScopeKind::Submodule { symbol: unit, .. } => doc.name(unit),
            _ => "",
        };
        format!("{around}:{}", symbol.id)
    };
    doc.calls
        .iter()
        .map(|&(caller, callee)| format!("{} -> {}", name(caller), name(callee)))
        .collect()
}

#[test]
fn declarations_and_statement_functions_call() {
    let source = "
module m
contains
  pure integer function f(n)
    integer, intent(in) :: n
    f = n
  end function
  subroutine s(n)
    integer, intent(in) :: n
    real :: a(f(n))
    character(len=f(n)) :: c
    a = 1
    c = ' '
  end subroutine
  subroutine t(x)
    double(y) = 2*f(y)
    x = x
  end subroutine
end module
";
    assert_eq!(calls(&[("a.f90", source)]), ["m:s -> m:f", "m:t -> m:f"]);
}

/// Two modules may each have a separate module procedure of the same name.
#[test]
fn a_call_reaches_the_separate_procedure_of_its_own_module() {
    let module = |name: &str| {
        format!(
            "
module {name}
  interface
    module subroutine work
    end subroutine
  end interface
contains
  subroutine {name}_user
    call work
  end subroutine
end module
submodule ({name}) {name}_parts
contains
  module procedure work
  end procedure
end submodule
"
        )
    };
    let (first, second) = (module("one"), module("two"));
    assert_eq!(
        calls(&[("a.f90", &first), ("b.f90", &second)]),
        ["one:one_user -> one_parts:work", "two:two_user -> two_parts:work"]
    );
}

/// The deepest nesting that the parser allows (the unit counts, too), on the stack that a test
/// thread has.
#[test]
fn the_deepest_nesting_of_blocks_needs_no_stack_of_the_caller() {
    let depth = 199;
    let source = format!(
        "subroutine s(x)\n{}x = 1\n{}end subroutine\n",
        "block\n".repeat(depth),
        "end block\n".repeat(depth)
    );
    assert_eq!(said(&[("a.f90", &source)]), Vec::<String>::new());
}

/// FORTRAN 66's `a(1)`: what a procedure uses more of has any size; what it uses as a whole, or no
/// more of than one element, has the size that it says.
#[test]
fn arrays_of_one_element_that_are_used_beyond_have_any_size() {
    let translation = translate(&[(
        "a.f90",
        "subroutine s(n, subscripted, passed, columns, whole, shaped, first, random, sections)
  integer n
  real subscripted(1), passed(1), columns(n, 1), whole(1), shaped(1), first(1), random(1)
  real sections(1)
  interface
    subroutine takes_shape(a)
      real a(:)
    end subroutine
  end interface
  subscripted(n) = first(1)
  call through(n, passed)
  columns(1, 2) = sections(n)
  whole = whole(1) + sections(1:n)
  shaped(n) = 1
  call takes_shape(shaped)
  call random_number(random)
  call one(first)
end subroutine
subroutine through(n, a)
  integer n
  real a(1)
  call outside(a)
end subroutine
subroutine one(a)
  real a(1)
  a(1) = 0
end subroutine
",
    )]);
    let doc = &translation.document;
    let any_size: Vec<&str> = doc
        .symbols
        .values()
        .filter_map(|symbol| symbol.decl.as_deref())
        .filter(|decl| matches!(decl.dims.last(), Some(Dim::AssumedSize { .. })))
        .map(|decl| &*decl.name)
        .collect();
    assert_eq!(any_size, ["subscripted", "passed", "columns", "sections", "a"]);
}

#[test]
fn the_length_behind_the_name_of_a_number_is_that_of_its_type() {
    let text = shown(
        "subroutine s(x, y)\n real a*8(3), b(2)*8, x*8, y\n integer i*2, j*8\n complex z*16, w*8\n \
         logical l*1\n character c*5, d*3(2)\n type t\n real p*8, q\n end type\nend subroutine\n",
    );
    for declared in [
        "a: real8[3]",
        "b: real8[2]",
        "x: real8",
        "y: real4",
        "i: integer2",
        "j: integer8",
        "z: complex8",
        "w: complex4",
        "l: logical1",
        "p: real8",
        "q: real4",
    ] {
        assert!(text.contains(declared), "{declared}\n{text}");
    }
}

#[test]
fn a_length_that_does_not_go_with_the_type_is_an_error() {
    for declaration in ["double precision q*8", "real q*(*)", "integer n\n real q*(n)"] {
        let source = format!("subroutine s\n{declaration}\nend subroutine\n");
        let found = said(&[("a.f90", &source)]);
        assert!(found.iter().any(|line| line.contains("OX1111")), "{declaration}: {found:?}");
    }
}

#[test]
fn allocate_with_an_unknown_option_keeps_its_text() {
    let source = "subroutine s(n)\n integer n\n logical ok\n real, allocatable :: w(:)\n \
                  allocate (w(n), pinned=ok)\n deallocate (w, async=3)\nend subroutine\n";
    let translation = translate(&[("a.f90", source)]);
    let text = show(&translation.document);
    assert!(text.contains("allocate (w(n), pinned=ok)"), "{text}");
    assert!(text.contains("deallocate (w, async=3)"), "{text}");
    let codes: Vec<u16> = translation.diagnostics.iter().map(|one| one.code.0).collect();
    assert_eq!(codes, [1011, 1011]);
}
