static void smooth(int n, const double *a, double *b)
{
    for (int i = 0; i < n; i++) b[i] = 0.5 * (a[i] + a[i + 1]) * a[i];
}

void p(int n, const double *restrict x, double *restrict y)
{
    double t[12];
    for (int i = 0; i < n; i++) t[i] = x[i];
    smooth(n - 1, t, t + 1); // OX1304
    for (int i = 0; i < n; i++) y[i] = t[i];
}
