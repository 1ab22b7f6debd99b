union both {
    double x;
    long bits;
};

double p(double x)
{
    union both b; // OX1301
    b.x = x;
    return b.x;
}
