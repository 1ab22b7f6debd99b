module kinds
  implicit none
  integer, parameter :: wp = selected_real_kind(15)
  integer, parameter :: n = 3
end module kinds
