package coinsplit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InvoiceTest {
    private Invoice invoice;

    private static Money eur(String amount) {
        return Money.parse(amount + " EUR");
    }

    @BeforeEach
    void setUp() {
        invoice = new Invoice(Unit.EUR)
            .add("paper", 2, eur("5.00"))
            .add("ink", 1, eur("10.00"))
            .add("pen", 5, eur("2.00"));
    }

    @Test
    void totals() {
        invoice.discount(eur("1.00"));
        assertEquals(eur("30.00"), invoice.gross());
        assertEquals(eur("29.00"), invoice.total());
    }

    @Nested
    class Discount {
        @Test
        void isSpreadOverTheLines() {
            invoice.discount(eur("1.00"));
            assertEquals(List.of(eur("9.67"), eur("9.67"), eur("9.66")), invoice.net());
        }

        @Test
        void hasBounds() {
            assertThrows(IllegalArgumentException.class, () -> invoice.discount(eur("30.01")));
            assertThrows(IllegalArgumentException.class, () -> invoice.discount(eur("-0.01")));
        }
    }

    @Nested
    class Refund {
        @Test
        void takesAllLinesBack() {
            assertEquals(List.of(eur("-10.00"), eur("-10.00"), eur("-10.00")), invoice.refund(eur("30.00")));
        }

        @Test
        void isAtMostTheTotal() {
            invoice.discount(eur("1.00"));
            assertThrows(IllegalArgumentException.class, () -> invoice.refund(eur("29.01")));
        }
    }
}
