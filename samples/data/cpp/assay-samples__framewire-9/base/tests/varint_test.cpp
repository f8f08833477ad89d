#include "framewire/varint.h"

#include <gtest/gtest.h>

#include <ostream>

namespace framewire {
namespace {

struct Case {
  std::uint32_t value;
  Bytes bytes;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.value; }

class VarintTest : public testing::TestWithParam<Case> {};

TEST_P(VarintTest, RoundTrip) {
  Bytes bytes;
  put_varint(bytes, GetParam().value);
  EXPECT_EQ(bytes, GetParam().bytes);
  const Varint read = get_varint(bytes.data(), bytes.data() + bytes.size());
  EXPECT_EQ(read.state, VarintState::kDone);
  EXPECT_EQ(read.value, GetParam().value);
  EXPECT_EQ(read.size, bytes.size());
}

INSTANTIATE_TEST_SUITE_P(Sizes, VarintTest,
                         testing::Values(Case{0, {0x00}}, Case{127, {0x7F}}, Case{128, {0x80, 0x01}},
                                         Case{0xFFFFFFFF, {0xFF, 0xFF, 0xFF, 0xFF, 0x0F}}));

TEST(VarintStateTest, Short) {
  const Bytes bytes{0x80, 0x80};
  EXPECT_EQ(get_varint(bytes.data(), bytes.data() + 2).state, VarintState::kShort);
  EXPECT_EQ(get_varint(bytes.data(), bytes.data()).state, VarintState::kShort);
}

TEST(VarintStateTest, TooLong) {
  const Bytes bytes{0xFF, 0xFF, 0xFF, 0xFF, 0x1F};
  EXPECT_EQ(get_varint(bytes.data(), bytes.data() + 5).state, VarintState::kBad);
}

}  // namespace
}  // namespace framewire
