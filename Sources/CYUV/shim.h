// libyuv: pixel conversion, scaling and blending on the CPU.
#pragma once
#include <libyuv.h>

/// The coefficients for one matrix: 601, 709 or 2020, full or limited range. They are lent by address because libyuv wants
/// them aligned as its own library laid them out.
static inline const struct YuvConstants *marquee_yuv_constants(int matrix, int is_full_range) {
    switch (matrix) {
    case 709: return is_full_range ? &kYuvF709Constants : &kYuvH709Constants;
    case 2020: return is_full_range ? &kYuvV2020Constants : &kYuv2020Constants;
    default: return is_full_range ? &kYuvJPEGConstants : &kYuvI601Constants;
    }
}
