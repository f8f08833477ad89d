#include "framewire/writer.h"

#include <stdexcept>

#include "framewire/checksum.h"
#include "framewire/varint.h"

namespace framewire {

Writer& Writer::frame(const Bytes& payload) {
  if (payload.size() > kMaxPayload) throw std::length_error("framewire: payload too long");
  Checksum sum;
  sum.add(payload.data(), payload.size());
  bytes_.push_back(kMarker);
  put_varint(bytes_, static_cast<std::uint32_t>(payload.size()));
  bytes_.insert(bytes_.end(), payload.begin(), payload.end());
  bytes_.push_back(static_cast<Byte>(sum.value() & 0xFF));
  bytes_.push_back(static_cast<Byte>(sum.value() >> 8));
  ++frames_;
  return *this;
}

}  // namespace framewire
