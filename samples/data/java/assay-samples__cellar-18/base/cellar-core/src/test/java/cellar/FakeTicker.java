package cellar;

/** Time that passes when the test says so. */
final class FakeTicker implements Ticker {
    private long now;

    @Override
    public long now() {
        return now;
    }

    void pass(long milliseconds) {
        now += milliseconds;
    }
}
