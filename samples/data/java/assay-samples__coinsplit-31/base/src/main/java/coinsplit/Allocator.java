package coinsplit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Splits amounts so that the shares add up to the amount. What cannot be
 * split evenly goes to the first shares, one minor unit each.
 */
public final class Allocator {
    private Allocator() {
    }

    /** Splits an amount into a number of shares that are as equal as can be. */
    public static List<Money> split(Money amount, int shares) {
        if (shares < 1) {
            throw new IllegalArgumentException("at least one share is needed");
        }
        long[] weights = new long[shares];
        Arrays.fill(weights, 1);
        return allocate(amount, weights);
    }

    /**
     * Splits an amount in proportion to weights.
     *
     * @throws IllegalArgumentException when a weight is negative or all are zero
     */
    public static List<Money> allocate(Money amount, long... weights) {
        long sum = sum(weights);
        long[] shares = new long[weights.length];
        long rest = amount.minor();
        for (int i = 0; i < weights.length; i++) {
            shares[i] = proportion(amount.minor(), weights[i], sum);
            rest -= shares[i];
        }
        for (int i = 0; rest > 0; i++) {
            shares[i]++;
            rest--;
        }
        return toMoney(shares, amount.unit());
    }

    private static long sum(long[] weights) {
        long sum = 0;
        for (long weight : weights) {
            if (weight < 0) {
                throw new IllegalArgumentException("negative weight: " + weight);
            }
            sum = Math.addExact(sum, weight);
        }
        if (sum == 0) {
            throw new IllegalArgumentException("all weights are zero");
        }
        return sum;
    }

    private static long proportion(long amount, long weight, long sum) {
        return Math.multiplyExact(amount, weight) / sum;
    }

    private static List<Money> toMoney(long[] shares, Unit unit) {
        List<Money> out = new ArrayList<>();
        for (long share : shares) {
            out.add(Money.ofMinor(share, unit));
        }
        return out;
    }
}
