#include "framewire/varint.h"

namespace framewire {

void put_varint(Bytes& out, std::uint32_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<Byte>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<Byte>(value));
}

Varint get_varint(const Byte* begin, const Byte* end) {
  std::uint64_t value = 0;
  std::size_t size = 0;
  for (const Byte* p = begin; p != end; ++p) {
    value |= static_cast<std::uint64_t>(*p & 0x7F) << (7 * size);
    ++size;
    if (value > 0xFFFFFFFFu) return {VarintState::kBad, 0, 0};
    if ((*p & 0x80) == 0) return {VarintState::kDone, static_cast<std::uint32_t>(value), size};
    if (size == 5) return {VarintState::kBad, 0, 0};
  }
  return {VarintState::kShort, 0, 0};
}

}  // namespace framewire
