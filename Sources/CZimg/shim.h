// zimg: conversion between colour spaces, ranges and depths. Besides the header only what Swift cannot see: a macro, and arrays of unnamed structures.
#pragma once
#include <zimg.h>

static const unsigned marquee_zimg_version = ZIMG_API_VERSION;

/// Runs a graph on three planes. `rowIsDone` is called after each row of the result has been written; null for none. Returns a `zimg_error_code_e`.
static inline int marquee_zimg_process(
    const zimg_filter_graph *graph, const void *const *from, const ptrdiff_t *from_strides, void *const *to,
    const ptrdiff_t *to_strides, void *scratch, zimg_filter_graph_callback row_is_done, void *user) {
    zimg_image_buffer_const source = { ZIMG_API_VERSION };
    zimg_image_buffer target = { ZIMG_API_VERSION };
    for (int plane = 0; plane < 3; plane++) {
        source.plane[plane].data = from[plane];
        source.plane[plane].stride = from_strides[plane];
        source.plane[plane].mask = ZIMG_BUFFER_MAX;
        target.plane[plane].data = to[plane];
        target.plane[plane].stride = to_strides[plane];
        target.plane[plane].mask = ZIMG_BUFFER_MAX;
    }
    return zimg_filter_graph_process(graph, &source, &target, scratch, NULL, NULL, row_is_done, user);
}
