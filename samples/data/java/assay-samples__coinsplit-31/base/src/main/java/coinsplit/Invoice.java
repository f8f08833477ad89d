package coinsplit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Lines with a common discount. */
public final class Invoice {
    private final Unit unit;
    private final List<Line> lines = new ArrayList<>();
    private Money discount;

    public Invoice(Unit unit) {
        this.unit = unit;
        this.discount = Money.zero(unit);
    }

    public Invoice add(String text, int quantity, Money price) {
        if (price.unit() != unit) {
            throw new IllegalArgumentException("the invoice is in " + unit);
        }
        if (price.isNegative()) {
            throw new IllegalArgumentException("negative price: " + text);
        }
        lines.add(new Line(text, quantity, price));
        return this;
    }

    /** Sets the discount on the whole invoice; it may not exceed the gross total. */
    public Invoice discount(Money discount) {
        if (discount.isNegative() || discount.compareTo(gross()) > 0) {
            throw new IllegalArgumentException("discount out of range: " + discount);
        }
        this.discount = discount;
        return this;
    }

    public List<Line> lines() {
        return Collections.unmodifiableList(lines);
    }

    /** Returns the sum of all lines before the discount. */
    public Money gross() {
        Money sum = Money.zero(unit);
        for (Line line : lines) {
            sum = sum.plus(line.gross());
        }
        return sum;
    }

    /** Returns what is to be paid. */
    public Money total() {
        return gross().minus(discount);
    }

    /** Returns what is to be paid for each line, its share of the discount taken off. */
    public List<Money> net() {
        return spread(total());
    }

    /** Returns, line by line, a refund of a part of the total, as amounts below zero. */
    public List<Money> refund(Money amount) {
        if (amount.isNegative() || amount.compareTo(total()) > 0) {
            throw new IllegalArgumentException("refund out of range: " + amount);
        }
        return spread(amount.negate());
    }

    /** Spreads an amount over the lines in proportion to their gross prices. */
    private List<Money> spread(Money amount) {
        long[] weights = new long[lines.size()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = lines.get(i).gross().minor();
        }
        return Allocator.allocate(amount, weights);
    }
}
