#ifndef FRAMEWIRE_WRITER_H
#define FRAMEWIRE_WRITER_H

#include <cstddef>

#include "framewire/bytes.h"

namespace framewire {

/// Turns payloads into the bytes of frames.
class Writer {
 public:
  /// Appends a frame. Throws std::length_error for a payload above kMaxPayload.
  Writer& frame(const Bytes& payload);

  std::size_t frames() const { return frames_; }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
  std::size_t frames_ = 0;
};

}  // namespace framewire

#endif
