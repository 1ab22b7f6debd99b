/* Random sequences of all operations of the tape, in several threads: `sequences FIRST COUNT THREADS`.
 *
 * A model beside the tape holds the kind, size and seed of each record. Each record is filled from its seed and compared when it
 * is taken back. The tape is right when all bytes come back and its depth is that of the model. */
#include <ISO_Fortran_binding.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void oxad_push_1(const void *), oxad_push_2(const void *), oxad_push_4(const void *), oxad_push_8(const void *);
void oxad_push_16(const void *), oxad_pop_1(void *), oxad_pop_2(void *), oxad_pop_4(void *), oxad_pop_8(void *);
void oxad_pop_16(void *), oxad_push_bytes(const void *, size_t), oxad_pop_bytes(void *, size_t);
void oxad_push_memory(const void *, size_t), oxad_pop_memory(void *, size_t);
void oxad_push_array(const CFI_cdesc_t *), oxad_pop_array(CFI_cdesc_t *), *oxad_block_alloc(size_t);
void oxad_block_push(void *, size_t), *oxad_block_pop(size_t *), oxad_block_free(const void *), oxad_tape_free(void);
void oxad_push_integer4(const int32_t *), oxad_push_integer8(const int64_t *), oxad_push_real4(const float *);
void oxad_push_real8(const double *);
void oxad_pop_integer4(int32_t *), oxad_pop_integer8(int64_t *), oxad_pop_real4(float *), oxad_pop_real8(double *);
size_t oxad_tape_bytes(void), oxad_tape_peak(void);

enum kind { VALUE, BYTES, SECTION, ROOM, ELEMENTS, NUMBER, PLACE };
/* Bytes of the largest record. */
#ifndef LARGEST
#define LARGEST 4000000
#endif

enum { MOST = 400, STEPS = 300 };

struct record {
    enum kind kind;
    size_t bytes;
    uint64_t seed;
    void *room;    /* of ROOM and PLACE */
    size_t below;  /* bytes on the tape before this record */
};

struct state {
    uint64_t dice;
    struct record records[MOST];
    int count;
    unsigned char *given, *taken; /* two buffers of LARGEST bytes */
};

/* Where the bytes of a record stand in a buffer: at its end, so that the sanitizer sees what is beyond. */
static unsigned char *in(unsigned char *buffer, const struct record *r)
{
    return buffer + LARGEST - r->bytes;
}

static uint64_t roll(uint64_t *dice)
{
    uint64_t z = (*dice += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static _Noreturn void wrong(const struct record *r, const char *how)
{
    fprintf(stderr, "kind %d, %zu bytes: %s\n", r->kind, r->bytes, how);
    exit(1);
}

/* The bytes of a record, made from its seed: words that all differ. */
static void fill(unsigned char *p, const struct record *r)
{
    uint64_t word = r->seed;
    for (size_t i = 0; i < r->bytes; i += sizeof word, word += UINT64_C(0x9e3779b97f4a7c15))
        memcpy(p + i, &word, r->bytes - i < sizeof word ? r->bytes - i : sizeof word);
}

static void compare(struct state *s, const struct record *r)
{
    fill(in(s->given, r), r);
    if (memcmp(in(s->given, r), in(s->taken, r), r->bytes))
        wrong(r, "another byte comes back");
}

/* Every column, every second or every third of a matrix of 8 rows of bytes, as large as the record. */
static void section(const struct record *r, unsigned char *packed, int back)
{
    CFI_CDESC_T(2) memory;
    CFI_cdesc_t *d = (CFI_cdesc_t *)&memory;
    ptrdiff_t columns = (ptrdiff_t)(r->bytes / 8), step = 1 + (ptrdiff_t)(r->seed % 3);
    CFI_index_t extents[2] = {8, columns};
    unsigned char *matrix = malloc((size_t)(columns * step) * 8 + 1);
    CFI_establish(d, matrix, CFI_attribute_other, CFI_type_int8_t, 1, 2, extents);
    d->dim[1].sm = 8 * step;
    for (ptrdiff_t i = 0; i < columns && !back; i++)
        memcpy(matrix + i * step * 8, packed + i * 8, 8);
    if (back)
        oxad_pop_array(d);
    else
        oxad_push_array(d);
    for (ptrdiff_t i = 0; i < columns && back; i++)
        memcpy(packed + i * 8, matrix + i * step * 8, 8);
    free(matrix);
}

/* Elements of some size, every second or third of a vector. */
static void elements(const struct record *r, unsigned char *packed, int back)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16, 24};
    CFI_CDESC_T(1) memory;
    CFI_cdesc_t *d = (CFI_cdesc_t *)&memory;
    size_t size = sizes[r->seed % 6], step = (2 + r->seed / 6 % 2) * size, count = r->bytes / size;
    CFI_index_t extents[1] = {(CFI_index_t)count};
    unsigned char *vector = malloc(count * step + 1);
    CFI_establish(d, vector, CFI_attribute_other, CFI_type_other, size, 1, extents);
    d->dim[0].sm = (CFI_index_t)step;
    for (size_t i = 0; i < count && !back; i++)
        memcpy(vector + i * step, packed + i * size, size);
    if (back)
        oxad_pop_array(d);
    else
        oxad_push_array(d);
    for (size_t i = 0; i < count && back; i++)
        memcpy(packed + i * size, vector + i * step, size);
    free(vector);
}

/* A number of a type that C knows. */
#define NUMBER_OF(name, type)                                                                      \
    do {                                                                                           \
        type number;                                                                               \
        memcpy(&number, p, sizeof number);                                                         \
        back ? oxad_pop_##name(&number) : oxad_push_##name(&number);                                \
        memcpy(p, &number, sizeof number);                                                         \
    } while (0)

static void number(const struct record *r, unsigned char *p, int back)
{
    if (r->bytes == 4 && r->seed % 2)
        NUMBER_OF(integer4, int32_t);
    else if (r->bytes == 4)
        NUMBER_OF(real4, float);
    else if (r->seed % 2)
        NUMBER_OF(integer8, int64_t);
    else
        NUMBER_OF(real8, double);
}

/* Sizes on both sides of every limit of the chunks; seldom a large one. */
static size_t size_of(struct state *s)
{
    static const size_t limits[] = {0, 16, 64, 512, 4096, 32768, 65536, 131072, 262144};
    uint64_t chosen = roll(&s->dice) % 100;
    if (roll(&s->dice) % 1000 == 0)
        return (size_t)(roll(&s->dice) % LARGEST);
    size_t around = limits[roll(&s->dice) % (chosen < 16 ? 9 : 5)];
    return around + (size_t)(roll(&s->dice) % 200) - (around ? 100 % (around + 1) : 0);
}

static void value(const struct record *r, unsigned char *p, int back)
{
    switch (r->bytes) {
    case 1: back ? oxad_pop_1(p) : oxad_push_1(p); break;
    case 2: back ? oxad_pop_2(p) : oxad_push_2(p); break;
    case 4: back ? oxad_pop_4(p) : oxad_push_4(p); break;
    case 8: back ? oxad_pop_8(p) : oxad_push_8(p); break;
    default: back ? oxad_pop_16(p) : oxad_push_16(p);
    }
}

static void record(struct state *s, int kept)
{
    struct record *r = &s->records[s->count];
    *r = (struct record){(enum kind)(roll(&s->dice) % PLACE), size_of(s), roll(&s->dice), NULL, oxad_tape_bytes()};
    if (kept >= 0)
        *r = (struct record){PLACE, s->records[kept].bytes, 0, s->records[kept].room, oxad_tape_bytes()};
    if (r->kind == VALUE)
        r->bytes = (size_t)1 << roll(&s->dice) % 5;
    if (r->kind == SECTION)
        r->bytes -= r->bytes % 8;
    if (r->kind == ELEMENTS)
        r->bytes -= r->bytes % 48;
    if (r->kind == NUMBER)
        r->bytes = r->bytes % 2 ? 4 : 8;
    unsigned char *p = in(s->given, r);
    fill(p, r);
    switch (r->kind) {
    case VALUE: value(r, p, 0); break;
    case BYTES: r->seed % 2 ? oxad_push_bytes(p, r->bytes) : oxad_push_memory(p, r->bytes); break;
    case SECTION: section(r, p, 0); break;
    case ELEMENTS: elements(r, p, 0); break;
    case NUMBER: number(r, p, 0); break;
    case ROOM: memcpy(r->room = oxad_block_alloc(r->bytes), p, r->bytes); break;
    case PLACE: oxad_block_push(r->room, r->bytes); break;
    }
    s->count++;
}

static void take_back(struct state *s)
{
    struct record *r = &s->records[--s->count];
    unsigned char *p = in(s->taken, r);
    size_t bytes = 0;
    switch (r->kind) {
    case VALUE: value(r, p, 1); break;
    case BYTES: r->seed % 2 ? oxad_pop_bytes(p, r->bytes) : oxad_pop_memory(p, r->bytes); break;
    case SECTION: section(r, p, 1); break;
    case ELEMENTS: elements(r, p, 1); break;
    case NUMBER: number(r, p, 1); break;
    case ROOM: memcpy(p, r->room, r->bytes); oxad_block_free(r->room); break;
    case PLACE:
        if (oxad_block_pop(&bytes) != r->room || bytes != r->bytes)
            wrong(r, "another room is found");
    }
    if (r->kind != PLACE)
        compare(s, r);
    if (oxad_tape_bytes() != r->below)
        wrong(r, "another depth");
}

/* One sequence: phases that mostly record, and phases that mostly take back. */
static void sequence(struct state *s, uint64_t seed)
{
    s->dice = seed;
    size_t most = 0;
    for (int step = 0; step < STEPS; step++) {
        int falls = (int)(roll(&s->dice) % 100) < (step / 30 % 2 ? 65 : 35);
        if (s->count && (falls || s->count == MOST)) {
            take_back(s);
        } else {
            int last = s->count - 1;
            int keeps = last >= 0 && s->records[last].kind == ROOM && roll(&s->dice) % 2;
            record(s, keeps ? last : -1);
        }
        most = oxad_tape_bytes() > most ? oxad_tape_bytes() : most;
        if (!s->count && roll(&s->dice) % 8 == 0)
            oxad_tape_free();
    }
    while (s->count)
        take_back(s);
    if (oxad_tape_bytes() || oxad_tape_peak() < most) {
        fprintf(stderr, "another depth or peak at the end\n");
        exit(1);
    }
}

struct share {
    uint64_t first, count;
};

static void *sequences(void *given)
{
    struct share *share = given;
    struct state *s = calloc(1, sizeof *s);
    s->given = malloc(LARGEST);
    s->taken = malloc(LARGEST);
    for (uint64_t i = 0; i < share->count; i++)
        sequence(s, share->first + i);
    oxad_tape_free();
    free(s->given);
    free(s->taken);
    free(s);
    return NULL;
}

int main(int count, char **words)
{
    enum { THREADS = 16 };
    if (count != 4)
        return 2;
    uint64_t first = strtoull(words[1], NULL, 10), all = strtoull(words[2], NULL, 10);
    int threads = atoi(words[3]) < THREADS ? atoi(words[3]) : THREADS;
    pthread_t thread[THREADS];
    struct share share[THREADS];
    for (int i = 0; i < threads; i++) {
        share[i] = (struct share){first + all * (uint64_t)i / (uint64_t)threads, all / (uint64_t)threads};
        if (pthread_create(&thread[i], NULL, sequences, &share[i]))
            return 3;
    }
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    printf("done\n");
    return 0;
}
