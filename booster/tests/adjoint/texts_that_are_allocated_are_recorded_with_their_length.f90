! call told x=[1.5,0.5,0.25] y=0
! call chosen x=[1.5,0.5,0.25] y=0
! call logged x=[1.5,0.5,0.25] y=0
! A text whose length is that of its allocation is released and allocated anew: what is recorded has its length.
module allocated_texts
  implicit none
  type :: report
    character(len=:), allocatable :: what
    real(8) :: v = 0d0
  end type report
  character(len=:), allocatable, save :: last
contains
  subroutine inverse(d, f, info)
    real(8), intent(in) :: d(3)
    real(8), intent(out) :: f
    character(len=:), allocatable, intent(out), optional :: info
    real(8) :: r
    r = sqrt(sum(d**2))
    if (r > 1) then
      if (present(info)) info = 'outside'
      f = 1/r
    else
      if (present(info)) info = 'in'
      f = r**2
    end if
  end subroutine inverse

  subroutine told(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    character(len=:), allocatable :: info
    real(8) :: f
    integer :: i
    y = 0d0
    do i = 1, 3
      call inverse(x/i, f, info)
      if (info == 'in') f = f*x(1)
      y = y + f*len(info)
    end do
    call inverse(x, f)
    y = y*f
  end subroutine told

  subroutine chosen(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    character(len=:), allocatable :: way, words(:)
    integer :: i
    y = x(1)
    allocate(character(len=2) :: words(0:1))
    words = ['ab', 'cd']
    do i = 1, 3
      way = repeat('s', i)
      if (i == 2) then
        deallocate(words)
        allocate(character(len=3) :: words(1:2))
        words = ['sss', 'cdd']
      end if
      select case (way)
      case ('s')
        y = y*sin(x(2))
      case ('ss')
        y = y*x(3)
      case default
        y = y + x(2)*y
      end select
      if (words(1) == way) y = y*x(1)
      if (words(1) == 'cd') y = y**2
      deallocate(way)
    end do
  end subroutine chosen

  subroutine logged(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(report) :: one
    integer :: i
    one%what = 'none'
    one%v = x(1)
    last = 'a'
    do i = 1, 3
      if (one%v > 0.5d0) then
        one%what = one%what//' large'
        last = last//'b'
      else
        one%what = 'small'
      end if
      one%v = one%v**2*x(2)*len(one%what) + x(3)
      if (last == 'abb') one%v = sin(one%v)
    end do
    y = one%v*len(last)
  end subroutine logged
end module allocated_texts
