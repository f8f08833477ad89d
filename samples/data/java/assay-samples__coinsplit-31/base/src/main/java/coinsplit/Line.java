package coinsplit;

import java.util.Objects;

/** One line of an invoice. */
public final class Line {
    private final String text;
    private final int quantity;
    private final Money price;

    public Line(String text, int quantity, Money price) {
        if (quantity < 1) {
            throw new IllegalArgumentException("the quantity must be at least 1: " + text);
        }
        this.text = Objects.requireNonNull(text, "text");
        this.quantity = quantity;
        this.price = Objects.requireNonNull(price, "price");
    }

    public String text() {
        return text;
    }

    public int quantity() {
        return quantity;
    }

    public Money price() {
        return price;
    }

    /** Returns the price of all pieces together, before any discount. */
    public Money gross() {
        return price.times(quantity);
    }
}
