"""Records the capture end of the loopback sound card through alsa-lib, with the instant of each frame."""

from __future__ import annotations

import ctypes
import threading
import time
import wave

CAPTURE, S16_LE, INTERLEAVED = 1, 2, 3
RATE, CHANNELS, CHUNK = 48_000, 2, 1024


class Recorder:
    """Records from its creation until `stop`, on a separate thread."""

    def __init__(self, device: str = "hw:Loopback,1,0") -> None:
        self.alsa = ctypes.CDLL("libasound.so.2")
        self.alsa.snd_pcm_readi.restype = ctypes.c_long
        self.alsa.snd_pcm_avail.restype = ctypes.c_long
        self.pcm = ctypes.c_void_p()
        self.require("snd_pcm_open", self.alsa.snd_pcm_open(ctypes.byref(self.pcm), device.encode(), CAPTURE, 0))
        # A buffer of one second, read a quarter at a time: the machine is slow, and nothing may be lost while this thread is delayed.
        self.require("snd_pcm_set_params", self.alsa.snd_pcm_set_params(
            self.pcm, S16_LE, INTERLEAVED, CHANNELS, RATE, 0, 1_000_000))
        # Reads shorter than the start threshold do not start a capture automatically.
        self.require("snd_pcm_start", self.alsa.snd_pcm_start(self.pcm))
        self.chunks: list[bytes] = []
        self.frames = 0
        self.overruns = 0
        # (frame, CLOCK_MONOTONIC in seconds): that frame was recorded at that instant.
        self.anchor = (0, time.monotonic())
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self.run, name="recorder")
        self.thread.start()

    def require(self, call: str, code: int) -> None:
        if code < 0:
            self.alsa.snd_strerror.restype = ctypes.c_char_p
            raise OSError(-code, f"{call} failed: {self.alsa.snd_strerror(code).decode()}")

    def run(self) -> None:
        memory = (ctypes.c_int16 * (CHANNELS * CHUNK))()
        while not self.ending.is_set():
            count = self.alsa.snd_pcm_readi(self.pcm, memory, ctypes.c_ulong(CHUNK))
            if count < 0:
                self.overruns += 1
                # Any error, for example when the host stalled for seconds and the card's timer with it.
                self.require("snd_pcm_prepare", self.alsa.snd_pcm_prepare(self.pcm))
                self.require("snd_pcm_start", self.alsa.snd_pcm_start(self.pcm))
                continue
            self.chunks.append(bytes(memory)[: 2 * CHANNELS * count])
            self.frames += count
            waiting = self.alsa.snd_pcm_avail(self.pcm)
            if waiting >= 0:
                self.anchor = (self.frames + waiting, time.monotonic())

    def stop(self, path: str) -> None:
        """Ends the recording and writes it as a WAVE file."""
        self.ending.set()
        self.thread.join()
        self.alsa.snd_pcm_close(self.pcm)
        with wave.open(path, "wb") as file:
            file.setnchannels(CHANNELS)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(b"".join(self.chunks))

    @property
    def start(self) -> float:
        """When the first frame was recorded, in seconds of CLOCK_MONOTONIC. Valid if nothing was lost."""
        return self.anchor[1] - self.anchor[0] / RATE
