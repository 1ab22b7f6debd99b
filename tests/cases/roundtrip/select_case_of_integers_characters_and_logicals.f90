program cases
  implicit none
  integer :: i
  character(len=3) :: words(4) = ['abc', 'mmm', 'xyz', '   ']
  do i = -2, 8
    select case (i)
    case (:-1)
      print *, i, 'negative'
    case (0)
      print *, i, 'zero'
    case (1, 3, 5:6)
      print *, i, 'chosen'
    case default
      print *, i, 'other'
    case (8:)
      print *, i, 'large'
    end select
  end do
  do i = 1, 4
    kind: select case (words(i))
    case ('a':'c')
      print *, 'early'
    case ('xyz') kind
      print *, 'exact'
    case default kind
      print *, 'none'
    end select kind
  end do
  select case (words(1) == 'abc')
  case (.true.)
    print *, 'yes'
  case (.false.)
    print *, 'no'
  end select
  select case (i)
  end select
end program cases
