#define _GNU_SOURCE
#include "CAllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int watched;
static atomic_long allocations;

int allocation_counter_this_thread(void) { return (int)syscall(SYS_gettid); }

void allocation_counter_watch(int thread) {
    atomic_store(&allocations, 0);
    atomic_store(&watched, thread);
}

long allocation_counter_count(void) { return atomic_load(&allocations); }

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED
bool allocation_counter_works(void) { return false; }
#else
bool allocation_counter_works(void) { return true; }

// Read only while a thread is watched; each thread caches its answer.
static _Thread_local int this_thread;

static void note(void) {
    int thread = atomic_load_explicit(&watched, memory_order_relaxed);
    if (thread == 0) return;
    if (this_thread == 0) this_thread = allocation_counter_this_thread();
    if (this_thread == thread) atomic_fetch_add(&allocations, 1);
}

// glibc's own names for its functions.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note();
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    note();
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    note();
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
#endif
