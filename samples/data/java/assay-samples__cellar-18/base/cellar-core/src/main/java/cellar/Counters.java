package cellar;

import java.util.EnumMap;
import java.util.Map;

/** What a cache counts. */
public final class Counters {
    private long hits;
    private long misses;
    private final Map<Cause, Long> departures = new EnumMap<>(Cause.class);

    void hit() {
        hits++;
    }

    void miss() {
        misses++;
    }

    void departure(Cause cause) {
        departures.merge(cause, 1L, Long::sum);
    }

    public long hits() {
        return hits;
    }

    public long misses() {
        return misses;
    }

    /** Returns how many entries left for a reason. */
    public long departures(Cause cause) {
        return departures.getOrDefault(cause, 0L);
    }

    /** Returns the share of look-ups that found something; 1 when there were none. */
    public double hitRate() {
        long all = hits + misses;
        return all == 0 ? 1 : (double) hits / all;
    }
}
