double p(double x)
{
    if (x > 0) goto nowhere; // OX1301
    return x;
}
