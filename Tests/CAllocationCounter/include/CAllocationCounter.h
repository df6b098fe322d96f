// Counts the allocations of one thread: replaces malloc and its relatives in the test program and passes everything on to the C
// library.
#pragma once
#include <stdbool.h>

/// Whether allocations are counted: not when a sanitizer has installed its own malloc.
bool allocation_counter_works(void);

/// Starts to count the allocations of the thread with that kernel id, from zero.
void allocation_counter_watch(int thread);

/// The number of allocations since then.
long allocation_counter_count(void);

/// The kernel id of the calling thread: gettid(2).
int allocation_counter_this_thread(void);
