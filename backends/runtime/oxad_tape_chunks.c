/* The tape: what the forward sweep of an adjoint records and the backward sweep takes back.
 *
 * A stack of bytes, one for each thread, in chunks that are linked, grow and are kept between
 * calls, because touching fresh memory costs more than writing it. It has three faces:
 *
 * - push and pop of one value or array, for what is irregular. While the chunk has room this is a
 *   comparison, a copy and an addition;
 * - block_alloc and block_free of contiguous memory, for what a counted loop records: the loop indexes the
 *   block by its counter, and can be vectorised. Where the loop is done, the place of its block is
 *   pushed (block_push), and popped before the loop runs backward (block_pop): so a loop may have several
 *   blocks, and may push and call others that allocate beside them;
 * - checkpoints, for loops that keep some of their states and execute iterations again.
 *
 * What was pushed or allocated last must be popped or freed first, with the same size. Taking
 * back more than there is ends the program with a message. Nothing here knows types: the Fortran
 * interface is oxad_tape.f90.
 *
 * C11 and ISO_Fortran_binding.h (Fortran 2018, clause 18.5), which gfortran, ifx and flang have.
 */
#define _POSIX_C_SOURCE 200809L
#include <ISO_Fortran_binding.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The first chunk; each further one is as large as all before it together, up to the last size. */
#define FIRST_CHUNK ((size_t)1 << 16)
#define LARGEST_CHUNK ((size_t)1 << 28)
/* Room is aligned for vector instructions; of little room the padding would be the most. */
#define ALIGNMENT ((size_t)64)
#define SMALL_ALIGNMENT ((size_t)16)
#define SMALL ((size_t)512)

typedef struct chunk {
    struct chunk *previous, *next;
    char *end;      /* behind its last byte */
    char *used;     /* where writing went on in the next chunk; for the current one: see top */
    size_t below;   /* bytes in all chunks before it */
    char *begin;    /* its first byte, aligned */
} chunk;

static _Thread_local struct tape_state {
    char *top;      /* the next byte that is written */
    char *end;      /* of the current chunk */
    char *begin;    /* of the current chunk */
    char *high;     /* how far the current chunk was ever written since it was entered */
    chunk *current;
    size_t peak;    /* most bytes ever on the tape, but for those that `high` tells */
} tape;

_Noreturn static void fail(const char *message, size_t bytes)
{
    fprintf(stderr, "oxad tape: %s (%zu bytes)\n", message, bytes);
    exit(2);
}

static size_t depth(void)
{
    return tape.current ? tape.current->below + (size_t)(tape.top - tape.begin) : 0;
}

/* Bytes of all snapshots of loops that are in memory. */
static _Thread_local size_t snapshot_bytes;

/* The peak is looked at only where the tape shrinks or changes its chunk: a push is not slowed. */
static void note_peak(void)
{
    char *high = tape.top > tape.high ? tape.top : tape.high;
    size_t most = tape.current ? tape.current->below + (size_t)(high - tape.begin) : 0;
    most += snapshot_bytes;
    if (most > tape.peak)
        tape.peak = most;
}

static void enter(chunk *c, char *top)
{
    tape.current = c;
    tape.begin = c->begin;
    tape.end = c->end;
    tape.top = top;
    tape.high = top;
}

/* A chunk of the size that suits the tape, or of `wanted` bytes where the system gives no more. NULL: it gives
 * neither. */
static chunk *new_chunk(const chunk *previous, size_t wanted)
{
    size_t size = FIRST_CHUNK;
    if (previous) {
        size = previous->below + (size_t)(previous->end - previous->begin);
        if (size > LARGEST_CHUNK)
            size = LARGEST_CHUNK;
    }
    if (size < wanted)
        size = wanted;
    if (wanted > SIZE_MAX - sizeof(chunk) - ALIGNMENT)
        return NULL;
    chunk *c = malloc(sizeof *c + ALIGNMENT + size);
    if (!c && size > wanted) {
        size = wanted;
        c = malloc(sizeof *c + ALIGNMENT + size);
    }
    if (!c)
        return NULL;
    size_t address = (size_t)(c + 1);
    c->begin = (char *)(c + 1) + (ALIGNMENT - address % ALIGNMENT) % ALIGNMENT;
    c->end = c->begin + size;
    c->previous = NULL;
    c->next = NULL;
    return c;
}

_Noreturn static void no_memory(size_t bytes, size_t held)
{
    fprintf(stderr,
            "oxad tape: no memory for %zu bytes more: the tape of this thread holds %zu bytes\n"
            "oxad tape: --joint-all, or --joint for the procedure of a time step, records less; ulimit -v tells the "
            "limit of this process\n",
            bytes, held);
    exit(2);
}

/* What is seldom executed stands apart, so that a push or pop needs no stack frame. */
#ifdef __GNUC__
#define SELDOM __attribute__((cold, noinline))
#else
#define SELDOM
#endif

/* Goes on in a chunk with room for `bytes`.
 *
 * Invariant: no chunk before the current one is empty, so one step back always finds the last record. An empty
 * current chunk is too small for `bytes`. A larger one takes its place. */
SELDOM static void grow(size_t bytes)
{
    chunk *last = tape.current, *next = NULL;
    size_t below = depth();
    if (last) {
        note_peak();
        if (tape.top == tape.begin) {
            next = last;
            last = last->previous;
        } else {
            next = last->next;
            last->used = tape.top;
        }
    }
    while (next && (size_t)(next->end - next->begin) < bytes) {
        chunk *after = next->next;
        free(next);
        next = after;
    }
    if (!next) {
        next = new_chunk(last, bytes);
        if (!next)
            no_memory(bytes, below);
    }
    if (last)
        last->next = next;
    next->previous = last;
    next->below = below;
    enter(next, next->begin);
}

/* Goes back to the chunk that holds what was recorded last, at least `bytes` of it. */
SELDOM static void go_back(size_t bytes)
{
    chunk *c = tape.current;
    if (!c || tape.top != tape.begin || !c->previous)
        fail("more is taken back than was recorded", bytes);
    note_peak();
    enter(c->previous, c->previous->used);
    if ((size_t)(tape.top - tape.begin) < bytes)
        fail("what is taken back is not what was recorded last", bytes);
}

/* With -DOXAD_TAPE_COUNT, for measurements: how often anything was recorded. */
#ifdef OXAD_TAPE_COUNT
static _Thread_local size_t pushes;
#define COUNT_PUSH() (pushes++)
#else
enum { pushes = 0 };
#define COUNT_PUSH() ((void)0)
#endif

static inline char *room(size_t bytes)
{
    COUNT_PUSH();
    if ((size_t)(tape.end - tape.top) < bytes)
        grow(bytes);
    char *p = tape.top;
    tape.top = p + bytes;
    return p;
}

static inline char *room_back(size_t bytes)
{
    if ((size_t)(tape.top - tape.begin) < bytes)
        go_back(bytes);
    if (tape.top > tape.high)
        tape.high = tape.top;
    tape.top -= bytes;
    return tape.top;
}

/* Values of 1, 2, 4, 8 and 16 bytes, and as many bytes as are told. */
#define VALUE(size)                                                                                \
    void oxad_push_##size(const void *value) { memcpy(room(size), value, size); }                  \
    void oxad_pop_##size(void *value) { memcpy(value, room_back(size), size); }

/* The usual scalars. */
#define SCALAR(name, type)                                                                         \
    void oxad_push_##name(const type *value) { memcpy(room(sizeof *value), value, sizeof *value); } \
    void oxad_pop_##name(type *value) { memcpy(value, room_back(sizeof *value), sizeof *value); }

SCALAR(integer4, int32_t)
SCALAR(integer8, int64_t)
SCALAR(real4, float)
SCALAR(real8, double)

VALUE(1)
VALUE(2)
VALUE(4)
VALUE(8)
VALUE(16)
VALUE(32)

/* Values that are recorded may be undefined: compilers warn where a pointer to const is passed. */
void oxad_push_bytes(void *values, size_t bytes)
{
    if (bytes)
        memcpy(room(bytes), values, bytes);
}

void oxad_pop_bytes(void *values, size_t bytes)
{
    if (bytes)
        memcpy(values, room_back(bytes), bytes);
}

/* Where the values of an array go: from the tape, onto it, or onto it past the caches. */
enum way { BACK, NEAR, FAR };

/* A tape of more bytes is deeper than caches are: what is pushed there is read again only when it is
 * in no cache any more, so it does not push out what the program works on, and its lines need not be
 * read before they are written. Measured on 100 MB: half the time of a push; for 6 MB it takes longer. */
#define DEEP ((size_t)1 << 25)

static void copy(char *array, char *packed, size_t bytes, enum way way)
{
    if (way == BACK) {
        memcpy(array, packed, bytes);
        return;
    }
#ifdef __SSE2__
    if (way == FAR && bytes >= 256) {
        size_t first = (16 - (size_t)packed % 16) % 16;
        size_t last = first + (bytes - first) / 16 * 16;
        memcpy(packed, array, first);
        for (size_t i = first; i < last; i += 16)
            _mm_stream_si128((__m128i *)(packed + i), _mm_loadu_si128((const __m128i *)(array + i)));
        memcpy(packed + last, array + last, bytes - last);
        return;
    }
#endif
    memcpy(packed, array, bytes);
}

/* Copies of a known size are few instructions, which cost less than a call of memcpy. */
#define FEW ((size_t)128)

static inline void copy_few(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 8: memcpy(to, from, 8); break;
    case 12: memcpy(to, from, 12); break;
    case 16: memcpy(to, from, 16); break;
    case 24: memcpy(to, from, 24); break;
    case 32: memcpy(to, from, 32); break;
    case 40: memcpy(to, from, 40); break;
    case 48: memcpy(to, from, 48); break;
    case 64: memcpy(to, from, 64); break;
    case 72: memcpy(to, from, 72); break;
    case 128: memcpy(to, from, 128); break;
    default: memcpy(to, from, bytes);
    }
}

/* Elements of `size` bytes that are `step` bytes apart in the array. */
#define STRIDED(size)                                                                              \
    for (CFI_index_t i = 0; i < extent; i++, packed += (size), element += step)                    \
        memcpy(way == BACK ? element : packed, way == BACK ? packed : element, size);

static inline void copy_strided(char *element, CFI_index_t extent, CFI_index_t step, size_t bytes, char *packed,
                                enum way way)
{
    switch (bytes) {
    case 4: STRIDED(4) break;
    case 8: STRIDED(8) break;
    case 16: STRIDED(16) break;
    default: STRIDED(bytes)
    }
}

/* Copies between a section and contiguous room, dimension by dimension. */
static char *copy_section(const CFI_cdesc_t *a, char *base, int rank, char *packed, enum way way)
{
    CFI_index_t extent = a->dim[rank - 1].extent, step = a->dim[rank - 1].sm;
    if (rank == 1) {
        size_t bytes = (size_t)extent * a->elem_len;
        if (step == (CFI_index_t)a->elem_len)
            copy(base, packed, bytes, way);
        else
            copy_strided(base, extent, step, a->elem_len, packed, way);
        return packed + bytes;
    }
    for (CFI_index_t i = 0; i < extent; i++)
        packed = copy_section(a, base + i * step, rank - 1, packed, way);
    return packed;
}

/* CFI_is_contiguous without a call of the library. */
static inline int is_contiguous(const CFI_cdesc_t *a)
{
    CFI_index_t step = (CFI_index_t)a->elem_len;
    for (int i = 0; i < a->rank; i++) {
        if (a->dim[i].sm != step)
            return 0;
        step *= a->dim[i].extent;
    }
    return 1;
}

/* A section without elements may have a negative extent: gfortran describes a(4:2) by -1. That is how
 * whole assumed-size arrays are described, too, but xaif-reverse refuses to record those. */
static size_t bytes_of(const CFI_cdesc_t *a)
{
    size_t bytes = a->elem_len;
    for (int i = 0; i < a->rank; i++)
        bytes *= a->dim[i].extent > 0 ? (size_t)a->dim[i].extent : 0;
    return bytes;
}

static void copy_array(const CFI_cdesc_t *a, char *packed, size_t bytes, enum way way)
{
    if (is_contiguous(a))
        copy(a->base_addr, packed, bytes, way);
    else if (a->rank == 1)
        copy_strided(a->base_addr, a->dim[0].extent, a->dim[0].sm, a->elem_len, packed, way);
    else
        copy_section(a, a->base_addr, a->rank, packed, way);
#ifdef __SSE2__
    if (way == FAR)
        _mm_sfence();
#endif
}

/* Arrays and sections of any type, kind and rank, in one copy where they are contiguous. */
void oxad_push_array(const CFI_cdesc_t *a)
{
    size_t bytes = bytes_of(a);
    if (bytes)
        copy_array(a, room(bytes), bytes, depth() > DEEP ? FAR : NEAR);
}

void oxad_pop_array(CFI_cdesc_t *a)
{
    size_t bytes = bytes_of(a);
    if (bytes)
        copy_array(a, room_back(bytes), bytes, BACK);
}

/* Arrays that are contiguous. */
void oxad_push_memory(void *values, size_t bytes)
{
    if (!bytes)
        return;
    if (bytes <= FEW) {
        copy_few(room(bytes), values, bytes);
        return;
    }
    enum way way = depth() > DEEP ? FAR : NEAR;
    copy((char *)values, room(bytes), bytes, way);
#ifdef __SSE2__
    if (way == FAR)
        _mm_sfence();
#endif
}

void oxad_pop_memory(void *values, size_t bytes)
{
    if (!bytes)
        return;
    if (bytes <= FEW)
        copy_few(values, room_back(bytes), bytes);
    else
        memcpy(values, room_back(bytes), bytes);
}

/* Room behind which nothing else can be taken back before it is released: its size stands on the
 * tape behind it, together with the padding that aligns it. */
typedef struct {
    size_t bytes, padding;
} frame;

void *oxad_block_alloc(size_t bytes)
{
    size_t alignment = bytes < SMALL ? SMALL_ALIGNMENT : ALIGNMENT;
    if (bytes > SIZE_MAX - alignment - sizeof(frame))
        no_memory(bytes, depth());
    size_t whole = bytes + alignment + sizeof(frame);
    if ((size_t)(tape.end - tape.top) < whole)
        grow(whole);
    COUNT_PUSH();
    frame f = {bytes, -(size_t)tape.top & (alignment - 1)};
    char *p = tape.top + f.padding;
    memcpy(p + bytes, &f, sizeof f);
    tape.top = p + bytes + sizeof f;
    return p;
}

/* Where a block is. */
typedef struct {
    void *block;
    size_t bytes;
} place;

/* Notes where a block of so many bytes is. */
void oxad_block_push(void *block, size_t bytes)
{
    place p = {block, bytes};
    memcpy(room(sizeof p), &p, sizeof p);
}

/* The block whose place was noted last, and its size. It stays on the tape until it is released. */
void *oxad_block_pop(size_t *bytes)
{
    place p;
    memcpy(&p, room_back(sizeof p), sizeof p);
    *bytes = p.bytes;
    return p.block;
}

/* Frees the block that was allocated last. */
void oxad_block_free(const void *block)
{
    frame f;
    memcpy(&f, room_back(sizeof f), sizeof f);
    size_t whole = f.bytes + f.padding;
    if ((size_t)(tape.top - tape.begin) < whole || tape.top - f.bytes != (const char *)block)
        fail("the block that is freed is not the one that was allocated last", f.bytes);
    tape.top -= whole;
}

/* Bytes on the tape of this thread and in its snapshots, now and at most so far. */
size_t oxad_tape_bytes(void)
{
    return depth() + snapshot_bytes;
}

size_t oxad_tape_peak(void)
{
    note_peak();
    return tape.peak;
}

/* How often anything was recorded on this thread; 0 where the tape is not compiled to count. */
size_t oxad_tape_pushes(void)
{
    return pushes;
}

static void free_chunks(chunk *c)
{
    while (c && c->previous)
        c = c->previous;
    while (c) {
        chunk *next = c->next;
        free(c);
        c = next;
    }
}

/* Gives the memory of this thread's tape back; the tape is empty then. */
void oxad_tape_free(void)
{
    note_peak();
    free_chunks(tape.current);
    size_t peak = tape.peak;
    memset(&tape, 0, sizeof tape);
    tape.peak = peak;
}

/* Checkpoints of loops (Griewank and Walther, "Algorithm 799: revolve", 2000).
 *
 * The forward sweep of a loop keeps some of its states. The backward sweep restores the last state, executes
 * iterations again up to the one that is to be reversed, keeps further states on the way, and reverses it. This part
 * decides which of these actions is next. The program executes them. A snapshot is a tape of its own: between the
 * action and checkpoint_end the program pushes to it, or pops from it. Loops nest and follow each other as a stack. */
enum action { DONE, TAKE, RESTORE, ADVANCE, TURN };

typedef struct {
    int64_t at;           /* the iteration before which it was taken */
    struct tape_state data;
    size_t bytes;         /* in memory */
    char *file;           /* where the data is, if it is not in memory */
} snapshot;

typedef struct checkpointed {
    struct checkpointed *outer;
    enum scheme { BINOMIAL, PERIODIC, DISK } scheme;
    int64_t number;       /* of snapshots, or of iterations between two of them */
    int64_t known;        /* the trip count, less than 0 if nobody knows it */
    int64_t first, step;  /* values of the variable of the loop */
    int64_t begun;        /* iterations that the forward sweep has begun */
    int64_t left;         /* iterations that are not reversed yet; less than 0 in the forward sweep */
    int64_t at;           /* the iteration whose state the program has; less than 0: of none */
    int64_t due;          /* the next iteration before which a snapshot is taken */
    int64_t spacing;      /* between snapshots of a loop whose trip count nobody knows */
    snapshot *snapshots;
    int64_t held, space;
    struct tape_state outside; /* the tape of the thread while a snapshot is written or read */
    struct tape_state unread;  /* the snapshot before it is read */
    int open;                  /* TAKE or RESTORE while the program pushes or pops */
} checkpointed;

static _Thread_local checkpointed *loops;
static _Thread_local int64_t advanced, turned;

_Noreturn static void fail_checkpoints(const char *message)
{
    fprintf(stderr, "oxad checkpoints: %s\n", message);
    exit(2);
}

/* The number of iterations that `snapshots` states serve if none is executed more than `repetitions` times again:
 * C(snapshots + repetitions, snapshots), at most INT64_MAX/4. */
static int64_t reach(int64_t snapshots, int64_t repetitions)
{
    const int64_t most = INT64_MAX / 4;
    int64_t few = snapshots < repetitions ? snapshots : repetitions;
    int64_t many = snapshots < repetitions ? repetitions : snapshots;
    int64_t value = 1;
    if (few < 0)
        return 0;
    for (int64_t i = 1; i <= few; i++) {
        if (value > most / (many + i))
            return most;
        value = value * (many + i) / i;
    }
    return value;
}

/* How many of `iterations` are executed from a state before the next one is kept, with `snapshots` in all: the least
 * executions in all, t(l, c) = min m + t(l - m, c - 1) + t(m, c). */
static int64_t stride(int64_t iterations, int64_t snapshots)
{
    if (snapshots <= 1 || iterations <= 1)
        return iterations;
    int64_t repetitions = 1;
    while (reach(snapshots, repetitions) < iterations)
        repetitions++;
    int64_t most = reach(snapshots, repetitions - 1);
    int64_t rest = iterations - reach(snapshots - 1, repetitions - 1);
    int64_t m = most < rest ? most : rest;
    return m < 1 ? 1 : m;
}

static void drop_snapshot(snapshot *s)
{
    if (s->file) {
        remove(s->file);
        free(s->file);
    }
    free_chunks(s->data.current);
    snapshot_bytes -= s->bytes;
    memset(s, 0, sizeof *s);
}

/* The place of the next snapshot. */
static snapshot *new_snapshot(checkpointed *loop)
{
    if (loop->held == loop->space) {
        int64_t space = loop->space ? 2 * loop->space : 8;
        snapshot *more = realloc(loop->snapshots, (size_t)space * sizeof *more);
        if (!more)
            no_memory((size_t)space * sizeof *more, depth());
        loop->snapshots = more;
        loop->space = space;
    }
    snapshot *s = &loop->snapshots[loop->held++];
    memset(s, 0, sizeof *s);
    return s;
}

static void open_snapshot(checkpointed *loop, int action, struct tape_state data)
{
    loop->open = action;
    loop->outside = tape;
    loop->unread = data;
    tape = data;
}

static void take(checkpointed *loop, int64_t at)
{
    new_snapshot(loop)->at = at;
    open_snapshot(loop, TAKE, (struct tape_state){0});
}

/* FNV-1a. */
static uint64_t checksum(const char *data, size_t bytes)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ (unsigned char)data[i]) * UINT64_C(1099511628211);
    return sum;
}

/* Moves what a snapshot holds to a file, which has another name until it is complete. */
static void store(snapshot *s)
{
    static _Atomic unsigned counter;
    const char *folder = getenv("OXAD_CHECKPOINT_FOLDER");
    if (!folder || !*folder)
        folder = ".";
    size_t length = strlen(folder) + 80;
    s->file = malloc(length);
    char *partial = malloc(length);
    if (!s->file || !partial)
        no_memory(2 * length, depth());
    snprintf(s->file, length, "%s/oxad_checkpoint_%ld_%u", folder, (long)getpid(), counter++);
    snprintf(partial, length, "%s.part", s->file);
    FILE *file = fopen(partial, "wb");
    if (!file) {
        perror(partial);
        fail_checkpoints("no snapshot can be written; OXAD_CHECKPOINT_FOLDER names another folder");
    }
    chunk *last = s->data.current, *c = last;
    while (c && c->previous)
        c = c->previous;
    int written = 1;
    for (; c; c = c == last ? NULL : c->next) {
        size_t bytes = (size_t)((c == last ? s->data.top : c->used) - c->begin);
        uint64_t head[2] = {bytes, checksum(c->begin, bytes)};
        written = written && fwrite(head, sizeof head, 1, file) == 1
                  && (!bytes || fwrite(c->begin, bytes, 1, file) == 1);
    }
    if (fclose(file) || !written || rename(partial, s->file)) {
        perror(partial);
        remove(partial);
        fail_checkpoints("a snapshot could not be written");
    }
    free(partial);
    free_chunks(s->data.current);
    s->data = (struct tape_state){0};
}

/* What a file holds, as a tape. */
static struct tape_state load(const snapshot *s)
{
    FILE *file = fopen(s->file, "rb");
    if (!file) {
        perror(s->file);
        fail_checkpoints("a snapshot cannot be read");
    }
    struct tape_state outside = tape;
    tape = (struct tape_state){0};
    uint64_t head[2];
    while (fread(head, sizeof head, 1, file) == 1) {
        grow((size_t)head[0]);
        int read = !head[0] || fread(tape.top, (size_t)head[0], 1, file) == 1;
        if (!read || checksum(tape.top, (size_t)head[0]) != head[1]) {
            fprintf(stderr, "%s: ", s->file);
            fail_checkpoints("the file of a snapshot is damaged");
        }
        tape.top += head[0];
    }
    fclose(file);
    struct tape_state data = tape;
    tape = outside;
    return data;
}

/* A number of an environment variable. */
int64_t oxad_checkpoints_of(const char *name, size_t length)
{
    char text[256];
    if (length >= sizeof text)
        fail_checkpoints("the name of an environment variable is too long");
    memcpy(text, name, length);
    text[length] = 0;
    const char *value = getenv(text);
    char *end = NULL;
    long long number = value ? strtoll(value, &end, 10) : 0;
    if (!value || end == value || *end || number < 1) {
        fprintf(stderr, "oxad checkpoints: the environment variable %s is no number greater than 0\n", text);
        exit(2);
    }
    return number;
}

void oxad_checkpoints_begin(int scheme, int64_t number, int64_t known)
{
    checkpointed *loop = calloc(1, sizeof *loop);
    if (!loop)
        no_memory(sizeof *loop, depth());
    if (number < 1)
        fail_checkpoints("a loop needs at least one snapshot");
    loop->outer = loops;
    loop->scheme = (enum scheme)scheme;
    loop->number = number;
    loop->known = scheme == PERIODIC ? -1 : known;
    loop->spacing = scheme == PERIODIC ? number : 1;
    loop->left = -1;
    loops = loop;
}

/* Keeps every second snapshot, where all are in use and nobody knows how many iterations follow. */
static void thin(checkpointed *loop)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < loop->held; i++) {
        if (i % 2)
            drop_snapshot(&loop->snapshots[i]);
        else
            loop->snapshots[kept++] = loop->snapshots[i];
    }
    loop->held = kept;
    loop->spacing *= 2;
}

/* The forward sweep begins an iteration: whether a snapshot is due. */
int32_t oxad_checkpoint_due(int64_t variable)
{
    checkpointed *loop = loops;
    if (!loop || loop->left >= 0)
        fail_checkpoints("no loop has begun");
    int64_t at = loop->begun++;
    if (at == 0)
        loop->first = variable;
    if (at == 1)
        loop->step = variable - loop->first;
    if (at != loop->due)
        return DONE;
    if (loop->known < 0) {
        if (loop->scheme != PERIODIC && loop->held == loop->number && loop->number > 1) {
            thin(loop);
            loop->due = loop->held * loop->spacing;
            if (at != loop->due)
                return DONE;
        }
        loop->due = loop->scheme != PERIODIC && loop->number == 1 ? -1 : at + loop->spacing;
    } else {
        /* The state of the last iteration is kept besides: what follows the loop comes before its reversal. */
        int64_t last = loop->known - 1;
        loop->due = loop->held + 1 < loop->number ? at + stride(loop->known - at, loop->number - loop->held) : last;
        if (loop->due > last || at == last)
            loop->due = at == last ? -1 : last;
    }
    take(loop, at);
    return TAKE;
}

/* A snapshot is written or read. */
void oxad_checkpoint_end(void)
{
    checkpointed *loop = loops;
    if (!loop || !loop->open)
        fail_checkpoints("no snapshot is open");
    struct tape_state data = tape;
    size_t bytes = depth();
    tape = loop->outside;
    snapshot *s = &loop->snapshots[loop->held - 1];
    if (loop->open == TAKE) {
        s->data = data;
        if (loop->scheme == DISK) {
            store(s);
        } else {
            s->bytes = bytes;
            snapshot_bytes += bytes;
            note_peak();
        }
    } else if (s->file) {
        free_chunks(data.current);
    } else {
        s->data = loop->unread;
    }
    loop->open = DONE;
}

/* How many snapshots may be taken beside those that are held. */
static int64_t spare(const checkpointed *loop)
{
    if (loop->scheme == PERIODIC)
        return INT64_MAX / 8;
    return loop->number > loop->held ? loop->number - loop->held : 0;
}

static void plan_next(checkpointed *loop)
{
    int64_t rest = loop->left - loop->at, spares = spare(loop);
    loop->due = -1;
    if (spares > 0 && rest > 1)
        loop->due = loop->at + stride(rest, spares + 1);
    if (loop->due >= loop->left)
        loop->due = -1;
}

/* The next action of the backward sweep, and the value of the variable of the loop for it. */
int32_t oxad_checkpoint_next(int64_t *variable)
{
    checkpointed *loop = loops;
    if (!loop)
        fail_checkpoints("no loop has begun");
    if (loop->left < 0) {
        loop->left = loop->begun;
        loop->at = -1;
    }
    while (loop->held && loop->snapshots[loop->held - 1].at >= loop->left)
        drop_snapshot(&loop->snapshots[--loop->held]);
    if (loop->left == 0) {
        loops = loop->outer;
        free(loop->snapshots);
        free(loop);
        return DONE;
    }
    if (loop->at < 0) {
        if (!loop->held)
            fail_checkpoints("no snapshot is held");
        snapshot *s = &loop->snapshots[loop->held - 1];
        loop->at = s->at;
        plan_next(loop);
        *variable = loop->first + loop->at * loop->step;
        open_snapshot(loop, RESTORE, s->file ? load(s) : s->data);
        return RESTORE;
    }
    *variable = loop->first + loop->at * loop->step;
    if (loop->at == loop->left - 1) {
        loop->left--;
        loop->at = -1;
        turned++;
        return TURN;
    }
    if (loop->at == loop->due) {
        take(loop, loop->at);
        plan_next(loop);
        return TAKE;
    }
    loop->at++;
    advanced++;
    return ADVANCE;
}

/* How many iterations the backward sweeps of this thread have executed again, and how many they have reversed. */
int64_t oxad_checkpoints_advanced(void)
{
    return advanced;
}

int64_t oxad_checkpoints_turned(void)
{
    return turned;
}
