! a page of remarks
! before the program
subroutine head(n, x, y)
!$openad INDEPENDENT(x)
  implicit none
  integer, intent(in) :: n
  real, intent(in) :: x(n)   ! the inputs
  real, intent(out) :: y     ! the output
  integer :: i
  y = 0.0
!$omp parallel do reduction(+:y)
  do i = 1, n
    !$oxad nocheckpoint
    y = y + x(i)**2
  end do
!$omp end parallel do
!$ad NOCHECKPOINT
  do i = 1, n
    y = y*x(i)
  end do
!$openad DEPENDENT(y)
end subroutine head

program directives
  implicit none
  real :: x(3) = [1.0, 2.0, 3.0], y
!$ print *, 'conditional compilation'
  call head(3, x, y)
  print *, y
end program directives
