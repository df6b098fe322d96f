// FFmpeg: demuxing, decoding, resampling, scaling. Besides the headers only what Swift cannot see (macros), and one name for what
// differs between FFmpeg 5.1 and 7.1. libavfilter is loaded at run time: filters.h.
#pragma once
#include <libavformat/avformat.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/vorbis_parser.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/hwcontext_drm.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include "filters.h"

static const int32_t marquee_averror_eof = AVERROR_EOF;
static const int32_t marquee_averror_again = AVERROR(EAGAIN);
static const int32_t marquee_averror_io = AVERROR(EIO);
static const int32_t marquee_averror_memory = AVERROR(ENOMEM);
static const int32_t marquee_averror_invalid = AVERROR_INVALIDDATA;
static const int64_t marquee_no_pts = AV_NOPTS_VALUE;

/// The duration of a frame in its context's packet time base; 0 when unknown.
static inline int64_t marquee_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

/// Whether a frame consists of two fields.
static inline int marquee_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR >= 59
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame;
#endif
}

/// What the container states about a stream beside its parameters; null if it does not.
static inline const uint8_t *marquee_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, ptrdiff_t *count) {
    *count = 0;
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    const AVPacketSideData *data = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    if (data == NULL) return NULL;
    *count = (ptrdiff_t)data->size;
    return data->data;
#else
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, type, &size);
    *count = (ptrdiff_t)size;
    return data;
#endif
}

/// The nine numbers of a stream's display matrix; null if it has none.
static inline const int32_t *marquee_stream_display_matrix(const AVStream *stream) {
    ptrdiff_t count = 0;
    const uint8_t *data = marquee_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &count);
    return data && count >= 36 ? (const int32_t *)data : NULL;
}

/// The frame rate that the bytes of a stream state; 0/1: none, or unknown. Where libavformat has not seen enough pictures to measure one it gives this one as
/// the base rate, and from 6.1 on the rate of fields in its place.
static inline AVRational marquee_stated_frame_rate(const AVCodecParameters *parameters) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    return parameters->framerate;
#else
    (void)parameters;
    return (AVRational){0, 1};
#endif
}

/// Declares that get_buffer2 may be called from any thread; later versions assume it.
static inline void marquee_callbacks_are_thread_safe(AVCodecContext *context) {
#if LIBAVCODEC_VERSION_MAJOR < 60
_Pragma("GCC diagnostic push")
_Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
    context->thread_safe_callbacks = 1;
_Pragma("GCC diagnostic pop")
#else
    (void)context;
#endif
}

/// Stores the nine numbers of a display matrix in a stream that is written. Returns 0, or a negative AVERROR.
static inline int marquee_set_display_matrix(AVStream *stream, const int32_t *matrix) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    AVPacketSideData *side = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX, 36, 0);
    uint8_t *data = side ? side->data : NULL;
#else
    uint8_t *data = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 36);
#endif
    if (data == NULL) return AVERROR(ENOMEM);
    for (int index = 0; index < 36; index++) data[index] = ((const uint8_t *)matrix)[index];
    return 0;
}

typedef int (*marquee_output_write)(void *opaque, const uint8_t *bytes, int count);

/// Makes a context that writes; later versions declare the bytes of its callback constant.
static inline AVIOContext *marquee_alloc_output(
    uint8_t *buffer, int size, void *opaque, marquee_output_write write, int64_t (*seek)(void *, int64_t, int)) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    return avio_alloc_context(buffer, size, 1, opaque, NULL, write, seek);
#else
    return avio_alloc_context(buffer, size, 1, opaque, NULL, (int (*)(void *, uint8_t *, int))write, seek);
#endif
}
