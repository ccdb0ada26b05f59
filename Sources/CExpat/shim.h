// Expat, the XML reader of XSPF playlists.
#pragma once
#include <expat.h>
#include <stdint.h>

/// The line that the parser is in, from 1. Since 2.9 Expat has a name for it that counts in 64 bits on every machine,
/// and calls the old one deprecated.
static inline uint64_t segue_xml_line(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
  return XML_GetCurrentLineNumber64(parser);
#else
  return XML_GetCurrentLineNumber(parser);
#endif
}
