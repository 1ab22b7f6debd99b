struct vector {
    int n;
    double *data; // OX1301
};

double p(const struct vector *v)
{
    return v->data[0];
}
