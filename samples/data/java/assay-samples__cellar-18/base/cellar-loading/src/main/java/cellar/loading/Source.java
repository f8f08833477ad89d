package cellar.loading;

import java.util.Optional;

/** Where values come from. */
@FunctionalInterface
public interface Source<K, V> {
    /** Fetches a value; empty when the source has none for the key. */
    Optional<V> fetch(K key);
}
