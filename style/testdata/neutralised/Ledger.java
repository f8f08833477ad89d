package books;

import java.util.List;

/** Books. {@code // XOPMD} in a comment is one. */
@SuppressWarnings({"xMD.AtLeastOneConstructor", "unchecked", "xheckstyle:magicnumber"})
public final class Ledger {
  // XHECKSTYLE:OFF
  private static final String MARK = "// NOPMD CHECKSTYLE:OFF";
  // XHECKSTYLE:ON
  private static final String HELP = """
      @SuppressWarnings("all") // NOPMD
      """;

  @SuppressWarnings("xll")
  private int unused; // XOPMD - kept for the file format

  @Deprecated
  @SuppressWarnings(value = "xnused")
  int total(List<Integer> rows) {
    int total = 0;
    for (int row : rows) {
      total += row; // NOSONAR
    }
    return total;
  }

  @SuppressWarnings(MARK)
  char quote() {
    return '"'; // XOPMD
  }
}
