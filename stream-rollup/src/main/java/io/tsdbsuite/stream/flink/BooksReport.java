package io.tsdbsuite.stream.flink;

import java.util.EnumMap;
import java.util.Map;

/** The counts of all tasks at the end of a job. */
public final class BooksReport {
  private final Map<Count, Long> counts = new EnumMap<>(Count.class);

  private BooksReport() {}

  /**
   * Reads the accumulators of a job's result.
   *
   * @throws IllegalArgumentException when a count is missing
   */
  public static BooksReport of(Map<String, Object> accumulators) {
    BooksReport report = new BooksReport();
    for (Count count : Count.values()) {
      Object number = accumulators.get(Books.GROUP + "." + count.key());
      if (!(number instanceof Long value)) {
        throw new IllegalArgumentException("count " + count.key() + " is missing");
      }
      report.counts.put(count, value);
    }
    return report;
  }

  /** A count over all tasks. */
  public long get(Count count) {
    return counts.getOrDefault(count, 0L);
  }

  /** Whether every element and every bucket has an outcome. */
  public boolean close() {
    return get(Count.CONSUMED)
            == get(Count.AGGREGATED)
                + get(Count.REPLACED)
                + get(Count.LATE)
                + get(Count.AHEAD)
                + get(Count.BAD)
                + get(Count.NOT_FINITE)
                + get(Count.OTHER)
                + get(Count.HELD)
        && get(Count.CLOSED)
            == get(Count.EMITTED)
                + get(Count.DIRTY)
                + get(Count.INCOMPLETE)
                + get(Count.HISTOGRAMS_LEFT);
  }

  /** The counts as lines of text. */
  public String table() {
    StringBuilder text = new StringBuilder();
    counts.forEach(
        (count, number) -> text.append(String.format("%-14s %,15d%n", count.key(), number)));
    return text.append("books close: ").append(close()).append(System.lineSeparator()).toString();
  }

  /** The counts as a JSON object. */
  public String json() {
    StringBuilder text = new StringBuilder("{");
    counts.forEach(
        (count, number) ->
            text.append('"').append(count.key()).append("\":").append(number).append(','));
    return text.append("\"booksClose\":").append(close()).append("}\n").toString();
  }
}
