// The GNU extensions are enabled only here: seen from Swift they would conflict with Glibc's own module.
#define _GNU_SOURCE
#include "CLinux.h"
#include <linux/cec.h>
#include <string.h>

void marquee_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int marquee_cec_claim(int descriptor, const char *name) {
    struct cec_log_addrs addresses;
    if (ioctl(descriptor, CEC_ADAP_G_LOG_ADDRS, &addresses) != 0) return errno;
    if (addresses.num_log_addrs > 0) return 0;
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
    return ioctl(descriptor, CEC_ADAP_S_LOG_ADDRS, &addresses) == 0 ? 0 : errno;
}

int marquee_cec_physical_address(int descriptor) {
    __u16 address = 0;
    if (ioctl(descriptor, CEC_ADAP_G_PHYS_ADDR, &address) != 0 || address == CEC_PHYS_ADDR_INVALID) return -1;
    return address;
}

int marquee_cec_send(int descriptor, int to, const unsigned char *bytes, int count) {
    struct cec_log_addrs addresses;
    struct cec_msg message;
    if (count < 1 || count > CEC_MAX_MSG_SIZE - 1) return EINVAL;
    if (ioctl(descriptor, CEC_ADAP_G_LOG_ADDRS, &addresses) != 0) return errno;
    if (addresses.num_log_addrs == 0) return ENONET;
    memset(&message, 0, sizeof message);
    message.msg[0] = (unsigned char)((addresses.log_addr[0] << 4) | (to & 15));
    memcpy(message.msg + 1, bytes, (size_t)count);
    message.len = (__u32)(count + 1);
    if (ioctl(descriptor, CEC_TRANSMIT, &message) != 0) return errno;
    return message.tx_status & CEC_TX_STATUS_OK ? 0 : EREMOTEIO;
}

int marquee_cec_follow(int descriptor) {
    __u32 mode = CEC_MODE_INITIATOR | CEC_MODE_FOLLOWER;
    return ioctl(descriptor, CEC_S_MODE, &mode) == 0 ? 0 : errno;
}

int marquee_cec_receive(int descriptor, unsigned char *bytes, int capacity) {
    struct cec_msg message;
    memset(&message, 0, sizeof message);
    if (ioctl(descriptor, CEC_RECEIVE, &message) != 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    if (message.len < 1) return 0;
    int count = (int)message.len < capacity ? (int)message.len : capacity;
    memcpy(bytes, message.msg, (size_t)count);
    return count;
}
