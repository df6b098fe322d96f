// Counts what one thread allocates: stands in for malloc and its kin in the test program and passes everything on to the C library.
#pragma once
#include <stdbool.h>

/// Whether allocations are counted: not where a sanitizer has put its own malloc.
bool allocation_counter_works(void);

/// Begins to count the allocations of the thread with that kernel id, from zero.
void allocation_counter_watch(int thread);

/// How many there have been since.
long allocation_counter_count(void);

/// The kernel id of the calling thread: gettid(2).
int allocation_counter_this_thread(void);
