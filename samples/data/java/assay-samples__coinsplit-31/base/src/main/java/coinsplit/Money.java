package coinsplit;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;

/** An amount of money in whole minor units. Values are immutable. */
public final class Money implements Comparable<Money> {
    private final long minor;
    private final Unit unit;

    private Money(long minor, Unit unit) {
        this.minor = minor;
        this.unit = Objects.requireNonNull(unit, "unit");
    }

    /** Returns an amount given in minor units: {@code ofMinor(150, EUR)} is 1.50 EUR. */
    public static Money ofMinor(long minor, Unit unit) {
        return new Money(minor, unit);
    }

    /** Returns nothing, in a currency. */
    public static Money zero(Unit unit) {
        return new Money(0, unit);
    }

    /** Reads what {@link #toString} writes, for example "-12.50 EUR". */
    public static Money parse(String text) {
        String[] parts = text.trim().split("\\s+");
        if (parts.length != 2) {
            throw new IllegalArgumentException("not an amount: " + text);
        }
        Unit unit = Unit.of(parts[1]);
        BigDecimal amount = new BigDecimal(parts[0]);
        if (amount.scale() > unit.digits()) {
            throw new IllegalArgumentException("too many digits: " + text);
        }
        return new Money(amount.movePointRight(unit.digits()).longValueExact(), unit);
    }

    public long minor() {
        return minor;
    }

    public Unit unit() {
        return unit;
    }

    public Money plus(Money other) {
        return new Money(Math.addExact(minor, same(other).minor), unit);
    }

    public Money minus(Money other) {
        return new Money(Math.subtractExact(minor, same(other).minor), unit);
    }

    public Money negate() {
        return new Money(Math.negateExact(minor), unit);
    }

    public Money times(long factor) {
        return new Money(Math.multiplyExact(minor, factor), unit);
    }

    /** Returns a share of the amount in percent; halves go to the even neighbour. */
    public Money percent(String percent) {
        BigDecimal share = BigDecimal.valueOf(minor).multiply(new BigDecimal(percent)).movePointLeft(2);
        return new Money(share.setScale(0, RoundingMode.HALF_EVEN).longValueExact(), unit);
    }

    public boolean isNegative() {
        return minor < 0;
    }

    private Money same(Money other) {
        if (other.unit != unit) {
            throw new IllegalArgumentException("cannot mix " + unit + " and " + other.unit);
        }
        return other;
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(minor, same(other).minor);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Money && ((Money) other).minor == minor && ((Money) other).unit == unit;
    }

    @Override
    public int hashCode() {
        return Objects.hash(minor, unit);
    }

    @Override
    public String toString() {
        return BigDecimal.valueOf(minor, unit.digits()).toPlainString() + " " + unit;
    }
}
