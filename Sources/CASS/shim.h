// libass: captions of SubStation Alpha.
#pragma once
#include <ass/ass.h>
#include <stdarg.h>

static inline void marquee_ass_say_nothing(int level, const char *format, va_list arguments, void *data) {
    (void)level, (void)format, (void)arguments, (void)data;
}

/// Keeps libass's messages from standard error: the callback takes a va_list, which Swift cannot write.
static inline void marquee_ass_be_quiet(ASS_Library *library) {
    ass_set_message_cb(library, marquee_ass_say_nothing, 0);
}
