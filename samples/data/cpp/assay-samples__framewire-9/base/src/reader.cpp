#include "framewire/reader.h"

#include <algorithm>

#include "framewire/checksum.h"
#include "framewire/varint.h"

namespace framewire {

namespace {

constexpr std::size_t kSumSize = 2;

}  // namespace

void Reader::feed(const Byte* data, std::size_t size) {
  rest_.insert(rest_.end(), data, data + size);
  const Byte* p = rest_.data();
  const Byte* end = p + rest_.size();
  while (p != end) {
    const std::size_t taken = parse(p, end);
    if (taken == 0) break;
    p += taken;
  }
  rest_.erase(rest_.begin(), rest_.begin() + (p - rest_.data()));
}

std::optional<Bytes> Reader::next() {
  if (frames_.empty()) return std::nullopt;
  Bytes payload = std::move(frames_.front());
  frames_.pop_front();
  return payload;
}

// Takes one frame, or what stands before the next marker, and returns the
// number of bytes; 0 when more bytes are needed.
std::size_t Reader::parse(const Byte* begin, const Byte* end) {
  if (*begin != kMarker) return resync(begin, end);
  const Varint length = get_varint(begin + 1, end);
  if (length.state != VarintState::kDone || length.value > kMaxPayload) {
    ++damaged_;
    return resync(begin, end);
  }
  const Byte* payload = begin + 1 + length.size;
  if (static_cast<std::size_t>(end - payload) < length.value) return 0;
  const Byte* sum = payload + length.value;
  Checksum expected;
  expected.add(payload, length.value);
  const std::size_t tail = std::min(kSumSize, static_cast<std::size_t>(end - sum));
  std::uint32_t given = 0;
  for (std::size_t i = 0; i < tail; ++i) given |= static_cast<std::uint32_t>(sum[i]) << (8 * i);
  if (given != expected.value()) {
    ++damaged_;
    return resync(begin, end);
  }
  frames_.emplace_back(payload, sum);
  return static_cast<std::size_t>(sum - begin) + tail;
}

// Skips from begin to the next marker behind it.
std::size_t Reader::resync(const Byte* begin, const Byte* end) {
  const Byte* found = std::find(begin + 1, end, kMarker);
  skipped_ += static_cast<std::size_t>(found - begin);
  return static_cast<std::size_t>(found - begin);
}

}  // namespace framewire
