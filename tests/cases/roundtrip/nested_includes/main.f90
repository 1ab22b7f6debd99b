program main
  implicit none
  include 'outer.inc'
  x = scale*2.0
  include "body.inc"
contains
  include 'procedures.inc'
end program main
