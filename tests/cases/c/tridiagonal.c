// A tridiagonal solver with memory from malloc, and one with variable-length arrays.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

static int solve(int n, const double *sub, const double *diag, const double *super, const double *rhs, double *x)
{
    double *c = malloc(n * sizeof(double));
    double *d = (double *)malloc(sizeof(double) * (size_t)n);
    if (!c || d == NULL) {
        free(c);
        free(d);
        return 1;
    }
    c[0] = super[0] / diag[0];
    d[0] = rhs[0] / diag[0];
    for (int i = 1; i < n; i++) {
        const double m = diag[i] - sub[i] * c[i - 1];
        if (fabs(m) < 1e-14) {
            free(c);
            free(d);
            return 2;
        }
        c[i] = super[i] / m;
        d[i] = (rhs[i] - sub[i] * d[i - 1]) / m;
    }
    x[n - 1] = d[n - 1];
    for (int i = n - 2; i >= 0; i--)
        x[i] = d[i] - c[i] * x[i + 1];
    free(d);
    free(c);
    return 0;
}

static double residual(int n, const double *sub, const double *diag, const double *super, const double *rhs, const double *x)
{
    double r[n];
    double norm = 0;
    for (int i = 0; i < n; i++) {
        r[i] = rhs[i] - diag[i] * x[i];
        if (i > 0) r[i] -= sub[i] * x[i - 1];
        if (i + 1 < n) r[i] -= super[i] * x[i + 1];
    }
    for (int i = 0; i < n; i++)
        norm += r[i] * r[i];
    return sqrt(norm);
}

int main(void)
{
    enum { n = 8 };
    double a[n], b[n], c[n], f[n], x[n];
    for (int i = 0; i < n; i++) {
        a[i] = -1.0;
        b[i] = 4.0 + 0.1 * i;
        c[i] = -1.5;
        f[i] = i * i - 3;
    }
    int status = solve(n, a, b, c, f, x);
    for (int i = 0; i < n; i++)
        printf("%12.8f%c", x[i], i == n - 1 ? 10 : 32);
    printf("%d %d\n", status, residual(n, a, b, c, f, x) < 1e-12);
    b[0] = b[1] = 0.5;
    a[1] = 0.25;
    c[0] = 1.0;
    printf("%d\n", solve(2, a, b, c, f, x));
    return 0;
}
