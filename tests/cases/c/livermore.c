// Loops as the Livermore kernels have them: fragments of hydrodynamics, inner products, recurrences.
#include <stdio.h>

#define N 64

static double u[N + 16], v[N + 16], w[N + 16], y[N + 16], z[N + 16];

static void fill(void)
{
    int i;
    for (i = 0; i < N + 16; i++) {
        u[i] = 0.01 * (i % 7) + 0.5;
        v[i] = 0.02 * (i % 5) - 0.1;
        w[i] = 1.0 / (i + 1.0);
        y[i] = 0.3 + 0.001 * i;
        z[i] = (i % 3) * 0.25;
    }
}

/* hydro fragment */
static double hydro(double q, double r, double t)
{
    double s = 0.0;
    for (int k = 0; k < N; k++)
        u[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
    for (int k = N - 1; k >= 0; k -= 3)
        s += u[k];
    return s;
}

/* incomplete Cholesky, with halving ranges */
static double cholesky(void)
{
    int ii = N, ipntp = 0, ipnt;
    do {
        ipnt = ipntp;
        ipntp += ii;
        ii /= 2;
        int i = ipntp;
        for (int k = ipnt + 1; k < ipntp && i < N + 15; k += 2) {
            i++;
            w[i] = u[k] - v[k] * u[k - 1] - v[k + 1] * u[k + 1];
        }
    } while (ii > 0);
    return w[N + 1] + w[N + 5];
}

static double inner(const double *a, const double *b, int n)
{
    double q = 0.0;
    while (n-- > 0)
        q += *a++ * *b++;
    return q;
}

/* general linear recurrence */
static void recurrence(void)
{
    for (int i = 1; i < 20; i++) {
        w[i] = 0.01;
        for (int k = 0; k < i; k++)
            w[i] += v[k] * w[(i - k) - 1];
    }
}

/* first minimum, and Planckian-like distribution */
static int first_min(const double x[], int n)
{
    int m = 0;
    for (int k = 1; k < n; ++k)
        if (x[k] < x[m]) m = k;
    return m;
}

int main(void)
{
    fill();
    printf("%.12g\n", hydro(0.1, 0.2, 0.3));
    printf("%.12g\n", cholesky());
    printf("%.12g\n", inner(u, y, N));
    recurrence();
    printf("%.12g %.12g\n", w[5], w[19]);
    printf("%d %d\n", first_min(v, N), first_min(u + 3, N - 3));
    return 0;
}
