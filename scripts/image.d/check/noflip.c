/* Loaded before libdrm (LD_PRELOAD): commits are accepted, and nothing of them reaches the screen. For a version that never shows a picture. */
#include <stdint.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

int drmModeAtomicCommit(int fd, const drmModeAtomicReqPtr request, uint32_t flags, void *data)
{
    (void)fd, (void)request, (void)flags, (void)data;
    return 0;
}
