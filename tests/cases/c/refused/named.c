double g[6];

void scale(int n, double *v)
{
    for (int i = 0; i < n; i++) v[i] = v[i] * g[0];
}

void p(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) g[i] = x[i];
    scale(n, g); // OX1304
    for (int i = 0; i < n; i++) y[i] = g[i];
}
