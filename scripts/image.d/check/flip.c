// Sets the first connected screen's mode and flips once: the minimum for a first picture on this machine.
// The budget boot_main_to_flip (board/budgets.txt) compares the player with it.
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

static int flipped;

static void on_flip(int fd, unsigned sequence, unsigned seconds, unsigned micros, void *data) {
    (void)fd, (void)sequence, (void)seconds, (void)micros, (void)data;
    flipped = 1;
}

static uint32_t make_buffer(int card, uint32_t width, uint32_t height) {
    uint32_t handle, pitch, buffer;
    uint64_t size, offset;
    if (drmModeCreateDumbBuffer(card, width, height, 32, 0, &handle, &pitch, &size)) return 0;
    if (drmModeAddFB(card, width, height, 24, 32, pitch, handle, &buffer)) return 0;
    if (drmModeMapDumbBuffer(card, handle, &offset)) return 0;
    void *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, card, (off_t)offset);
    if (memory == MAP_FAILED) return 0;
    memset(memory, 0, size);
    return buffer;
}

int main(void) {
    int card = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    drmModeRes *resources = card < 0 ? NULL : drmModeGetResources(card);
    for (int index = 0; resources && index < resources->count_connectors; index++) {
        drmModeConnector *connector = drmModeGetConnector(card, resources->connectors[index]);
        if (!connector || connector->connection != DRM_MODE_CONNECTED || !connector->count_modes) continue;
        drmModeModeInfo mode = connector->modes[0];
        uint32_t first = make_buffer(card, mode.hdisplay, mode.vdisplay), second = make_buffer(card, mode.hdisplay, mode.vdisplay);
        uint32_t crtc = resources->crtcs[0];
        if (!first || !second || drmModeSetCrtc(card, crtc, first, 0, 0, &connector->connector_id, 1, &mode)) break;
        if (drmModePageFlip(card, crtc, second, DRM_MODE_PAGE_FLIP_EVENT, NULL)) break;
        drmEventContext events = {.version = 2, .page_flip_handler = on_flip};
        struct pollfd wait = {.fd = card, .events = POLLIN};
        while (!flipped && poll(&wait, 1, 5000) == 1) drmHandleEvent(card, &events);
        return flipped ? 0 : 1;
    }
    perror("flip: no picture");
    return 1;
}
