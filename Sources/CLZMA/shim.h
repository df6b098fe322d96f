// liblzma: .xz and .lzma files.
#pragma once
#include <lzma.h>

/// `LZMA_STREAM_INIT`: a macro in C.
static inline lzma_stream marquee_lzma_stream(void) {
    lzma_stream stream = LZMA_STREAM_INIT;
    return stream;
}

/// The decoder of .xz files of one or more streams, and of .lzma.
static inline lzma_ret marquee_lzma_open(lzma_stream *stream, uint64_t most_memory) {
    return lzma_auto_decoder(stream, most_memory, LZMA_CONCATENATED);
}
