// libavfilter, loaded at first use: with its dependencies, linking it would add 15 ms to every start, and most runs never use a
// filter.
#pragma once
#include <dlfcn.h>
#include <stdio.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>

/// The functions of libavfilter that are used here. The library is never unloaded.
typedef struct marquee_filters {
    AVFilterGraph *(*graph_alloc)(void);
    void (*graph_free)(AVFilterGraph **);
    int (*graph_config)(AVFilterGraph *, void *);
    int (*graph_create_filter)(AVFilterContext **, const AVFilter *, const char *, const char *, void *, AVFilterGraph *);
    const AVFilter *(*get_by_name)(const char *);
    int (*link)(AVFilterContext *, unsigned, AVFilterContext *, unsigned);
    int (*add_frame)(AVFilterContext *, AVFrame *, int);
    int (*get_frame)(AVFilterContext *, AVFrame *);
} marquee_filters;

/// Whether the source of pictures has options for their colours, and warns at each picture if they are not set: since FFmpeg 7.0.
static inline int marquee_buffer_source_has_colours(void) { return LIBAVFILTER_VERSION_MAJOR >= 10; }

/// Loads the library version that matches the headers. Returns whether all of it was found.
static inline int marquee_find_filters(marquee_filters *filters) {
    char name[32];
    snprintf(name, sizeof name, "libavfilter.so.%d", LIBAVFILTER_VERSION_MAJOR);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return 0;
    *(void **)&filters->graph_alloc = dlsym(library, "avfilter_graph_alloc");
    *(void **)&filters->graph_free = dlsym(library, "avfilter_graph_free");
    *(void **)&filters->graph_config = dlsym(library, "avfilter_graph_config");
    *(void **)&filters->graph_create_filter = dlsym(library, "avfilter_graph_create_filter");
    *(void **)&filters->get_by_name = dlsym(library, "avfilter_get_by_name");
    *(void **)&filters->link = dlsym(library, "avfilter_link");
    *(void **)&filters->add_frame = dlsym(library, "av_buffersrc_add_frame_flags");
    *(void **)&filters->get_frame = dlsym(library, "av_buffersink_get_frame");
    return filters->graph_alloc && filters->graph_free && filters->graph_config && filters->graph_create_filter
        && filters->get_by_name && filters->link && filters->add_frame && filters->get_frame;
}
