module animals
  implicit none
  type :: body
    real :: mass = 1.0
  contains
    procedure :: energy => body_energy
  end type body
  type, extends(body) :: mover
    real :: speed = 2.0
  contains
    procedure :: energy => mover_energy
  end type mover
  type, extends(mover) :: charged
    real :: charge = 0.5
  end type charged
contains
  real function body_energy(self)
    class(body), intent(in) :: self
    body_energy = self%mass
  end function body_energy
  real function mover_energy(self)
    class(mover), intent(in) :: self
    mover_energy = self%body%energy() + 0.5*self%mass*self%speed**2
  end function mover_energy
  subroutine describe(b)
    class(body), intent(in) :: b
    select type (b)
    type is (body)
      print *, 'body', b%mass
    class is (charged)
      print *, 'charged', b%charge, b%speed
    class default
      print *, 'something else', b%mass
    end select
  end subroutine describe
  subroutine anything(x)
    class(*), intent(in) :: x
    select type (v => x)
    type is (integer)
      print *, 'integer', v + 1
    type is (real)
      print *, 'real', v*2.0
    type is (character(*))
      print *, 'text ', v, len(v)
    end select
  end subroutine anything
end module animals

program extend
  use animals
  implicit none
  class(body), allocatable :: b
  type(charged) :: c
  allocate(mover :: b)
  b%mass = 3.0
  call describe(b)
  print *, b%energy()
  c%mass = 4.0
  c%speed = 1.0
  call describe(c)
  call describe(c%mover%body)
  print *, c%energy(), extends_type_of(c, b), same_type_as(c, b)
  call anything(4)
  call anything(2.5)
  call anything('word')
end program extend
