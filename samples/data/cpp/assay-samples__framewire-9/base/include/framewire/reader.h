#ifndef FRAMEWIRE_READER_H
#define FRAMEWIRE_READER_H

#include <cstddef>
#include <deque>
#include <optional>

#include "framewire/bytes.h"

namespace framewire {

/// Takes the bytes of a stream in pieces and gives back the frames in them.
class Reader {
 public:
  /// Takes the next piece of the stream.
  void feed(const Byte* data, std::size_t size);
  void feed(const Bytes& data) { feed(data.data(), data.size()); }

  /// Returns the payload of the next complete frame, if there is one.
  std::optional<Bytes> next();

  /// Bytes that belonged to no good frame.
  std::size_t skipped() const { return skipped_; }

  /// Frames whose check sum or length was wrong.
  std::size_t damaged() const { return damaged_; }

  /// Whether the stream stopped within a frame.
  bool pending() const { return !rest_.empty(); }

 private:
  std::size_t parse(const Byte* begin, const Byte* end);
  std::size_t resync(const Byte* begin, const Byte* end);

  Bytes rest_;  // bytes that are kept until more come
  std::deque<Bytes> frames_;
  std::size_t skipped_ = 0;
  std::size_t damaged_ = 0;
};

}  // namespace framewire

#endif
