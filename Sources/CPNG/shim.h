// libpng: its simplified interface, which reports errors by return value.
#pragma once
#include <png.h>
#include <string.h>

/// An empty description of an image for the simplified interface (`png_image` holds a reserved pointer that must be null).
static inline png_image marquee_png_image(unsigned int width, unsigned int height, unsigned int format) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = format;
    return image;
}

/// Blue, green, red in memory order: a macro in C.
static inline unsigned int marquee_png_format_bgr(void) { return PNG_FORMAT_BGR; }
