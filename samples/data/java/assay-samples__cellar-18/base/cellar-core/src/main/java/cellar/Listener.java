package cellar;

/** Is told of every entry that leaves a cache. */
@FunctionalInterface
public interface Listener<K, V> {
    void left(K key, V value, Cause cause);
}
