// Reads TOML 1.0 with toml++ and reports the document as events: nothing of the library outlives the call.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum marquee_toml_kind {
    /// A table begins; its members follow, ordered by name.
    MARQUEE_TOML_TABLE,
    /// An array begins; its elements follow.
    MARQUEE_TOML_ARRAY,
    /// The table or array that began last and has not ended ends.
    MARQUEE_TOML_END,
    MARQUEE_TOML_TEXT,
    MARQUEE_TOML_INTEGER,
    MARQUEE_TOML_BOOLEAN,
    /// A float, a date or a time: no setting takes one.
    MARQUEE_TOML_OTHER,
};

/// Part of a document. Its pointers are valid during the callback only; texts are UTF-8 and may contain NUL.
struct marquee_toml_event {
    enum marquee_toml_kind kind;
    /// The name of a member of a table; NULL for the root and for elements of arrays.
    const char *name;
    size_t name_length;
    /// Of the name, or of the value where there is no name; counted from one.
    uint32_t line;
    /// With MARQUEE_TOML_TEXT.
    const char *text;
    size_t text_length;
    /// With MARQUEE_TOML_INTEGER; MARQUEE_TOML_BOOLEAN: 0 or 1.
    int64_t integer;
};

/// Why a text is not TOML, and where, counted from one; columns are in characters.
struct marquee_toml_fault {
    uint32_t line;
    uint32_t column;
    /// May have line feeds; cut off at the size.
    char reason[512];
};

/// Reads a text and calls `event` for each of its parts, the root table first. Returns false with `fault` filled in, without any
/// event, when it is not TOML.
bool marquee_toml_read(
    const char *text, size_t length, void *context, void (*event)(void *context, const struct marquee_toml_event *event),
    struct marquee_toml_fault *fault);

#ifdef __cplusplus
}
#endif
