/* The tape: what the forward sweep of an adjoint records and the backward sweep takes back.
 *
 * A stack of bytes, one for each thread, in chunks that are linked, grow and are kept between
 * calls, because touching fresh memory costs more than writing it. It has two faces:
 *
 * - push and pop of one value or array, for what is irregular. While the chunk has room this is a
 *   comparison, a copy and an addition;
 * - block_alloc and block_free of contiguous memory, for what a counted loop records: the loop indexes the
 *   block by its counter, and can be vectorised. Where the loop is done, the place of its block is
 *   pushed (block_push), and popped before the loop runs backward (block_pop): so a loop may have several
 *   blocks, and may push and call others that allocate beside them.
 *
 * What was pushed or allocated last must be popped or freed first, with the same size. Taking
 * back more than there is ends the program with a message. Nothing here knows types: the Fortran
 * interface is oxad_tape.f90.
 *
 * C11 and ISO_Fortran_binding.h (Fortran 2018, clause 18.5), which gfortran, ifx and flang have.
 */
#include <ISO_Fortran_binding.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static _Thread_local struct {
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

/* The peak is looked at only where the tape shrinks or changes its chunk: a push is not slowed. */
static void note_peak(void)
{
    char *high = tape.top > tape.high ? tape.top : tape.high;
    size_t most = tape.current ? tape.current->below + (size_t)(high - tape.begin) : 0;
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

void oxad_push_bytes(const void *values, size_t bytes)
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
void oxad_push_memory(const void *values, size_t bytes)
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

/* Bytes on the tape of this thread, now and at most so far. */
size_t oxad_tape_bytes(void)
{
    return depth();
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

/* Gives the memory of this thread's tape back; the tape is empty then. */
void oxad_tape_free(void)
{
    note_peak();
    chunk *c = tape.current;
    while (c && c->previous)
        c = c->previous;
    while (c) {
        chunk *next = c->next;
        free(c);
        c = next;
    }
    size_t peak = tape.peak;
    memset(&tape, 0, sizeof tape);
    tape.peak = peak;
}
