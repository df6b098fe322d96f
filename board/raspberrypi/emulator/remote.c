// A remote control for the check: a uinput device that presses the keys whose codes (linux/input-event-codes.h) it reads, one on each line. It is
// unplugged at the end of the input.
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static int device;

static int put(int type, int code, int value)
{
    struct input_event event = {.type = type, .code = code, .value = value};
    return write(device, &event, sizeof event) == sizeof event ? 0 : -1;
}

int main(void)
{
    struct uinput_setup setup = {.id = {.bustype = BUS_USB, .vendor = 1, .product = 1, .version = 1}, .name = "Check remote"};
    const struct timespec held = {.tv_nsec = 50 * 1000 * 1000};
    char line[16];
    device = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
    if (device < 0 || ioctl(device, UI_SET_EVBIT, EV_KEY)) return perror("remote: uinput"), 1;
    for (int code = 1; code < 248; code++)
        if (ioctl(device, UI_SET_KEYBIT, code)) return perror("remote: key"), 1;
    if (ioctl(device, UI_DEV_SETUP, &setup) || ioctl(device, UI_DEV_CREATE)) return perror("remote: device"), 1;
    while (fgets(line, sizeof line, stdin)) {
        int code = atoi(line);
        if (put(EV_KEY, code, 1) || put(EV_SYN, SYN_REPORT, 0)) return perror("remote: press"), 1;
        nanosleep(&held, NULL);
        if (put(EV_KEY, code, 0) || put(EV_SYN, SYN_REPORT, 0)) return perror("remote: release"), 1;
    }
    return ioctl(device, UI_DEV_DESTROY) ? 1 : 0;
}
