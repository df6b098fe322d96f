#!/usr/bin/env python3
"""Checks, inside the test machine, that its devices behave as Marquee's tests need.

Prints one line per check and exits with 1 when one failed. It uses the kernel through the same C libraries that
Marquee uses (libdrm, libudev, libasound), which also checks that those work over the host's file system.
"""

import array
import ctypes
import fcntl
import os
import select
import socket
import struct
import subprocess
import sys
import threading
import time

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "check.d"))
from again import again  # noqa: E402

# The timeout for events that are immediate unless the host is busy.
PATIENCE = 60
# The sound card runs on a timer of the machine: while it stalls sound is lost. The check is tried at most this often.
TRIES = 5


def require(condition, sentence):
    """An assertion that also works in optimised Python."""
    if not condition:
        raise AssertionError(sentence)


# --- Display -------------------------------------------------------------------------------------------------------

DRM_CLIENT_CAP_UNIVERSAL_PLANES, DRM_CLIENT_CAP_ATOMIC, DRM_CLIENT_CAP_WRITEBACK_CONNECTORS = 2, 3, 5
DRM_MODE_OBJECT_PLANE = 0xEEEEEEEE
DRM_MODE_CONNECTOR_WRITEBACK = 18
PLANE_TYPES = {0: "overlay", 1: "primary", 2: "cursor"}
NV12 = int.from_bytes(b"NV12", "little")
XRGB8888 = int.from_bytes(b"XR24", "little")
u32 = ctypes.c_uint32


class Resources(ctypes.Structure):
    _fields_ = [("count_fbs", ctypes.c_int), ("fbs", ctypes.POINTER(u32)),
                ("count_crtcs", ctypes.c_int), ("crtcs", ctypes.POINTER(u32)),
                ("count_connectors", ctypes.c_int), ("connectors", ctypes.POINTER(u32))]


class Connector(ctypes.Structure):
    _fields_ = [("id", u32), ("encoder", u32), ("type", u32), ("type_id", u32), ("connection", ctypes.c_int)]


class PlaneResources(ctypes.Structure):
    _fields_ = [("count", u32), ("planes", ctypes.POINTER(u32))]


class Plane(ctypes.Structure):
    _fields_ = [("count_formats", u32), ("formats", ctypes.POINTER(u32)), ("id", u32)]


class ObjectProperties(ctypes.Structure):
    _fields_ = [("count", u32), ("ids", ctypes.POINTER(u32)), ("values", ctypes.POINTER(ctypes.c_uint64))]


class Property(ctypes.Structure):
    _fields_ = [("id", u32), ("flags", u32), ("name", ctypes.c_char * 32)]


def libdrm():
    drm = ctypes.CDLL("libdrm.so.2", use_errno=True)
    for name, result in (("drmModeGetResources", Resources), ("drmModeGetConnector", Connector),
                         ("drmModeGetPlaneResources", PlaneResources), ("drmModeGetPlane", Plane),
                         ("drmModeObjectGetProperties", ObjectProperties), ("drmModeGetProperty", Property)):
        getattr(drm, name).restype = ctypes.POINTER(result)
    return drm


def open_card(drm):
    card = os.open("/dev/dri/card0", os.O_RDWR | os.O_CLOEXEC)
    for capability in (DRM_CLIENT_CAP_UNIVERSAL_PLANES, DRM_CLIENT_CAP_ATOMIC, DRM_CLIENT_CAP_WRITEBACK_CONNECTORS):
        require(drm.drmSetClientCap(card, ctypes.c_uint64(capability), ctypes.c_uint64(1)) == 0,
                f"vkms refuses client capability {capability}")
    return card


def plane_type(drm, card, plane_id):
    properties = drm.drmModeObjectGetProperties(card, plane_id, DRM_MODE_OBJECT_PLANE).contents
    for index in range(properties.count):
        if drm.drmModeGetProperty(card, properties.ids[index]).contents.name == b"type":
            return PLANE_TYPES[properties.values[index]]
    raise AssertionError(f"plane {plane_id} has no type")


def check_planes():
    """vkms has a primary plane for RGB and overlay planes for NV12"""
    drm = libdrm()
    card = open_card(drm)
    formats = {"primary": set(), "overlay": set(), "cursor": set()}
    counts = dict.fromkeys(formats, 0)
    planes = drm.drmModeGetPlaneResources(card).contents
    for index in range(planes.count):
        plane = drm.drmModeGetPlane(card, planes.planes[index]).contents
        kind = plane_type(drm, card, plane.id)
        counts[kind] += 1
        formats[kind] |= {plane.formats[i] for i in range(plane.count_formats)}
    os.close(card)
    require(XRGB8888 in formats["primary"], "the primary plane has no XRGB8888")
    require(counts["overlay"] >= 2, f"{counts['overlay']} overlay planes, 2 are needed")
    require(NV12 in formats["overlay"], "the overlay planes have no NV12")
    return f"{counts['primary']} primary, {counts['overlay']} overlay, {counts['cursor']} cursor"


def check_writeback():
    """a writeback connector and a connected display connector are there"""
    drm = libdrm()
    card = open_card(drm)
    resources = drm.drmModeGetResources(card).contents
    connectors = [drm.drmModeGetConnector(card, resources.connectors[index]).contents
                  for index in range(resources.count_connectors)]
    os.close(card)
    require(any(c.type == DRM_MODE_CONNECTOR_WRITEBACK for c in connectors), "no connector is a writeback connector")
    require(any(c.type != DRM_MODE_CONNECTOR_WRITEBACK and c.connection == 1 for c in connectors),
            "no display is connected")


def check_dma_heap():
    """a buffer of the dma-heap imports into vkms and is gone after closing"""
    heap = os.open("/dev/dma_heap/system", os.O_RDWR | os.O_CLOEXEC)
    request = bytearray(struct.pack("QIIQ", 1280 * 720 * 3 // 2, 0, os.O_RDWR | os.O_CLOEXEC, 0))
    fcntl.ioctl(heap, 0xC0184800, request)  # DMA_HEAP_IOCTL_ALLOC
    buffer = struct.unpack("QIIQ", request)[1]
    drm = libdrm()
    card = open_card(drm)
    handle = u32()
    require(drm.drmPrimeFDToHandle(card, buffer, ctypes.byref(handle)) == 0, "vkms refuses the buffer")
    for descriptor in (card, buffer, heap):
        os.close(descriptor)


def check_configfs():
    """vkms can be changed at run time through configfs"""
    require(os.path.isdir("/sys/kernel/config/vkms"), "/sys/kernel/config/vkms is not there")


# --- Remotes -------------------------------------------------------------------------------------------------------

EV_SYN, EV_KEY, KEY_OK, KEY_PLAYPAUSE = 0, 1, 0x160, 164
UI_DEV_CREATE, UI_DEV_DESTROY, UI_DEV_SETUP = 0x5501, 0x5502, 0x405C5503
UI_SET_EVBIT, UI_SET_KEYBIT, UI_GET_SYSNAME_64 = 0x40045564, 0x40045565, 0x8040552C


def check_remote():
    """a uinput remote is announced by udev as a key device and its keys arrive"""
    udev = ctypes.CDLL("libudev.so.1")
    for name in ("udev_new", "udev_monitor_new_from_netlink", "udev_monitor_receive_device"):
        getattr(udev, name).restype = ctypes.c_void_p
    for name in ("udev_device_get_action", "udev_device_get_devnode", "udev_device_get_property_value"):
        getattr(udev, name).restype = ctypes.c_char_p
    monitor = ctypes.c_void_p(udev.udev_monitor_new_from_netlink(ctypes.c_void_p(udev.udev_new()), b"udev"))
    udev.udev_monitor_filter_add_match_subsystem_devtype(monitor, b"input", None)
    udev.udev_monitor_enable_receiving(monitor)
    monitor_fd = udev.udev_monitor_get_fd(monitor)

    remote = os.open("/dev/uinput", os.O_RDWR | os.O_CLOEXEC)
    fcntl.ioctl(remote, UI_SET_EVBIT, EV_KEY)
    for key in (103, 105, 106, 108, KEY_OK, KEY_PLAYPAUSE):
        fcntl.ioctl(remote, UI_SET_KEYBIT, key)
    fcntl.ioctl(remote, UI_DEV_SETUP, struct.pack("4H80sI", 3, 1, 1, 1, b"Self-test remote", 0))
    fcntl.ioctl(remote, UI_DEV_CREATE)

    node = None
    while node is None:
        require(select.select([monitor_fd], [], [], PATIENCE)[0], f"udev announced no event device within {PATIENCE} seconds")
        device = ctypes.c_void_p(udev.udev_monitor_receive_device(monitor))
        found = udev.udev_device_get_devnode(device)
        if udev.udev_device_get_action(device) == b"add" and found and b"/event" in found:
            node = found.decode()
            require(udev.udev_device_get_property_value(device, b"ID_INPUT_KEY") == b"1", f"{node} has no ID_INPUT_KEY")

    listener = os.open(node, os.O_RDONLY | os.O_CLOEXEC)
    event = struct.Struct("qqHHi")
    os.write(remote, event.pack(0, 0, EV_KEY, KEY_PLAYPAUSE, 1) + event.pack(0, 0, EV_SYN, 0, 0))
    require(select.select([listener], [], [], PATIENCE)[0], f"the key pressed did not arrive within {PATIENCE} seconds")
    _, _, kind, code, value = event.unpack(os.read(listener, event.size))
    require((kind, code, value) == (EV_KEY, KEY_PLAYPAUSE, 1), f"event {kind}/{code}/{value} arrived instead")
    os.close(listener)
    fcntl.ioctl(remote, UI_DEV_DESTROY)
    os.close(remote)
    return node


# --- Sound ---------------------------------------------------------------------------------------------------------

PLAYBACK, CAPTURE, S16_LE, INTERLEAVED, RATE = 0, 1, 2, 3, 48_000


def open_pcm(alsa, name, direction):
    # A buffer of one second: everything that is played fits in, so the machine may stall for a while.
    pcm = ctypes.c_void_p()
    require(alsa.snd_pcm_open(ctypes.byref(pcm), name, direction, 0) == 0, f"{name.decode()} does not open")
    require(alsa.snd_pcm_set_params(pcm, S16_LE, INTERLEAVED, 2, RATE, 0, 1_000_000) == 0,
            f"{name.decode()} refuses 48 kHz stereo")
    return pcm


def check_sound():
    """what is played into one end of the loopback card is recorded at the other"""
    alsa = ctypes.CDLL("libasound.so.2")
    for name in ("snd_pcm_readi", "snd_pcm_writei"):
        getattr(alsa, name).restype = ctypes.c_long
    require(alsa.snd_card_get_index(b"Loopback") >= 0, "there is no card named Loopback")
    result = None

    def attempt(is_last):
        nonlocal result
        try:
            result = play_and_record(alsa)
        except AssertionError:
            if is_last:
                raise
            return False
        return True

    again(TRIES, attempt)
    return result


def play_and_record(alsa):
    capture = open_pcm(alsa, b"hw:Loopback,1,0", CAPTURE)
    playback = open_pcm(alsa, b"hw:Loopback,0,0", PLAYBACK)

    frames = RATE // 2
    played = array.array("h", (value for frame in range(frames) for value in (frame % 1000 + 1, -(frame % 1000) - 1)))
    recorded = array.array("h")
    problems = []

    def record():
        chunk = (ctypes.c_int16 * (2 * 1024))()
        while len(recorded) < 2 * frames and not problems:
            count = alsa.snd_pcm_readi(capture, chunk, ctypes.c_ulong(1024))
            if count < 0:
                problems.append(f"the capture ended with {count}")
            recorded.extend(chunk[:2 * max(count, 0)])

    # Reads shorter than the start threshold do not start a capture automatically.
    require(alsa.snd_pcm_start(capture) == 0, "the capture does not start")
    recorder = threading.Thread(target=record, daemon=True)
    recorder.start()
    buffer = (ctypes.c_int16 * len(played)).from_buffer(played)
    written = alsa.snd_pcm_writei(playback, buffer, ctypes.c_ulong(frames))
    alsa.snd_pcm_drain(playback)
    recorder.join(timeout=PATIENCE)
    if recorder.is_alive():
        # Ends the wait for sound.
        problems.append(f"half a second of sound was not recorded within {PATIENCE} seconds")
        alsa.snd_pcm_drop(capture)
        recorder.join(timeout=PATIENCE)
    require(not recorder.is_alive(), "the recording does not end")
    alsa.snd_pcm_close(playback)
    alsa.snd_pcm_close(capture)
    require(written == frames, f"{written} of {frames} frames were taken")
    require(not problems, "; ".join(problems))

    # The recording may start with silence; from its first sample on it must be the played ramp.
    start = next((i for i in range(0, len(recorded), 2) if recorded[i] != 0), None)
    require(start is not None, "only silence was recorded")
    length = min(len(recorded) - start, 2 * 4000)
    require(length >= 2 * 1000, "too little was recorded to compare")
    require(recorded[start:start + length] == played[:length], "the recording differs from what was played")
    return f"{length // 2} frames compared"


# --- Network -------------------------------------------------------------------------------------------------------

def round_trip():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        peer, _ = server.accept()
        with peer:
            begin = time.monotonic()
            client.sendall(b"x")
            peer.sendall(peer.recv(1))
            client.recv(1)
            return time.monotonic() - begin


def check_network():
    """the loopback network works, can be slowed by netem, and network namespaces can be made"""
    subprocess.run(["tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "20ms"], check=True)
    try:
        slow = round_trip()
    finally:
        subprocess.run(["tc", "qdisc", "del", "dev", "lo", "root"], check=True)
    require(slow >= 0.04, f"a round trip over netem with 20 ms each way took {slow * 1000:.1f} ms")
    subprocess.run(["ip", "netns", "add", "selftest"], check=True)
    subprocess.run(["ip", "netns", "delete", "selftest"], check=True)
    return f"{slow * 1000:.0f} ms"


# --- The machine itself --------------------------------------------------------------------------------------------

def check_files():
    """files of the host are readable, and writes work and stay in the machine's memory"""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "selftest.written")
    with open(path, "w", encoding="utf-8") as file:
        file.write("x")
    os.unlink(path)
    with open("/dev/stdout", "w", encoding="utf-8") as output:
        output.write("")


def check_frame_clock():
    """the display's vertical blanking can be waited for at about 60 Hz"""
    drm = libdrm()
    card = open_card(drm)
    resources = drm.drmModeGetResources(card).contents
    sequence, nanoseconds = ctypes.c_uint64(), ctypes.c_uint64()
    # Allowed while the console uses the CRTC.
    require(drm.drmCrtcGetSequence(card, resources.crtcs[0], ctypes.byref(sequence), ctypes.byref(nanoseconds)) == 0,
            "the CRTC tells no sequence number")
    first = (sequence.value, nanoseconds.value)
    elapsed, end = 0, time.monotonic() + PATIENCE
    while elapsed < 30 and time.monotonic() < end:
        time.sleep(0.5)
        drm.drmCrtcGetSequence(card, resources.crtcs[0], ctypes.byref(sequence), ctypes.byref(nanoseconds))
        elapsed = sequence.value - first[0]
    os.close(card)
    require(elapsed >= 30, f"{elapsed} vertical blanks passed within {PATIENCE} seconds")
    rate = elapsed / ((nanoseconds.value - first[1]) / 1e9)
    require(55 < rate < 65, f"the display runs at {rate:.2f} Hz")
    return f"{rate:.2f} Hz"


def main():
    failed = False
    for check in (check_planes, check_writeback, check_frame_clock, check_dma_heap, check_configfs, check_remote,
                  check_sound, check_network, check_files):
        try:
            detail = check()
            print(f"ok: {check.__doc__}" + (f" ({detail})" if detail else ""), flush=True)
        except (AssertionError, OSError, subprocess.CalledProcessError) as error:
            failed = True
            print(f"FAILED: {check.__doc__}: {error}", flush=True)
    return 1 if failed else 0


sys.exit(main())
