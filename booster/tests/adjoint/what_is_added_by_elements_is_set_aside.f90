! call p x=[0.5,1.5,-0.5,0.25] m=[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0]
! gfortran 12 gives an allocatable array the wrong extent that is assigned the sum of a transposed section
! with negative strides.
subroutine p(x, m)
  implicit none
  real(8), intent(inout) :: x(4), m(3, 4)
  integer :: ix(4), k
  ix = [2, 4, 1, 2]
  do k = 1, 2
    m(3:1:-1, 4:1:-1) = transpose(spread(x(ix(1:4)), 2, 3))*m(1:3, 1:4)
    x([1, 3]) = x([3, 4])*m(k, 1:2)
  end do
end subroutine p
