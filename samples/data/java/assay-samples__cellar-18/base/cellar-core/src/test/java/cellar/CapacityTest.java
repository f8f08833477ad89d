package cellar;

import static org.junit.Assert.assertEquals;

import java.util.Optional;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class CapacityTest {
    @Parameterized.Parameters
    public static Object[] capacities() {
        return new Object[] {1, 2, 7};
    }

    private final int capacity;

    public CapacityTest(int capacity) {
        this.capacity = capacity;
    }

    @Test
    public void keepsTheLatest() {
        TtlCache<Integer, Integer> cache = new TtlCache<>(capacity, 100, new FakeTicker());
        for (int i = 0; i < 20; i++) {
            cache.put(i, i);
        }
        assertEquals(capacity, cache.size());
        assertEquals(20 - capacity, cache.counters().departures(Cause.CROWDED));
        assertEquals(Optional.of(20 - capacity), cache.get(20 - capacity));
    }
}
