// What Glibc's own module leaves out or hides behind variadics and macros.
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

/// What malloc(3) has given out (mallinfo2(3)).
static inline size_t marquee_allocated_bytes(void) {
    struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
}

/// mallopt(3): one arena for all threads, and everything of 128 KiB or more in a mapping of its own.
static inline void marquee_settle_heap(void) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
}

/// pthread_setname_np(3) for the calling thread; at most 15 characters.
void marquee_name_thread(const char *name);

/// Makes a CEC adapter a player with a name, unless it is something already (linux/cec.h). Answers an errno, 0 where it worked.
int marquee_cec_claim(int descriptor, const char *name);

/// The physical address that the screen gave a CEC adapter; -1 where there is none.
int marquee_cec_physical_address(int descriptor);

/// Sends a CEC message and waits until it is through. Answers an errno, 0 where it was acknowledged, EREMOTEIO where nobody did.
int marquee_cec_send(int descriptor, int to, const unsigned char *bytes, int count);

/// Has what others say on the bus of a CEC adapter come to this descriptor, as far as the kernel does not answer it. Answers an errno, 0 where it worked.
int marquee_cec_follow(int descriptor);

/// The next message that has come, its header first. Answers its length; 0 where there is none.
int marquee_cec_receive(int descriptor, unsigned char *bytes, int capacity);

/// libdispatch's eventfd for the main queue, and the call that drains it: what a run loop of one's own needs to
/// serve the main actor (they are what CoreFoundation uses on Linux, exported but in no public header).
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);
