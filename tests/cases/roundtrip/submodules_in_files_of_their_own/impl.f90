submodule (api) impl
  implicit none
contains
  module procedure bump
    integer :: step
    step = 1
    if (present(by)) step = by
    self%n = self%n + step
  end procedure bump
end submodule impl
