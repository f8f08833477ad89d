package coinsplit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MoneyTest {
    @Nested
    class Text {
        @ParameterizedTest
        @ValueSource(strings = {"0.00 EUR", "-12.50 EUR", "7 JPY", "0.001 KWD"})
        void survivesTheRoundTrip(String text) {
            assertEquals(text, Money.parse(text).toString());
        }

        @ParameterizedTest
        @ValueSource(strings = {"1.00", "1.005 EUR", "1 XYZ", "one EUR"})
        void isRefused(String text) {
            assertThrows(IllegalArgumentException.class, () -> Money.parse(text));
        }
    }

    @Nested
    class Arithmetic {
        @ParameterizedTest
        @CsvSource({"10.00 EUR, 19, 1.90 EUR", "0.50 EUR, 5, 0.02 EUR", "-1.50 EUR, 1, -0.02 EUR"})
        void percent(String amount, String percent, String expected) {
            assertEquals(Money.parse(expected), Money.parse(amount).percent(percent));
        }

        @Test
        void currenciesDoNotMix() {
            assertThrows(IllegalArgumentException.class, () -> Money.zero(Unit.EUR).plus(Money.zero(Unit.USD)));
        }
    }
}
