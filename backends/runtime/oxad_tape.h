/* The tape for adjoints in C: what oxad_tape_chunks.c offers them.
 *
 * What was pushed or allocated last is popped or freed first, with the same size. A block is contiguous memory for
 * what a counted loop records: its place is pushed behind the loop and popped before the loop runs backward.
 */
#ifndef OXAD_TAPE_H
#define OXAD_TAPE_H

#include <stddef.h>

/* One value. */
void oxad_push_bytes(void *values, size_t bytes);
void oxad_pop_bytes(void *values, size_t bytes);

/* An array. */
void oxad_push_memory(void *values, size_t bytes);
void oxad_pop_memory(void *values, size_t bytes);

/* A block. */
void *oxad_block_alloc(size_t bytes);
void oxad_block_push(void *block, size_t bytes);
void *oxad_block_pop(size_t *bytes);
void oxad_block_free(const void *block);

/* How many bytes the tape has now, and had at most; the end of its memory. */
size_t oxad_tape_bytes(void);
size_t oxad_tape_peak(void);
void oxad_tape_free(void);

#endif
