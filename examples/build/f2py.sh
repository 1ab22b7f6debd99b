set -e
oxad adjoint trajectory.f90 -o derivative
gcc -O2 -fPIC -c derivative/oxad_tape_chunks.c
gfortran -O2 -fPIC -c derivative/oxad_tape.f90
f2py -c -m trajectory trajectory.f90 derivative/trajectory_b.f90 \
    "$PWD/oxad_tape.o" "$PWD/oxad_tape_chunks.o" "-I$PWD"
python3 gradient.py
