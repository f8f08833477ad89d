#ifndef FRAMEWIRE_BYTES_H
#define FRAMEWIRE_BYTES_H

#include <cstdint>
#include <string>
#include <vector>

namespace framewire {

using Byte = std::uint8_t;
using Bytes = std::vector<Byte>;

/// The byte that every frame begins with.
constexpr Byte kMarker = 0xF5;

/// The longest payload that is written or read.
constexpr std::size_t kMaxPayload = std::size_t{1} << 20;

inline Bytes to_bytes(const std::string& text) { return Bytes(text.begin(), text.end()); }

inline std::string to_text(const Bytes& bytes) { return std::string(bytes.begin(), bytes.end()); }

}  // namespace framewire

#endif
