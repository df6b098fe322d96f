#define _GNU_SOURCE
#include "CKernelSeam.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { most_files = 16 };

static struct claim {
    bool used;
    dev_t device;
    ino_t inode;
    int memory;
    kernel_seam_handler handler;
    void *context;
} claims[most_files];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int count;

static bool find(int descriptor, struct claim *found) {
    if (__atomic_load_n(&count, __ATOMIC_ACQUIRE) == 0 || descriptor < 0) return false;
    int saved = errno;
    struct stat file;
    bool is_found = false;
    if (fstat(descriptor, &file) == 0) {
        pthread_rwlock_rdlock(&lock);
        for (int i = 0; i < most_files && !is_found; i++) {
            if (!claims[i].used || claims[i].device != file.st_dev || claims[i].inode != file.st_ino) continue;
            *found = claims[i];
            is_found = true;
        }
        pthread_rwlock_unlock(&lock);
    }
    errno = saved;
    return is_found;
}

bool kernel_seam_claim(int descriptor, int memory, kernel_seam_handler handler, void *context) {
    struct stat file;
    if (fstat(descriptor, &file) != 0) return false;
    bool is_done = false;
    pthread_rwlock_wrlock(&lock);
    for (int i = 0; i < most_files && !is_done; i++) {
        if (claims[i].used) continue;
        claims[i] = (struct claim){true, file.st_dev, file.st_ino, memory, handler, context};
        __atomic_add_fetch(&count, 1, __ATOMIC_RELEASE);
        is_done = true;
    }
    pthread_rwlock_unlock(&lock);
    return is_done;
}

void kernel_seam_release(int descriptor) {
    struct stat file;
    if (fstat(descriptor, &file) != 0) return;
    pthread_rwlock_wrlock(&lock);
    for (int i = 0; i < most_files; i++) {
        if (!claims[i].used || claims[i].device != file.st_dev || claims[i].inode != file.st_ino) continue;
        claims[i].used = false;
        __atomic_sub_fetch(&count, 1, __ATOMIC_RELEASE);
    }
    pthread_rwlock_unlock(&lock);
}

// The symbols of the executable come before those of the C library, also for libdrm.

int ioctl(int descriptor, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    struct claim claim;
    if (!find(descriptor, &claim)) return (int)syscall(SYS_ioctl, descriptor, request, argument);
    int result = claim.handler(claim.context, request, argument);
    if (result >= 0) return result;
    errno = -result;
    return -1;
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
    struct claim claim;
    if (!(flags & MAP_ANONYMOUS) && find(descriptor, &claim)) descriptor = claim.memory;
    return (void *)(uintptr_t)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}
