package coinsplit;

/** A currency, with the number of digits behind its point. */
public enum Unit {
    EUR(2),
    USD(2),
    JPY(0),
    KWD(3);

    private final int digits;

    Unit(int digits) {
        this.digits = digits;
    }

    /** Returns how many digits stand behind the point. */
    public int digits() {
        return digits;
    }

    /** Returns how many minor units make one major unit. */
    public long factor() {
        long factor = 1;
        for (int i = 0; i < digits; i++) {
            factor *= 10;
        }
        return factor;
    }

    /** Finds a currency by its code, in any case. */
    public static Unit of(String code) {
        for (Unit unit : values()) {
            if (unit.name().equalsIgnoreCase(code)) {
                return unit;
            }
        }
        throw new IllegalArgumentException("unknown currency: " + code);
    }
}
