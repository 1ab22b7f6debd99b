// Runge-Kutta steps and Simpson's rule; constants as macros, a prototype before its function, optional arguments.
#include <math.h>
#include <stdio.h>
#include <assert.h>

#define DIM 2
#define SQUARE(x) ((x) * (x))

void rhs(double t, const double *restrict y, double *restrict dy);

static void rk4(double t, double h, double y[DIM])
{
    double k1[DIM], k2[DIM], k3[DIM], k4[DIM], w[DIM];
    int i;
    rhs(t, y, k1);
    for (i = 0; i < DIM; i++) w[i] = y[i] + 0.5 * h * k1[i];
    rhs(t + 0.5 * h, w, k2);
    for (i = 0; i < DIM; i++) w[i] = y[i] + 0.5 * h * k2[i];
    rhs(t + 0.5 * h, w, k3);
    for (i = 0; i < DIM; i++) w[i] = y[i] + h * k3[i];
    rhs(t + h, w, k4);
    for (i = 0; i < DIM; i++) y[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
}

void rhs(double t, const double *restrict y, double *restrict dy)
{
    dy[0] = y[1];
    dy[1] = -SQUARE(1.2) * y[0] - 0.1 * y[1] + cos(t);
}

static double simpson(int n, double a, double b, double *error)
{
    assert(n % 2 == 0 && n > 0);
    double h = (b - a) / n, s = exp(-a * a) + exp(-b * b);
    for (int i = 1; i < n; i++)
        s += (i % 2 ? 4 : 2) * exp(-SQUARE(a + i * h));
    s *= h / 3;
    if (error != NULL)
        *error = fabs(s - 0.5 * sqrt(acos(-1.0)) * erf(b));
    return s;
}

int main(void)
{
    double y[DIM] = {1.0, 0.0}, e = -1;
    for (int k = 0; k < 20; k++) rk4(0.1 * k, 0.1, y);
    printf("%.10f %.10f\n", y[0], y[1]);
    double s = simpson(20, 0, 1.5, &e);
    printf("%.10f %d %.10f\n", s, e < 1e-5, simpson(4, 0.0, 1.0, NULL));
    return 0;
}
