#include "file.hpp"

using namespace TagLib;

static void appendUTF8(std::string &text, uint32_t c) {
  if (c < 0x80) {
    text.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    text.push_back(static_cast<char>(0xC0 | c >> 6));
    text.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else if (c < 0x10000) {
    text.push_back(static_cast<char>(0xE0 | c >> 12));
    text.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
    text.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else {
    text.push_back(static_cast<char>(0xF0 | c >> 18));
    text.push_back(static_cast<char>(0x80 | (c >> 12 & 0x3F)));
    text.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
    text.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  }
}

/// TagLib stores UTF-16, one unit per wchar_t.
static void appendUTF8(std::string &text, const String &source) {
  for (auto unit = source.begin(); unit != source.end(); ++unit) {
    uint32_t c = static_cast<uint32_t>(*unit);
    if (c >= 0xD800 && c < 0xE000) {
      auto next = unit;
      const bool isPair = c < 0xDC00 && ++next != source.end() && *next >= 0xDC00 && *next < 0xE000;
      c = isPair ? 0x10000 + ((c - 0xD800) << 10) + (static_cast<uint32_t>(*next) - 0xDC00) : 0xFFFD;
      if (isPair) unit = next;
    }
    appendUTF8(text, c > 0x10FFFF ? 0xFFFD : c);
  }
}

void Output::reportLoss() { text(context, 1, "", 0, "", 0); }

void Output::put(const char *key, size_t keySize, const char *value, size_t valueSize) {
  if (isFull()) return;
  left--;
  text(context, 0, key, keySize, value, valueSize);
}

void Output::put(const String &key, const String &value) {
  if (isFull()) return;
  std::string name, bytes;
  appendUTF8(name, key);
  appendUTF8(bytes, value);
  put(name.data(), name.size(), bytes.data(), bytes.size());
}

void Output::put(const String &key, const StringList &values) {
  unsigned count = 0;
  for (const String &value : values) {
    if (count++ == maximumValueCount) return;
    if (value.isEmpty()) reportLoss();
    else put(key, value);
  }
}
