#include "framewire/reader.h"

#include <gtest/gtest.h>

#include "framewire/writer.h"

namespace framewire {
namespace {

std::vector<std::string> texts(Reader& reader) {
  std::vector<std::string> out;
  while (auto payload = reader.next()) out.push_back(to_text(*payload));
  return out;
}

using Texts = std::vector<std::string>;

TEST(ReaderTest, SeveralFramesInOnePiece) {
  Writer writer;
  writer.frame(to_bytes("one")).frame(to_bytes("")).frame(to_bytes("three"));
  Reader reader;
  reader.feed(writer.bytes());
  EXPECT_EQ(texts(reader), (Texts{"one", "", "three"}));
  EXPECT_FALSE(reader.pending());
}

TEST(ReaderTest, SplitWithinThePayload) {
  Writer writer;
  writer.frame(to_bytes("hello"));
  const Bytes& all = writer.bytes();
  Reader reader;
  reader.feed(all.data(), 4);
  EXPECT_TRUE(texts(reader).empty());
  EXPECT_TRUE(reader.pending());
  reader.feed(all.data() + 4, all.size() - 4);
  EXPECT_EQ(texts(reader), Texts{"hello"});
}

TEST(ReaderTest, DamageIsSkipped) {
  Writer writer;
  writer.frame(to_bytes("good")).frame(to_bytes("fine"));
  Bytes all = writer.bytes();
  all[3] ^= 1;
  Reader reader;
  reader.feed(all);
  EXPECT_EQ(texts(reader), Texts{"fine"});
  EXPECT_EQ(reader.damaged(), 1u);
  EXPECT_EQ(reader.skipped(), 8u);
}

TEST(ReaderTest, NoiseBetweenFrames) {
  Writer writer;
  writer.frame(to_bytes("x"));
  Reader reader;
  reader.feed({1, 2, 3});
  reader.feed(writer.bytes());
  EXPECT_EQ(texts(reader), Texts{"x"});
  EXPECT_EQ(reader.skipped(), 3u);
  EXPECT_EQ(reader.damaged(), 0u);
}

TEST(ReaderTest, ImpossibleLength) {
  Reader reader;
  reader.feed({kMarker, 0xFF, 0xFF, 0xFF, 0x7F});
  EXPECT_EQ(reader.damaged(), 1u);
  EXPECT_EQ(reader.skipped(), 5u);
  EXPECT_FALSE(reader.pending());
}

TEST(ReaderTest, LongPayload) {
  const Bytes payload(300, 'z');
  Writer writer;
  writer.frame(payload);
  Reader reader;
  reader.feed(writer.bytes());
  ASSERT_EQ(reader.next(), payload);
}

}  // namespace
}  // namespace framewire
