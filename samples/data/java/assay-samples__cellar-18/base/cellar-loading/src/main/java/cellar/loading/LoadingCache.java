package cellar.loading;

import cellar.Counters;
import cellar.Ticker;
import cellar.TtlCache;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A cache in front of a source. That the source has nothing for a key is
 * remembered, too, for a shorter time.
 */
public final class LoadingCache<K, V> {
    private final TtlCache<K, Optional<V>> cache;
    private final Source<? super K, V> source;
    private final long absence;
    private long fetches;

    /** Makes a cache; values live for a lifetime, absences for another, in milliseconds. */
    public LoadingCache(int capacity, long lifetime, long absence, Ticker ticker, Source<? super K, V> source) {
        this.cache = new TtlCache<>(capacity, lifetime, ticker);
        this.absence = absence;
        this.source = Objects.requireNonNull(source, "source");
    }

    /** Returns a value from the cache or from the source. */
    public Optional<V> get(K key) {
        Optional<Optional<V>> known = cache.get(key);
        return known.isPresent() ? known.get() : load(key);
    }

    /** Returns the values of several keys, without those that have none. */
    public Map<K, V> getAll(Iterable<? extends K> keys) {
        Map<K, V> found = new LinkedHashMap<>();
        for (K key : keys) {
            get(key).ifPresent(value -> found.put(key, value));
        }
        return found;
    }

    /** Fetches a value anew, whether it is in the cache or not. */
    public Optional<V> refresh(K key) {
        return load(key);
    }

    public void forget(K key) {
        cache.remove(key);
    }

    /** Returns how often the source was asked. */
    public long fetches() {
        return fetches;
    }

    public Counters counters() {
        return cache.counters();
    }

    private Optional<V> load(K key) {
        fetches++;
        Optional<V> value = source.fetch(key);
        if (value.isPresent()) {
            cache.put(key, value);
        } else {
            cache.put(key, value, absence);
        }
        return value;
    }
}
