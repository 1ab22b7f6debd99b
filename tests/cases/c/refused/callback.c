double p(double (*f)(double), double x) // OX1301
{
    return f(x);
}
