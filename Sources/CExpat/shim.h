// Expat: XML.
#pragma once
#include <expat.h>
#include <stdint.h>

// The line of the current event, from 1. Expat 2.9 deprecates the call that older versions have.
static inline uint64_t marquee_xml_current_line(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
    return XML_GetCurrentLineNumber64(parser);
#else
    return XML_GetCurrentLineNumber(parser);
#endif
}
