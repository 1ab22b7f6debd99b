// Structures by value and by pointer, nested, with arrays.
#include <math.h>

typedef struct {
    double x, y;
} vec;

struct body {
    vec position, velocity;
    double mass[2];
    int id;
};

static vec add(vec a, vec b)
{
    vec c;
    c.x = a.x + b.x;
    c.y = a.y * b.y;
    return c;
}

static double energy(const struct body *b)
{
    return 0.5 * b->mass[0] * (b->velocity.x * b->velocity.x + b->velocity.y * b->velocity.y) + b->mass[1] * sqrt(b->position.x);
}

static void step(struct body *b, double dt)
{
    b->position.x += dt * b->velocity.x;
    b->position.y += dt * b->velocity.y;
    b->velocity.x -= dt * b->position.x * b->mass[b->id % 2];
}

void p(int n, const double *restrict x, int m, double *restrict y)
{
    struct body b;
    b.position.x = x[0];
    b.position.y = x[1];
    b.velocity.x = x[2] * x[n - 1];
    b.velocity.y = x[3];
    b.mass[0] = x[4];
    b.mass[1] = 2;
    b.id = 3;
    for (int k = 0; k < m; k++) {
        step(&b, 0.1 * x[5]);
        vec v = add(b.position, b.velocity);
        y[k] = energy(&b) + v.x * v.y;
    }
}
