package cellar;

/** A source of time. */
@FunctionalInterface
public interface Ticker {
    /** Returns the time in milliseconds; it never goes back. */
    long now();

    /** Returns the machine's own clock. */
    static Ticker system() {
        return () -> System.nanoTime() / 1_000_000;
    }
}
