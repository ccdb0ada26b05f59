#include "file.hpp"

#include <taglib/id3v1tag.h>
#include <taglib/id3v2tag.h>
#include <taglib/infotag.h>

using namespace TagLib;

// A byte from 0x80 on of a text in an unnamed charset is handed through TagLib as a character of the private use area,
// which tells it from the same character in a text of UTF-16 or UTF-8.
static const wchar_t firstByte = 0xF780, lastByte = 0xF7FF;

static String marked(const ByteVector &data) {
  std::wstring text;
  text.reserve(data.size());
  for (const char c : data) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte == 0) break;
    text.push_back(byte < 0x80 ? byte : firstByte + (byte - 0x80));
  }
  return String(text);
}

namespace {

struct ID3v2Handler final : ID3v2::Latin1StringHandler {
  String parse(const ByteVector &data) const override { return marked(data); }
};

struct ID3v1Handler final : ID3v1::StringHandler {
  String parse(const ByteVector &data) const override { return marked(data).stripWhiteSpace(); }
};

struct InfoHandler final : RIFF::Info::StringHandler {
  String parse(const ByteVector &data) const override { return marked(data); }
};

}  // namespace

void keepBytes() {
  static const ID3v2Handler ofID3v2;
  static const ID3v1Handler ofID3v1;
  static const InfoHandler ofInfo;
  static const bool done = [] {
    ID3v2::Tag::setLatin1StringHandler(&ofID3v2);
    ID3v1::Tag::setStringHandler(&ofID3v1);
    RIFF::Info::Tag::setStringHandler(&ofInfo);
    return true;
  }();
  (void)done;
}

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

/// TagLib holds UTF-16, a unit a wchar_t.
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

void Output::put(const char *key, size_t keySize, const String &value) const {
  static thread_local std::string buffer;
  buffer.clear();
  bool isBytes = false;
  for (const wchar_t unit : value) isBytes |= unit >= firstByte && unit <= lastByte;
  if (isBytes) {
    for (const wchar_t unit : value) {
      if (unit < 0x100) buffer.push_back(static_cast<char>(unit));
      else if (unit >= firstByte && unit <= lastByte) buffer.push_back(static_cast<char>(unit - firstByte + 0x80));
      else buffer.push_back('?');
    }
  } else {
    appendUTF8(buffer, value);
  }
  text(context, rank, key, keySize, buffer.data(), buffer.size(), isBytes);
}

void Output::put(const String &key, const String &value) const {
  static thread_local std::string name;
  name.clear();
  appendUTF8(name, key);
  put(name.data(), name.size(), value);
}
