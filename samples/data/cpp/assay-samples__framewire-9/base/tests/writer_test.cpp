#include "framewire/writer.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace framewire {
namespace {

TEST(WriterTest, Layout) {
  Writer writer;
  writer.frame({1, 2, 3});
  EXPECT_EQ(writer.bytes(), (Bytes{kMarker, 3, 1, 2, 3, 6, 10}));
  EXPECT_EQ(writer.frames(), 1u);
}

TEST(WriterTest, EmptyPayload) {
  EXPECT_EQ(Writer().frame({}).bytes(), (Bytes{kMarker, 0, 0, 0}));
}

TEST(WriterTest, TooLong) {
  EXPECT_THROW(Writer().frame(Bytes(kMaxPayload + 1)), std::length_error);
}

}  // namespace
}  // namespace framewire
