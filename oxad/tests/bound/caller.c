/* Calls the derivatives of model.f90, and compares them with central differences of the originals. */
#include <math.h>
#include <stdio.h>

typedef struct { double u, v; } pair;
typedef double curve(double t);

void geo_Length(int n, const double *x, double *s);
double product_of(const pair *p);
void Relax(double w, double *y);
void drive(const double *x, double *y);
void apply(curve *f, const double *t, double *y);

static int failed;

static void compare(const char *what, double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-6 * (1 + fabs(wanted)))) {
        printf("%s: %.12g instead of %.12g\n", what, found, wanted);
        failed = 1;
    }
}

#define N 4
static const double X[N] = {0.3, 1.2, -0.7, 0.9};
static const double H = 1e-5;

/* The derivative of the length by X[i]. */
static inline double slope_of_length(int i)
{
    double x[N], up, down;
    for (int k = 0; k < N; k++)
        x[k] = X[k];
    x[i] = X[i] + H;
    geo_Length(N, x, &up);
    x[i] = X[i] - H;
    geo_Length(N, x, &down);
    return (up - down) / (2 * H);
}

static inline double slope_of_drive(double x)
{
    double up, down, right = x + H, left = x - H;
    drive(&right, &up);
    drive(&left, &down);
    return (up - down) / (2 * H);
}

#ifdef ADJOINT
void geo_Length_b(int n, const double *x, double *xb, double *s, double *sb);
void product_of_b(const pair *p, pair *pb, double *r, double *rb);
void Relax_b(double w, double *wb, double *y, double *yb);
void drive_b(const double *x, double *xb, double *y, double *yb);

static void compare_all(void)
{
    double s, sb = 1, xb[N] = {0};
    geo_Length_b(N, X, xb, &s, &sb);
    for (int i = 0; i < N; i++)
        compare("length", xb[i], slope_of_length(i));
    pair p = {2, 3}, pb = {0, 0};
    double r, rb = 1;
    product_of_b(&p, &pb, &r, &rb);
    compare("product", pb.u, 9);
    compare("product", pb.v, 12);
    double y = 3, yb = 1, wb = 0;
    Relax_b(2, &wb, &y, &yb);
    compare("relax", wb, 9);
    compare("relax", yb, 12);
    double x = 1.1;
    double xs = 0;
    yb = 1;
    drive_b(&x, &xs, &y, &yb);
    compare("drive", xs, slope_of_drive(x));
}
#elif defined ADJOINT_OF_DUMMY
typedef void curve_b(double t, double *tb, double *r, double *rb);
void apply_b(curve *f, curve_b *fb, const double *t, double *tb, double *y, double *yb);

static double cubic(double t)
{
    return t * t * t;
}

static void cubic_b(double t, double *tb, double *r, double *rb)
{
    *r = cubic(t);
    *tb += 3 * t * t * *rb;
    *rb = 0;
}

static void compare_all(void)
{
    double t = 0.8, tb = 0, y, yb = 1;
    apply_b(cubic, cubic_b, &t, &tb, &y, &yb);
    compare("apply", tb, 4 * 8 * t * t * t);
}
#elif defined DIRECTIONS
void geo_Length_d(int n, const double *x, const double (*xd)[2], double *s, double *sd);
void product_of_d(const pair *p, const pair *pd, double *r, double *rd);
void Relax_d(double w, const double *wd, double *y, double *yd);
void drive_d(const double *x, const double *xd, double *y, double *yd);

static void compare_all(void)
{
    for (int i = 0; i + 1 < N; i++) {
        double s, sd[2], xd[N][2] = {{0}};
        xd[i][0] = 1;
        xd[i + 1][1] = 2;
        geo_Length_d(N, X, (const double (*)[2])xd, &s, sd);
        compare("length", sd[0], slope_of_length(i));
        compare("length", sd[1], 2 * slope_of_length(i + 1));
    }
    pair p = {2, 3}, pd[2] = {{1, 0}, {0, 1}};
    double r, rd[2];
    product_of_d(&p, pd, &r, rd);
    compare("product", rd[0], 9);
    compare("product", rd[1], 12);
    double wd[2] = {1, 0}, y = 3, yd[2] = {0, 1};
    Relax_d(2, wd, &y, yd);
    compare("relax", yd[0], 9);
    compare("relax", yd[1], 12);
    compare("relax", wd[0], 1);
    double x = 1.1, xs[2] = {1, 3};
    drive_d(&x, xs, &y, yd);
    compare("drive", yd[0], slope_of_drive(x));
    compare("drive", yd[1], 3 * slope_of_drive(x));
}
#else
typedef void curve_d(double t, double td, double *r, double *rd);
void geo_Length_d(int n, const double *x, const double *xd, double *s, double *sd);
void product_of_d(const pair *p, const pair *pd, double *r, double *rd);
void Relax_d(double w, double wd, double *y, double *yd);
void drive_d(const double *x, const double *xd, double *y, double *yd);
void apply_d(curve *f, curve_d *fd, const double *t, const double *td, double *y, double *yd);

static double cubic(double t)
{
    return t * t * t;
}

static void cubic_d(double t, double td, double *r, double *rd)
{
    *r = cubic(t);
    *rd = 3 * t * t * td;
}

static void compare_all(void)
{
    for (int i = 0; i < N; i++) {
        double s, sd, xd[N] = {0};
        xd[i] = 1;
        geo_Length_d(N, X, xd, &s, &sd);
        compare("length", sd, slope_of_length(i));
    }
    pair p = {2, 3}, pd = {1, 2};
    double r, rd;
    product_of_d(&p, &pd, &r, &rd);
    compare("product", rd, 9 + 2 * 12);
    double y = 3, yd = 1;
    Relax_d(2, 1, &y, &yd);
    compare("relax", yd, 9 + 12);
    double x = 1.1, xs = 1;
    drive_d(&x, &xs, &y, &yd);
    compare("drive", yd, slope_of_drive(x));
    double t = 0.8, td = 1;
    apply_d(cubic, cubic_d, &t, &td, &y, &yd);
    compare("apply", yd, 4 * 8 * t * t * t);
}
#endif

int main(void)
{
    compare_all();
    return failed;
}
