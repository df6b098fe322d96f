// libyuv: pixel conversion, scaling and blending on the CPU.
#pragma once
#include <libyuv.h>

#if defined(__x86_64__) || defined(__i386__)
// libyuv's tables for limited range clip the factor from Cb to blue at 2.0, though its x86 code accepts up to 3.98: clipped,
// strong blue is up to 12 steps too dark. These are the same tables with the recommendations' factors, in 64ths.
#define MARQUEE_8(a, b) a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b
#define MARQUEE_32(a, b) { MARQUEE_8(a, b), MARQUEE_8(a, b) }
#define MARQUEE_16(a) { a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a }
#define MARQUEE_LIMITED(name, ub, ug, vg, vr, y) \
    static const struct YuvConstants __attribute__((aligned(32))) name = { \
        MARQUEE_32(ub, 0), MARQUEE_32(ug, vg), MARQUEE_32(0, vr), MARQUEE_16(y), MARQUEE_16(-1160) };
MARQUEE_LIMITED(marquee_limited_601, 129, 25, 52, 102, 18997)
MARQUEE_LIMITED(marquee_limited_709, 135, 14, 34, 115, 18997)
MARQUEE_LIMITED(marquee_limited_2020, 137, 12, 42, 107, 19003)
#else
#define marquee_limited_601 kYuvI601Constants
#define marquee_limited_709 kYuvH709Constants
#define marquee_limited_2020 kYuv2020Constants
#endif

/// The coefficients for one matrix: 601, 709 or 2020, full or limited range. They are passed by address because libyuv needs them
/// aligned.
static inline const struct YuvConstants *marquee_yuv_constants(int matrix, int is_full_range) {
    switch (matrix) {
    case 709: return is_full_range ? &kYuvF709Constants : &marquee_limited_709;
    case 2020: return is_full_range ? &kYuvV2020Constants : &marquee_limited_2020;
    default: return is_full_range ? &kYuvJPEGConstants : &marquee_limited_601;
    }
}
