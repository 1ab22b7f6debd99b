! flags: -std=legacy
module counters
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  integer(c_int) :: hits, misses
  common /tally/ hits, misses
  bind(c, name="Tally_Of_Hits") :: /tally/
  integer(c_int) :: depth
  common /level/ depth
  bind(c) :: /level/
end module counters

program main
  use counters
  implicit none
  hits = 3
  misses = 4
  depth = 5
  print *, hits, misses, depth
end program main
