static double area(double a, double b) { return a * b; }

double p(double x)
{
    return area(x); // OX1302
}
