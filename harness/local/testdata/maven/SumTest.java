import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class SumTest {
    @Test
    public void adds() {
        assertEquals(2, 1 + 1);
    }
}
