// Matrices: fixed, of variable extents, rows as vectors, flattened.
#include <stdio.h>
#include <string.h>

#define N 3

static double trace(double m[N][N])
{
    double t = 0;
    for (int i = 0; i < N; i++) t += m[i][i];
    return t;
}

static void multiply(int n, int k, int m, double a[n][k], double b[k][m], double c[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0;
            for (int l = 0; l < k; l++)
                c[i][j] += a[i][l] * b[l][j];
        }
}

static double norm1(const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += v[i] < 0 ? -v[i] : v[i];
    return s;
}

static int lu(double *a, int n, int *pivot)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (a[i * n + k] * a[i * n + k] > a[p * n + k] * a[p * n + k]) p = i;
        pivot[k] = p;
        if (a[p * n + k] == 0) return k + 1;
        if (p != k)
            for (int j = 0; j < n; j++) {
                double t = a[k * n + j];
                a[k * n + j] = a[p * n + j];
                a[p * n + j] = t;
            }
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    }
    return 0;
}

int main(void)
{
    double a[N][N] = {{2, 1, 0}, {1, 3, -1}, {0, -1, 4}}, b[N][N], c[N][N];
    double flat[N * N];
    int pivot[N];
    memset(b, 0, sizeof b);
    for (int i = 0; i < N; i++) b[i][N - 1 - i] = i + 1;
    multiply(N, N, N, a, b, c);
    printf("%g %g %g %g\n", trace(a), trace(c), norm1(c[1], N), norm1(&c[0][0], N * N));
    for (int i = 0; i < N * N; i++) flat[i] = a[i / N][i % N];
    int info = lu(flat, N, pivot);
    double det = 1;
    for (int i = 0; i < N; i++) det *= flat[i * N + i];
    printf("%d %.12g %d%d%d\n", info, det, pivot[0], pivot[1], pivot[2]);
    int n = 2 + info;
    double m[n + 1][n];
    for (int i = 0; i <= n; i++)
        for (int j = 0; j < n; j++) m[i][j] = 10 * i + j;
    printf("%g %g\n", m[n][n - 1], norm1(m[1], n));
    return 0;
}
