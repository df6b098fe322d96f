// zlib: gzip files (RFC 1952).
#pragma once
#include <zlib.h>

/// `inflateInit2` for gzip's header and checksum: a macro in C.
static inline int marquee_inflate_gzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }

/// `inflateInit2` for data without a header, as in a zip file.
static inline int marquee_inflate_raw(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }

/// `deflateInit2` for the same: a macro in C.
static inline int marquee_deflate_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
