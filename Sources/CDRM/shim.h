// libdrm: the kernel mode-setting interface, and dma-heaps.
#pragma once
#include <drm.h>
#include <drm_fourcc.h>
#include <drm_mode.h>
#include <xf86drm.h>
#include <xf86drmMode.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/netlink.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

// ioctl(2) is variadic and its request numbers are macros; Swift imports neither.

/// DMA_HEAP_IOCTL_ALLOC: returns a dma-buf descriptor, or -1 with errno.
static inline int marquee_dma_heap_allocate(int heap, unsigned long long length) {
    struct dma_heap_allocation_data data = { .len = length, .fd_flags = O_RDWR | O_CLOEXEC };
    return ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &data) < 0 ? -1 : (int)data.fd;
}

/// DMA_BUF_IOCTL_SYNC for reading and writing by the CPU: its start or its end. Returns 0, or -1 with errno.
static inline int marquee_dma_buf_sync(int buffer, int is_end) {
    struct dma_buf_sync sync = { .flags = DMA_BUF_SYNC_RW | (is_end ? DMA_BUF_SYNC_END : DMA_BUF_SYNC_START) };
    return ioctl(buffer, DMA_BUF_IOCTL_SYNC, &sync);
}

/// Sets the primaries of static metadata: x and y of red, green and blue. Swift does not import an array of unnamed structures.
static inline void marquee_set_primaries(struct hdr_metadata_infoframe *frame, const unsigned short *values) {
    for (int index = 0; index < 3; index++) {
        frame->display_primaries[index].x = values[2 * index];
        frame->display_primaries[index].y = values[2 * index + 1];
    }
}

/// A socket for the kernel's device events (added, removed, changed). Returns a descriptor, or -1 with errno.
static inline int marquee_open_uevents(void) {
    struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = 1 };
    int number = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
    if (number < 0) return -1;
    if (bind(number, (struct sockaddr *)&address, sizeof address) < 0) {
        close(number);
        return -1;
    }
    return number;
}

/// An eventfd(2), as a bell between threads.
static inline int marquee_open_bell(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
