package cellar;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A bounded cache whose entries live for a time. When it is full, the entry
 * that was used the longest time ago makes room. Not for several threads.
 */
public final class TtlCache<K, V> {
    private static final class Entry<V> {
        final V value;
        final long deadline;

        Entry(V value, long deadline) {
            this.value = value;
            this.deadline = deadline;
        }
    }

    private final int capacity;
    private final long lifetime;
    private final Ticker ticker;
    private final Listener<? super K, ? super V> listener;
    private final Counters counters = new Counters();
    /** In order of use, the longest unused first. */
    private final LinkedHashMap<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);

    /** Makes a cache; the lifetime, in milliseconds, is that of entries put in without one. */
    public TtlCache(int capacity, long lifetime, Ticker ticker, Listener<? super K, ? super V> listener) {
        if (capacity < 1 || lifetime < 1) {
            throw new IllegalArgumentException("capacity and lifetime must be at least 1");
        }
        this.capacity = capacity;
        this.lifetime = lifetime;
        this.ticker = Objects.requireNonNull(ticker, "ticker");
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    public TtlCache(int capacity, long lifetime, Ticker ticker) {
        this(capacity, lifetime, ticker, (key, value, cause) -> { });
    }

    /** Looks a value up, and counts the look-up as a use. */
    public Optional<V> get(K key) {
        Entry<V> entry = entries.get(key);
        if (entry != null && expired(entry)) {
            entries.remove(key);
            leave(key, entry, Cause.EXPIRED);
            entry = null;
        }
        if (entry == null) {
            counters.miss();
            return Optional.empty();
        }
        counters.hit();
        return Optional.of(entry.value);
    }

    public void put(K key, V value) {
        put(key, value, lifetime);
    }

    /** Puts a value in, in place of the one that the key had. */
    public void put(K key, V value, long lifetime) {
        Objects.requireNonNull(value, "value");
        if (entries.size() >= capacity) {
            evict();
        }
        Entry<V> old = entries.put(key, new Entry<>(value, ticker.now() + lifetime));
        if (old != null) {
            leave(key, old, expired(old) ? Cause.EXPIRED : Cause.REPLACED);
        }
    }

    /** Removes an entry and tells whether there was one. */
    public boolean remove(K key) {
        Entry<V> entry = entries.remove(key);
        if (entry == null) {
            return false;
        }
        boolean live = !expired(entry);
        leave(key, entry, live ? Cause.REMOVED : Cause.EXPIRED);
        return live;
    }

    /** Removes all entries whose lifetime is over and returns their number. */
    public int clean() {
        int cleaned = 0;
        Iterator<Map.Entry<K, Entry<V>>> all = entries.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<K, Entry<V>> next = all.next();
            if (expired(next.getValue())) {
                all.remove();
                leave(next.getKey(), next.getValue(), Cause.EXPIRED);
                cleaned++;
            }
        }
        return cleaned;
    }

    /** Returns the number of entries that are alive. */
    public int size() {
        int alive = 0;
        for (Entry<V> entry : entries.values()) {
            if (!expired(entry)) {
                alive++;
            }
        }
        return alive;
    }

    public Counters counters() {
        return counters;
    }

    private void evict() {
        Iterator<Map.Entry<K, Entry<V>>> all = entries.entrySet().iterator();
        Map.Entry<K, Entry<V>> oldest = all.next();
        all.remove();
        leave(oldest.getKey(), oldest.getValue(), Cause.CROWDED);
    }

    private boolean expired(Entry<V> entry) {
        return ticker.now() >= entry.deadline;
    }

    private void leave(K key, Entry<V> entry, Cause cause) {
        counters.departure(cause);
        listener.left(key, entry.value, cause);
    }
}
