/* Executes loops with checkpoints: a state of some integers, of which each iteration makes the next. Compares the
 * executions with the least number, and each restored state with the right one. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void oxad_push_bytes(const void *values, size_t bytes);
void oxad_pop_bytes(void *values, size_t bytes);
void oxad_checkpoints_begin(int scheme, int64_t number, int64_t known);
int32_t oxad_checkpoint_due(int64_t variable);
int32_t oxad_checkpoint_next(int64_t *variable);
void oxad_checkpoint_end(void);
int64_t oxad_checkpoints_advanced(void);
int64_t oxad_checkpoints_turned(void);
size_t oxad_tape_bytes(void);

enum { BINOMIAL, PERIODIC, DISK, TAKE = 1, RESTORE, ADVANCE, TURN };
enum { SIZE = 5 };

static uint64_t state[SIZE];

static void begin(void)
{
    for (int i = 0; i < SIZE; i++)
        state[i] = (uint64_t)i + 1;
}

static void iterate(int64_t variable)
{
    for (int i = 0; i < SIZE; i++)
        state[i] = state[i] * UINT64_C(6364136223846793005) + (uint64_t)variable;
}

static void check(int good, const char *what, int64_t trips, int64_t number)
{
    if (good)
        return;
    fprintf(stderr, "%s (%ld iterations, %ld)\n", what, (long)trips, (long)number);
    exit(1);
}

/* Iterations that are executed again or first, without the last one of the forward sweep. */
static int64_t executed(int scheme, int64_t trips, int64_t number, int64_t known)
{
    uint64_t(*right)[SIZE] = malloc(sizeof *right * (size_t)(trips + 1));
    int64_t before = oxad_checkpoints_advanced(), turned = oxad_checkpoints_turned(), variable = 0, left = trips;
    begin();
    oxad_checkpoints_begin(scheme, number, known);
    for (int64_t i = 0; i < trips; i++) {
        memcpy(right[i], state, sizeof state);
        if (oxad_checkpoint_due(7 + 3 * i) == TAKE) {
            oxad_push_bytes(state, sizeof state);
            oxad_checkpoint_end();
        }
        iterate(7 + 3 * i);
    }
    memset(state, 0, sizeof state);
    for (int action; (action = oxad_checkpoint_next(&variable)) != 0;) {
        int64_t at = (variable - 7) / 3;
        if (action == TAKE) {
            oxad_push_bytes(state, sizeof state);
            oxad_checkpoint_end();
        } else if (action == RESTORE) {
            oxad_pop_bytes(state, sizeof state);
            oxad_checkpoint_end();
            check(!memcmp(state, right[at], sizeof state), "another state was restored", trips, number);
        } else if (action == ADVANCE) {
            iterate(variable);
        } else {
            check(at == --left, "another iteration is reversed", trips, number);
            check(!memcmp(state, right[at], sizeof state), "an iteration is reversed from another state", trips, number);
            memset(state, 0, sizeof state);
        }
    }
    free(right);
    check(left == 0 && oxad_checkpoints_turned() - turned == trips, "not all are reversed", trips, number);
    check(oxad_tape_bytes() == 0, "a snapshot is left", trips, number);
    return oxad_checkpoints_advanced() - before + (trips ? trips - 1 : 0);
}

enum { MOST = 60, SNAPSHOTS = 8 };

int main(void)
{
    /* t(l, c) = min over m of m + t(l - m, c - 1) + t(m, c). */
    static int64_t least[MOST][SNAPSHOTS + 1];
    for (int c = 1; c <= SNAPSHOTS; c++) {
        for (int l = 2; l < MOST; l++) {
            least[l][c] = (int64_t)l * (l - 1) / 2;
            for (int m = 1; c > 1 && m < l; m++) {
                int64_t all = m + least[l - m][c - 1] + least[m][c];
                if (all < least[l][c])
                    least[l][c] = all;
            }
        }
    }
    for (int c = 1; c <= SNAPSHOTS; c++)
        for (int l = 0; l < MOST; l++)
            check(executed(BINOMIAL, l, c, l) == least[l][c], "not the least number of executions", l, c);
    static const int64_t figures[][3] = {{10, 3, 15}, {16, 2, 45}, {100, 5, 316}, {1000, 10, 3636}, {10000, 20, 37976}};
    for (int i = 0; i < 5; i++)
        check(executed(BINOMIAL, figures[i][0], figures[i][1], figures[i][0]) == figures[i][2], "not the figure",
              figures[i][0], figures[i][1]);
    for (int c = 1; c <= SNAPSHOTS; c++) {
        for (int l = 0; l < 3 * MOST; l++) {
            int64_t blind = executed(BINOMIAL, l, c, -1);
            check(c < l || blind <= (l ? l - 1 : 0), "more executions than snapshots need", l, c);
            check(executed(PERIODIC, l, c, -1) <= 2 * l, "more than two executions", l, c);
            executed(BINOMIAL, l, c, 2 * l + 1);
        }
    }
    check(executed(DISK, 50, 4, 50) == least[50][4], "not the least number of executions", 50, 4);
    puts("ok");
    return 0;
}
