package cellar;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.Before;
import org.junit.Test;

public class TtlCacheTest {
    private final FakeTicker ticker = new FakeTicker();
    private final List<String> left = new ArrayList<>();
    private TtlCache<String, Integer> cache;

    @Before
    public void setUp() {
        cache = new TtlCache<>(3, 100, ticker, (key, value, cause) -> left.add(key + "=" + value + " " + cause));
    }

    @Test
    public void findsWhatWasPutIn() {
        cache.put("a", 1);
        assertEquals(Optional.of(1), cache.get("a"));
        assertEquals(Optional.empty(), cache.get("b"));
        assertEquals(0.5, cache.counters().hitRate(), 0);
    }

    @Test
    public void entriesExpire() {
        cache.put("a", 1);
        cache.put("b", 2, 50);
        ticker.pass(50);
        assertEquals(Optional.empty(), cache.get("b"));
        ticker.pass(49);
        assertEquals(Optional.of(1), cache.get("a"));
        ticker.pass(1);
        assertEquals(Optional.empty(), cache.get("a"));
        assertEquals(Arrays.asList("b=2 EXPIRED", "a=1 EXPIRED"), left);
    }

    @Test
    public void theLongestUnusedMakesRoom() {
        cache.put("a", 1);
        cache.put("b", 2);
        cache.put("c", 3);
        cache.get("a");
        cache.put("d", 4);
        assertEquals(Collections.singletonList("b=2 CROWDED"), left);
        assertEquals(1, cache.counters().departures(Cause.CROWDED));
        assertEquals(3, cache.size());
    }

    @Test
    public void replacingStartsANewLifetime() {
        cache.put("a", 1);
        ticker.pass(60);
        cache.put("a", 2);
        ticker.pass(60);
        assertEquals(Optional.of(2), cache.get("a"));
        assertEquals(Collections.singletonList("a=1 REPLACED"), left);
    }

    @Test
    public void removes() {
        cache.put("a", 1);
        assertTrue(cache.remove("a"));
        assertFalse(cache.remove("a"));
        assertEquals(Collections.singletonList("a=1 REMOVED"), left);
    }

    @Test
    public void cleans() {
        cache.put("a", 1, 10);
        cache.put("b", 2, 30);
        cache.put("c", 3, 20);
        ticker.pass(20);
        assertEquals(1, cache.size());
        assertEquals(2, cache.clean());
        assertEquals(0, cache.clean());
        assertEquals(Arrays.asList("a=1 EXPIRED", "c=3 EXPIRED"), left);
    }

    @Test
    public void refusesNonsense() {
        assertThrows(IllegalArgumentException.class, () -> new TtlCache<String, String>(0, 1, ticker));
        assertThrows(NullPointerException.class, () -> cache.put("a", null));
    }
}
