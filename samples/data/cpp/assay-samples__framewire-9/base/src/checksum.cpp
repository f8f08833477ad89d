#include "framewire/checksum.h"

namespace framewire {

void Checksum::add(const Byte* data, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    low_ = (low_ + data[i]) % 255;
    high_ = (high_ + low_) % 255;
  }
}

}  // namespace framewire
