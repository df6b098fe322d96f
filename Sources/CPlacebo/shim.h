// The tone mapping curves of libplacebo, which need no graphics processor. The library is loaded at first use: it is linked with Vulkan, and most
// programmes have standard dynamic range.
#pragma once
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <libplacebo/config.h>
#include <libplacebo/tone_mapping.h>

/// The curve of ITU-R BT.2390 from 0…`from_peak` to 0…`to_peak` (cd/m²), as code values of SMPTE ST 2084 (0…1), at `count` places that are evenly spaced
/// in code values up to `*from_code`, which it sets to that of `from_peak`. Returns whether the library was found.
static inline int marquee_bt2390_curve(float *out, size_t count, float from_peak, float to_peak, float *from_code) {
    char name[32];
    snprintf(name, sizeof name, "libplacebo.so.%d", PL_API_VER);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return 0;
    void (*generate)(float *, const struct pl_tone_map_params *);
    float (*rescale)(enum pl_hdr_scaling, enum pl_hdr_scaling, float);
    *(void **)&generate = dlsym(library, "pl_tone_map_generate");
    *(void **)&rescale = dlsym(library, "pl_hdr_rescale");
    const struct pl_tone_map_function *curve = (const struct pl_tone_map_function *)dlsym(library, "pl_tone_map_bt2390");
    if (generate == NULL || rescale == NULL || curve == NULL) return 0;
    struct pl_tone_map_params params;
    memset(&params, 0, sizeof params);
    params.function = curve;
    params.input_scaling = PL_HDR_PQ;
    params.output_scaling = PL_HDR_PQ;
    params.lut_size = count;
    params.input_max = rescale(PL_HDR_NITS, PL_HDR_PQ, from_peak);
    params.output_max = rescale(PL_HDR_NITS, PL_HDR_PQ, to_peak);
    // The knee of the report; the library's own default rolls off later.
#if PL_API_VER >= 309
    params.constants.knee_offset = 0.5f;
#else
    params.param = 0.5f;
#endif
    *from_code = params.input_max;
    generate(out, &params);
    return 1;
}
