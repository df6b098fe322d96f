// The GNU extensions are enabled only here: seen from Swift they would conflict with Glibc's own module.
#define _GNU_SOURCE
#include "CLinux.h"
#include <linux/cec.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

void marquee_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

pid_t marquee_thread_number(void) { return gettid(); }

// Waits until the adapter has claimed its address, for 10 s at most: what is sent before is lost. Without a cable there is nothing to wait for.
static int await_cec_address(int descriptor) {
    for (int tenth = 0; tenth < 100; tenth++) {
        struct cec_log_addrs addresses;
        struct cec_event event;
        struct pollfd change = {.fd = descriptor, .events = POLLPRI};
        if (ioctl(descriptor, CEC_ADAP_G_LOG_ADDRS, &addresses) != 0) return errno;
        if (addresses.log_addr_mask != 0 || marquee_cec_physical_address(descriptor) < 0) return 0;
        if (poll(&change, 1, 100) > 0 && ioctl(descriptor, CEC_DQEVENT, &event) != 0) return errno;
    }
    return ETIMEDOUT;
}

int marquee_cec_claim(int descriptor, const char *name) {
    struct cec_log_addrs addresses;
    if (ioctl(descriptor, CEC_ADAP_G_LOG_ADDRS, &addresses) != 0) return errno;
    if (addresses.num_log_addrs > 0) return await_cec_address(descriptor);
    memset(&addresses, 0, sizeof addresses);
    addresses.num_log_addrs = 1;
    addresses.cec_version = CEC_OP_CEC_VERSION_1_4;
    addresses.vendor_id = CEC_VENDOR_ID_NONE;
    addresses.log_addr_type[0] = CEC_LOG_ADDR_TYPE_PLAYBACK;
    addresses.primary_device_type[0] = CEC_OP_PRIM_DEVTYPE_PLAYBACK;
    addresses.all_device_types[0] = CEC_OP_ALL_DEVTYPE_PLAYBACK;
    // The television's keys arrive like those of a remote.
    addresses.flags = CEC_LOG_ADDRS_FL_ALLOW_RC_PASSTHRU;
    strncpy(addresses.osd_name, name, sizeof addresses.osd_name - 1);
    // Without O_NONBLOCK the kernel would wait for the address without end.
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) return errno;
    int code = ioctl(descriptor, CEC_ADAP_S_LOG_ADDRS, &addresses) == 0 ? 0 : errno;
    if (fcntl(descriptor, F_SETFL, flags) != 0) return errno;
    return code != 0 ? code : await_cec_address(descriptor);
}

int marquee_cec_physical_address(int descriptor) {
    __u16 address = 0;
    if (ioctl(descriptor, CEC_ADAP_G_PHYS_ADDR, &address) != 0 || address == CEC_PHYS_ADDR_INVALID) return -1;
    return address;
}

// CEC_TRANSMIT. The kernel's queue may be full, of keys of the volume for example: a descriptor that waits, waits for its turn, for 10 s at most.
static int transmit_cec(int descriptor, struct cec_msg *message) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0) return errno;
    for (int tenth = 0; tenth < 100; tenth++) {
        struct pollfd place = {.fd = descriptor, .events = POLLOUT};
        if (ioctl(descriptor, CEC_TRANSMIT, message) == 0) return 0;
        if (errno != EBUSY || flags & O_NONBLOCK) return errno;
        if (poll(&place, 1, 100) < 0) return errno;
    }
    return EBUSY;
}

int marquee_cec_send(int descriptor, int to, const unsigned char *bytes, int count) {
    struct cec_log_addrs addresses;
    struct cec_msg message;
    if (count < 1 || count > CEC_MAX_MSG_SIZE - 1) return EINVAL;
    if (ioctl(descriptor, CEC_ADAP_G_LOG_ADDRS, &addresses) != 0) return errno;
    if (addresses.num_log_addrs == 0) return ENONET;
    // A bus that was busy or disturbed says nothing about the receiver. The kernel has repeated what it can; a transmission that it gave up is begun anew.
    for (int attempt = 0; attempt < 3; attempt++) {
        memset(&message, 0, sizeof message);
        message.msg[0] = (unsigned char)((addresses.log_addr[0] << 4) | (to & 15));
        memcpy(message.msg + 1, bytes, (size_t)count);
        message.len = (__u32)(count + 1);
        int code = transmit_cec(descriptor, &message);
        if (code != 0) return code;
        // No status yet: the descriptor does not wait.
        if (message.tx_status == 0 || message.tx_status & CEC_TX_STATUS_OK) return 0;
        if (message.tx_status & CEC_TX_STATUS_NACK) break;
    }
    return EREMOTEIO;
}

int marquee_cec_follow(int descriptor) {
    __u32 mode = CEC_MODE_INITIATOR | CEC_MODE_FOLLOWER;
    return ioctl(descriptor, CEC_S_MODE, &mode) == 0 ? 0 : errno;
}

int marquee_cec_receive(int descriptor, unsigned char *bytes, int capacity) {
    struct cec_msg message;
    // What was sent from here without waiting comes back with its result; it is no message of others.
    do {
        memset(&message, 0, sizeof message);
        if (ioctl(descriptor, CEC_RECEIVE, &message) != 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    } while (message.tx_status != 0);
    if (message.len < 1) return 0;
    int count = (int)message.len < capacity ? (int)message.len : capacity;
    memcpy(bytes, message.msg, (size_t)count);
    return count;
}
