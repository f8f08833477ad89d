// GoogleTest's macros, and what looks like them.
#include <gtest/gtest.h>
#include "a.h"  // a comment
#ifdef WIDE
#  include <wide.h>
#endif

#define DEFINES_A_TEST(name) \
  TEST(Defined, name) {}

namespace outer::inner {
namespace {

class Fixture : public ::testing::Test, private Base<int> {
 protected:
  void SetUp() override { value_ = 1; }
  int value_ = 0;
};

template <typename T>
struct Typed : testing::Test {
  T get() const { return T(); }
};

TEST(PlainTest, Works) {
  const char* text = "TEST(InString, No) {";
  auto raw = R"x(TEST(InRaw, No) { )" } )x";
  int big = 1'000'000;
  if (text[0] == '{') { /* } TEST(InComment, No) { */ }
  // TEST(InLineComment, No) {
}

TEST_F(Fixture, UsesFixture)
{
  EXPECT_EQ(value_, 1);
}

#if 0
TEST(Dead, Code) {
}
#else
TEST(Alive, Code) {
}
#endif

TEST_P(Numbers, IsOdd) {
  EXPECT_TRUE(GetParam() % 2);
}

INSTANTIATE_TEST_SUITE_P(
    Small, Numbers,
    ::testing::Values(1, 3));

INSTANTIATE_TEST_CASE_P(Large, Numbers, ::testing::Values(101));

using MyTypes = ::testing::Types<int, char>;
TYPED_TEST_SUITE(Typed, MyTypes);
TYPED_TEST(Typed, HasDefault) {
  TypeParam x{};
}

GTEST_TEST(Other, DISABLED_Spelling) NO_SANITIZE {
}

TEST(OneLine, A) {} TEST(OneLine, B) {}

}  // namespace
}  // namespace outer::inner

void TEST(int a, int b) {
}

int Fixture::operator()(int x) { return x; }

Fixture::operator bool() const { return true; }

class Forward;
enum class Color { kRed };
int global = 1;

template <typename T>
T identity(T x) {
  return x;
}

bool ns::Thing<int>::run(int x) const {
  return TEST(x, 1);
}

class API_EXPORT Exported : public Base {
 public:
  void method() {}
};

extern "C" {
int c_function(void) { return 0; }
}
