package books;

import java.util.List;

/** Books. {@code // NOPMD} in a comment is one. */
@SuppressWarnings({"PMD.AtLeastOneConstructor", "unchecked", "checkstyle:magicnumber"})
public final class Ledger {
  // CHECKSTYLE:OFF
  private static final String MARK = "// NOPMD CHECKSTYLE:OFF";
  // CHECKSTYLE:ON
  private static final String HELP = """
      @SuppressWarnings("all") // NOPMD
      """;

  @SuppressWarnings("all")
  private int unused; // NOPMD - kept for the file format

  @Deprecated
  @SuppressWarnings(value = "unused")
  int total(List<Integer> rows) {
    int total = 0;
    for (int row : rows) {
      total += row; // NOSONAR
    }
    return total;
  }

  @SuppressWarnings(MARK)
  char quote() {
    return '"'; // NOPMD
  }
}
