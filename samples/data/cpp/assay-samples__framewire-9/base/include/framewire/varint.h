#ifndef FRAMEWIRE_VARINT_H
#define FRAMEWIRE_VARINT_H

#include <cstddef>
#include <cstdint>

#include "framewire/bytes.h"

namespace framewire {

/// What became of reading a number.
enum class VarintState {
  kDone,   ///< the number is complete
  kShort,  ///< the bytes end within the number
  kBad,    ///< more than five bytes, or more than 32 bits
};

struct Varint {
  VarintState state;
  std::uint32_t value;  ///< when done
  std::size_t size;     ///< bytes taken, when done
};

/// Appends a number: seven bits a byte, the low ones first, the high bit set
/// in all bytes but the last.
void put_varint(Bytes& out, std::uint32_t value);

/// Reads a number from the bytes of [begin, end).
Varint get_varint(const Byte* begin, const Byte* end);

}  // namespace framewire

#endif
