package coinsplit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllocatorTest {
    private static List<Long> minor(List<Money> shares) {
        return shares.stream().map(Money::minor).collect(Collectors.toList());
    }

    private static List<Long> numbers(String text) {
        return Arrays.stream(text.split(" ")).map(Long::valueOf).collect(Collectors.toList());
    }

    private static long[] weights(String text) {
        return numbers(text).stream().mapToLong(Long::longValue).toArray();
    }

    @Nested
    class Split {
        @ParameterizedTest
        @CsvSource({"100, 3, 34 33 33", "101, 3, 34 34 33", "2, 4, 1 1 0 0", "0, 2, 0 0", "9, 1, 9"})
        void sharesAreNearlyEqual(long amount, int shares, String expected) {
            assertEquals(numbers(expected), minor(Allocator.split(Money.ofMinor(amount, Unit.EUR), shares)));
        }

        @Test
        void needsAShare() {
            assertThrows(IllegalArgumentException.class, () -> Allocator.split(Money.zero(Unit.EUR), 0));
        }
    }

    @Nested
    class Weights {
        @ParameterizedTest
        @CsvSource({"100, 1 1 2, 25 25 50", "5, 3 7, 2 3", "10, 1 1 1, 4 3 3", "-100, 1 3, -25 -75"})
        void sharesFollowTheWeights(long amount, String weights, String expected) {
            assertEquals(numbers(expected), minor(Allocator.allocate(Money.ofMinor(amount, Unit.EUR), weights(weights))));
        }

        @Test
        void mayNotBeNegative() {
            assertThrows(IllegalArgumentException.class, () -> Allocator.allocate(Money.zero(Unit.EUR), 2, -1));
        }

        @Test
        void mayNotAllBeZero() {
            assertThrows(IllegalArgumentException.class, () -> Allocator.allocate(Money.zero(Unit.EUR), 0, 0));
        }
    }
}
