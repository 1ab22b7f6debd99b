"""The gradient of the range with respect to speed, angle and drag."""

from numpy import array

from trajectory import range_of_b

point = 30.0, 0.7, 0.01
speedb, angleb, dragb, distance = array(0.0), array(0.0), array(0.0), array(0.0)
range_of_b(point[0], speedb, point[1], angleb, point[2], dragb, distance, array(1.0))
print(f"{speedb:.6f} {angleb:.6f} {dragb:.6f}")
