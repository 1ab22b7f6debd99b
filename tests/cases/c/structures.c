// Structures: nested, with arrays, by value and by pointer, arrays of them.
#include <stdio.h>
#include <math.h>

typedef struct {
    double x, y, z;
} vec;

struct body {
    vec position, velocity;
    double mass;
    int id;
};

typedef struct body body;

struct system {
    int count;
    body bodies[3];
    double energy[2];
};

static vec add(vec a, vec b)
{
    vec c = {a.x + b.x, a.y + b.y, a.z + b.z};
    return c;
}

static double dot(const vec *a, const vec *b)
{
    return a->x * b->x + a->y * b->y + a->z * b->z;
}

static void scale(vec *v, double s)
{
    v->x *= s;
    v->y *= s;
    v->z *= s;
}

static void kick(struct system *s, double dt)
{
    for (int i = 0; i < s->count; i++) {
        for (int j = 0; j < s->count; j++) {
            if (i == j) continue;
            double dx = s->bodies[j].position.x - s->bodies[i].position.x;
            double dy = s->bodies[j].position.y - s->bodies[i].position.y;
            double r2 = dx * dx + dy * dy + 0.01;
            double f = s->bodies[j].mass / (r2 * sqrt(r2));
            s->bodies[i].velocity.x += dt * f * dx;
            s->bodies[i].velocity.y += dt * f * dy;
        }
    }
    for (int i = 0; i < s->count; i++) {
        vec step = s->bodies[i].velocity;
        scale(&step, dt);
        s->bodies[i].position = add(s->bodies[i].position, step);
    }
}

int main(void)
{
    struct system s = {3, {{{0, 0, 0}, {0, 0.1, 0}, 1.0, 7}, {{1, 0, 0}, {0, -0.5, 0}, 0.5, 8}, {{0, 2, 0}, {0.3}, 0.25, 9}}, {0}};
    struct system copy = s;
    for (int step = 0; step < 5; step++)
        kick(&s, 0.05);
    vec total = {0, 0, 0};
    int ids = 0;
    for (int i = 0; i < s.count; i++) {
        total = add(total, s.bodies[i].position);
        s.energy[i % 2] += 0.5 * s.bodies[i].mass * dot(&s.bodies[i].velocity, &s.bodies[i].velocity);
        ids = 10 * ids + s.bodies[i].id;
    }
    printf("%.12g %.12g %.12g %d\n", total.x, total.y, total.z, ids);
    printf("%.12g %.12g %.12g\n", s.energy[0], s.energy[1], copy.bodies[2].position.y);
    return 0;
}
