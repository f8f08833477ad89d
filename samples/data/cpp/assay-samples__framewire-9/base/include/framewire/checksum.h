#ifndef FRAMEWIRE_CHECKSUM_H
#define FRAMEWIRE_CHECKSUM_H

#include <cstddef>
#include <cstdint>

#include "framewire/bytes.h"

namespace framewire {

/// Two running sums modulo 255, as J. G. Fletcher described them.
class Checksum {
 public:
  void add(const Byte* data, std::size_t size);
  std::uint16_t value() const { return static_cast<std::uint16_t>(high_ << 8 | low_); }

 private:
  std::uint32_t low_ = 0;
  std::uint32_t high_ = 0;
};

}  // namespace framewire

#endif
