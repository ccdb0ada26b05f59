// This header is internal to the target.
#pragma once
#include "CTagLib.h"

#include <cstring>
#include <memory>
#include <string>
#include <taglib/taglib.h>
#include <taglib/tfile.h>
#include <taglib/tiostream.h>
#include <taglib/tstring.h>
#include <taglib/tstringlist.h>

/// Returns the result of `body` or, if it throws, a default value. A file may require more memory than there is, and no
/// exception may reach Swift.
template <typename Body> auto guarded(Body body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    return decltype(body())();
  }
}

// The integer types with which TagLib::IOStream counts bytes. Its overrides must use exactly these types.
#if TAGLIB_MAJOR_VERSION >= 2
using StreamOffset = TagLib::offset_t;
using StreamStart = TagLib::offset_t;
using StreamLength = size_t;
#else
using StreamOffset = long;
using StreamStart = unsigned long;
using StreamLength = unsigned long;
#endif

/// A read-only file for TagLib, whose bytes a callback reads.
class CallbackStream final : public TagLib::IOStream {
 public:
  CallbackStream(int64_t size, segue_tags_read read, void *context) : size(size), read(read), context(context) {}

  TagLib::FileName name() const override { return ""; }
  TagLib::ByteVector readBlock(StreamLength length) override;
  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, StreamStart, StreamLength) override {}
  void removeBlock(StreamStart, StreamLength) override {}
  bool readOnly() const override { return true; }
  bool isOpen() const override { return true; }
  void seek(StreamOffset offset, Position from) override;
  void clear() override {}
  StreamOffset tell() const override { return position; }
  StreamOffset length() override { return size; }
  void truncate(StreamOffset) override {}

 private:
  const int64_t size;
  const segue_tags_read read;
  void *const context;
  StreamOffset position = 0;
};

struct segue_tags {
  segue_tags(segue_tags_kind kind, int64_t size, segue_tags_read read, void *context)
      : kind(kind), stream(size, read, context) {}

  const segue_tags_kind kind;
  CallbackStream stream;
  std::unique_ptr<TagLib::File> file;
  /// The picture whose bytes `segue_tags_picture` returned last.
  TagLib::ByteVector picture;
};

/// A receiver of texts. The number of texts, and the number of values of a key, are limited.
class Output {
 public:
  Output(segue_tags_text text, void *context) : text(text), context(context) {}

  /// Returns whether further texts would be dropped.
  bool isFull() const { return left == 0; }

  /// Reports that TagLib dropped a text because it is not UTF-8, as its format requires.
  void reportLoss();

  void put(const char *key, size_t keySize, const char *value, size_t valueSize);
  void put(const TagLib::String &key, const TagLib::String &value);
  /// Passes on the first values of `key`.
  void put(const TagLib::String &key, const TagLib::StringList &values);

  /// The maximum number of values of a key.
  static const unsigned maximumValueCount = 64;

 private:
  const segue_tags_text text;
  void *const context;
  unsigned left = 16384;
};
