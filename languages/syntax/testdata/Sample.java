// A class of tests in all shapes that JUnit and TestNG know.
package com.example.app;

import static org.junit.Assert.assertTrue;
import org.junit.jupiter.api.Test;

@DisplayName("everything")
public class Sample extends Base<String> implements Runnable, java.io.Closeable {
  private static final String[] NAMES = {
    "a", "b"
  };

  public Sample() {}

  @BeforeEach
  void setUp() {}

  @Test
  public void plain() {
    new Object() {
      @Test
      void anonymous() {}
    };
  }

  @Test void oneLine() {}

  @org.junit.Test(expected = RuntimeException.class)
  public void qualified() throws Exception {
  }

  /** Of many. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      ints = {1, 2, 3})
  @DisplayName("odd ones")
  void odd(int x) {
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void pair(int a, int b) {}

  @ParameterizedTest @CsvSource({"1, 2"}) void onOneLine(int a, int b) {}

  static Stream<Arguments> pairs() {
    return Stream.of(Arguments.of(1, 2));
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void named(String name) {}

  @ParameterizedTest
  @MethodSource
  void ownName(int x) {}

  static IntStream ownName() {
    return IntStream.of(1);
  }

  @Test(dataProvider = "table")
  public void ofTestNG(int x) {}

  @DataProvider(name = "table")
  public Object[][] rows() {
    return new Object[][] {{1}};
  }

  @RepeatedTest(3)
  void repeated() {}

  @TestFactory
  Collection<DynamicTest> dynamic() { return null; }

  @BeforeTest
  public void notATest() {}

  public void testNotInJUnit5() {}

  @Nested
  class Inner {
    @Test
    void deep() {}

    @Nested
    class Deeper {
      @CustomRetryTest
      void deepest() {}
    }
  }

  enum Color { RED { void x() {} }, GREEN; @Test void inEnum() {} }

  record Point(int x, int y) {
    Point {
      if (x < 0) throw new IllegalArgumentException();
    }
    @Test void inRecord() {}
  }

  interface Contract {
    @Test
    default void holds() {}
  }

  @interface Marker {
    int value() default 1;
  }
}

class OldTest extends TestCase {
  public void testOld() {}
  public void testWithArgument(int x) {}
  void testNotPublic() {}
  public static void testStatic() {}
  public int testReturns() { return 1; }
  public void helper() {}
}

abstract class Shared {
  @Test
  public void shared() {}
}

@org.testng.annotations.Test
class WholeClass {
  public void anyPublic() {}
  @BeforeMethod
  public void before() {}
  private void hidden() {}
}

@RunWith(Parameterized.class)
class Four {
  @Parameters
  public static Collection<Object[]> data() {
    return null;
  }

  @Test
  public void four() {}
}
