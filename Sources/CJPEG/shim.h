// libjpeg: it leaves by longjmp on failure, which Swift cannot catch, so the one required call is made here.
#pragma once
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>

struct marquee_jpeg_error {
    struct jpeg_error_mgr manager;
    jmp_buf escape;
};

static inline void marquee_jpeg_escape(j_common_ptr info) { longjmp(((struct marquee_jpeg_error *)info->err)->escape, 1); }

/// Compresses 32-bit B, G, R, x pixels. Returns 1 and a block to be released with free(3), or 0 when memory is exhausted.
static inline int marquee_jpeg_compress(const unsigned char *pixels, unsigned int width, unsigned int height, size_t stride,
                                        int quality, unsigned char **bytes, unsigned long *count) {
    struct jpeg_compress_struct info;
    struct marquee_jpeg_error error;
    info.err = jpeg_std_error(&error.manager);
    error.manager.error_exit = marquee_jpeg_escape;
    *bytes = NULL;
    *count = 0;
    if (setjmp(error.escape)) {
        jpeg_destroy_compress(&info);
        free(*bytes);
        *bytes = NULL;
        return 0;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, bytes, count);
    info.image_width = width;
    info.image_height = height;
    info.input_components = 4;
    info.in_color_space = JCS_EXT_BGRX;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < height) {
        JSAMPROW row = (JSAMPROW)(pixels + stride * info.next_scanline);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return 1;
}
