// Matrices of fixed and variable extents, rows of them as vectors.

static double dot(const double *a, const double *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

static void multiply(int n, double a[n][n], double b[3][4], double c[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 4; k++) c[i][j] += a[i][j] * b[k % 3][k] * a[j][i];
}

void p(int n, const double *restrict x, int m, double *restrict y)
{
    double a[3][3], b[3][4], c[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a[i][j] = x[3 * i + j] - 0.5;
        for (int j = 0; j < 4; j++) b[i][j] = x[(i + 2 * j) % n];
    }
    multiply(3, a, b, c);
    for (int k = 0; k < m; k++) y[k] = dot(c[k % 3], a[(k + 1) % 3], 3) + c[0][k % 3] * a[1][1];
}
