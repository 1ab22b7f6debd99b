! call drive x=[0.3,0.5] y=0
! along x=[1,0.5]
! ASSOCIATE within an arm names what the arm narrows, and a SELECT TYPE within that what ASSOCIATE names.
module names_within_arms
  implicit none
  type :: law
    real(8) :: c = 1
  end type law
  type, extends(law) :: wide
    real(8) :: d(2) = 0
  end type wide
  type :: pair
    type(wide) :: one
    class(law), allocatable :: two
  end type pair
contains
  subroutine mix(l, h)
    class(law), intent(inout) :: l
    type(pair), intent(inout) :: h
    select type (l)
    type is (wide)
      associate (d => l%d, p => h)
        d = d*l%c
        select type (t => p%two)
        type is (wide)
          associate (e => t%d(1), f => d(2))
            e = e*f + t%c
            l%c = l%c*e
          end associate
        class default
          associate (c => t%c)
            c = c*d(1)
          end associate
        end select
      end associate
    class default
      associate (d => h%one%c, c => l%c)
        d = d*c
        c = c + d
      end associate
    end select
  end subroutine mix

  subroutine drive(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    type(law) :: a
    type(wide) :: b
    type(pair) :: p
    a%c = x(1)
    b%c = x(2)
    b%d = x
    p%one%c = x(1)*x(2)
    allocate (p%two, source=wide(x(2), x))
    call mix(a, p)
    call mix(b, p)
    deallocate (p%two)
    allocate (p%two, source=law(x(1)))
    call mix(b, p)
    y = a%c*b%c + sum(b%d) + p%one%c + p%two%c
  end subroutine drive
end module names_within_arms
