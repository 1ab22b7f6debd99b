// Pointers that walk through arrays: strings of numbers, strides, two at a time, backwards.
#include <stdio.h>

static void daxpy(int n, double da, const double *dx, int incx, double *dy, int incy)
{
    if (n <= 0 || da == 0.0) return;
    if (incx == 1 && incy == 1) {
        for (int i = 0; i < n; i++) dy[i] += da * dx[i];
        return;
    }
    if (incx < 0) dx += (1 - n) * incx;
    if (incy < 0) dy += (1 - n) * incy;
    while (n--) {
        *dy += da * *dx;
        dx += incx;
        dy += incy;
    }
}

static double horner(const double *c, int n, double x)
{
    const double *p = c + n;
    double r = *p;
    while (p != c) r = r * x + *--p;
    return r;
}

static int merge(const double *a, int na, const double *b, int nb, double *out)
{
    const double *enda = a + na, *endb = &b[nb];
    double *start = out;
    while (a < enda && b < endb) *out++ = *a <= *b ? *a++ : *b++;
    while (a < enda) *out++ = *a++;
    while (b < endb) *out++ = *b++;
    return (int)(out - start);
}

int main(void)
{
    double x[5] = {1, 3, 5, 7, 9}, y[5] = {2, 4, 4.5, 8, 10}, z[10];
    double *middle = &x[2];
    daxpy(5, 0.5, x, 1, y, 1);
    daxpy(2, 2.0, x, 2, y, -1);
    middle[1] += middle[-1];
    printf("%g %g %g %g %g\n", y[0], y[1], y[2], y[3], *middle);
    printf("%.12g\n", horner(x, 4, 0.5));
    int n = merge(x, 5, y, 5, z);
    for (double *p = z; p < z + n; p++) printf("%g ", *p);
    printf("%d\n", n);
    return 0;
}
