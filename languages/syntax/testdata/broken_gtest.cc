// Branches that open braces each, and an end too early.
#include "gtest/gtest.h"

#ifdef WIDE
TEST(Branch, Name) {
  if (true) {
#else
TEST(Branch, Other) {
  if (false) {
#endif
  }
}

TEST(Split, AroundCondition) {
#if A
  if (a) {
#else
  if (b) {
#endif
    f();
  }
}

TEST(Last, Unclosed) {
  if (x) {
