package cellar;

/** Why an entry left a cache. */
public enum Cause {
    /** Its lifetime was over. */
    EXPIRED,
    /** It had to make room for another entry. */
    CROWDED,
    /** Another value took its place under the same key. */
    REPLACED,
    /** The user removed it. */
    REMOVED
}
