package cellar.loading;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.Test;

public class LoadingCacheTest {
    private final AtomicLong now = new AtomicLong();
    private final LoadingCache<String, Integer> cache =
        new LoadingCache<>(2, 100, 10, now::get, key -> key.isEmpty() ? Optional.empty() : Optional.of(key.length()));

    @Test
    public void fetchesOnce() {
        assertEquals(Optional.of(3), cache.get("abc"));
        assertEquals(Optional.of(3), cache.get("abc"));
        assertEquals(1, cache.fetches());
        assertEquals(1, cache.counters().hits());
    }

    @Test
    public void remembersAbsenceForAShorterTime() {
        assertEquals(Optional.empty(), cache.get(""));
        now.set(9);
        assertEquals(Optional.empty(), cache.get(""));
        assertEquals(1, cache.fetches());
        now.set(10);
        assertEquals(Optional.empty(), cache.get(""));
        assertEquals(2, cache.fetches());
    }

    @Test
    public void getsSeveral() {
        assertEquals(Collections.singletonMap("ab", 2), cache.getAll(Arrays.asList("", "ab")));
    }

    @Test
    public void forgetsAndRefreshes() {
        cache.get("a");
        cache.forget("a");
        cache.get("a");
        cache.refresh("a");
        assertEquals(3, cache.fetches());
    }
}
