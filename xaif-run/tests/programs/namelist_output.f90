! Namelist output: five values a line, repeat counts, every type.
program namelist_output
  implicit none
  integer :: k(7)=[1,2,3,4,5,6,7], kk(3)=5, i1=-3
  real :: r(8)=[1.,2.,3.,4.,5.,6.,7.,7.], z=-1e-20
  real(8) :: d=1d0/3, dd(2)=[1d0,1d0]
  complex :: c=(1.,-2.)
  complex(8) :: c8(2)=[(1d0,2d0),(3d0,-4d100)]
  logical :: l(3)=[.true.,.false.,.false.]
  character(3) :: s(2)=['abc','de '], s1='it'''
  integer(8)::big=12345678901_8
  integer(1)::tiny1=-5_1
  namelist /g/ k,kk,i1,r,z,d,dd,c,c8,l,s,s1,big,tiny1
  write(*,nml=g)
end
