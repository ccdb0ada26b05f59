// Internal to this target.
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

/// What `body` gives or, if it throws, nothing: a file may want more memory than there is, and no exception may come to
/// Swift.
template <typename Body> auto guarded(Body body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    return decltype(body())();
  }
}

// The integers in which TagLib::IOStream counts bytes. Its overrides must name exactly these.
#if TAGLIB_MAJOR_VERSION >= 2
using StreamOffset = TagLib::offset_t;
using StreamStart = TagLib::offset_t;
using StreamLength = size_t;
#else
using StreamOffset = long;
using StreamStart = unsigned long;
using StreamLength = unsigned long;
#endif

/// A file that somebody else reads for us, in TagLib's eyes. Nothing can be written to it.
class ForeignStream final : public TagLib::IOStream {
 public:
  ForeignStream(int64_t size, segue_tags_read read, void *context) : size(size), read(read), context(context) {}

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
  ForeignStream stream;
  std::unique_ptr<TagLib::File> file;
  /// What `segue_tags_picture` points into.
  TagLib::ByteVector picture;
};

/// A receiver of texts. It takes a limited number of them, and no more of one key than are kept.
class Output {
 public:
  Output(segue_tags_text text, void *context) : text(text), context(context) {}

  /// Whether more would be dropped.
  bool isFull() const { return left == 0; }

  /// Something is not UTF-8 as its format demands, and TagLib has dropped it.
  void lose();

  void put(const char *key, size_t keySize, const char *value, size_t valueSize);
  void put(const TagLib::String &key, const TagLib::String &value);
  /// The first of many values.
  void put(const TagLib::String &key, const TagLib::StringList &values);

  /// The greatest number of values of one key.
  static const unsigned maximumValueCount = 64;

 private:
  const segue_tags_text text;
  void *const context;
  unsigned left = 16384;
};
