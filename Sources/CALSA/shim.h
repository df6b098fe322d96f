// alsa-lib: the sound device.
#pragma once
#include <alsa/asoundlib.h>
// The interfaces of plug-ins: the tests make PCMs and control interfaces with them.
#include <alsa/pcm_external.h>
#include <alsa/control_external.h>

static void marquee_alsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// Keeps alsa-lib from writing to standard error: its calls return error codes, which the callers report. The handler is
/// variadic, which Swift cannot write.
static inline void marquee_alsa_be_quiet(void) { snd_lib_error_set_handler(marquee_alsa_ignore); }
