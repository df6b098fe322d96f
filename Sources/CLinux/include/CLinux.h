// Calls that Glibc's own module lacks or hides behind variadics and macros.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/// ioctl(2) with a pointer argument: the C function is variadic, which Swift does not import.
static inline int marquee_ioctl(int descriptor, unsigned long request, void *argument) {
    return ioctl(descriptor, request, argument);
}

/// open(2) with a mode: variadic in C.
static inline int marquee_open(const char *path, int flags, unsigned int mode) { return open(path, flags, mode); }

/// The bytes allocated by malloc(3) (mallinfo2(3)).
static inline size_t marquee_allocated_bytes(void) {
    struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
}

/// mallopt(3): one arena for all threads, and a separate mapping for everything of 128 KiB or more. Up to 4 MiB of free memory stay at the end of the heap, so
/// that the pieces of bodies that come and go do not take new pages each time.
static inline void marquee_settle_heap(void) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 4 << 20);
}

/// pthread_setname_np(3) for the calling thread; at most 15 characters.
void marquee_name_thread(const char *name);

/// gettid(2).
pid_t marquee_thread_number(void);

/// Makes a CEC adapter a player with a name, unless it is configured already (linux/cec.h). Returns an errno, 0 on success.
int marquee_cec_claim(int descriptor, const char *name);

/// The physical address that the screen gave a CEC adapter; -1 if there is none.
int marquee_cec_physical_address(int descriptor);

/// Sends a CEC message and waits until it is sent. Returns an errno, 0 if it was acknowledged, EREMOTEIO if it was not.
int marquee_cec_send(int descriptor, int to, const unsigned char *bytes, int count);

/// Delivers the messages of others on the CEC bus to this descriptor, except those that the kernel answers. Returns an errno, 0
/// on success.
int marquee_cec_follow(int descriptor);

/// The next received message, with its header first. Returns its length; 0 if there is none; a negative errno if the adapter has gone.
int marquee_cec_receive(int descriptor, unsigned char *bytes, int capacity);

/// libdispatch's eventfd for the main queue, and the call that drains it: needed by a custom run loop to serve the main actor
/// (CoreFoundation uses them on Linux; they are exported but in no public header).
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);
