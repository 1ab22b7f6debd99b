static void both(double *a, double *b)
{
    *a = *a * *b;
    *b = *a + *b;
}

void p(const double *restrict x, double *restrict y)
{
    double u = x[0] * x[1];
    both(&u, &u); // OX1304
    *y = u;
}
