void p(int n, const double *x, double *y) // OX1304
{
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
}
