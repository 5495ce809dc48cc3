package io.tsdbsuite.report.run;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Counts of rows by result: {@code read = listed + left off + not matching + never tracked +
 * skipped}. Skipped rows have a bad key, bad tags or a bad counter.
 */
public final class Books {
  /** The counts: rows by result, and listed series or groups with a defect. */
  public enum Rows {
    /** Rows read from the source. */
    READ,
    /** Series in the report or in its groups. */
    LISTED,
    /** Matching series that {@code --limit} leaves out. */
    LEFT_OFF,
    /** Series that do not match time, metric or tags. */
    NOT_MATCHING,
    /** Series that match metric and tags but have no {@code ts_ctr}. */
    NEVER_TRACKED,
    /** Rows whose key does not have the length of a TSUID. */
    BAD_KEY,
    /** Rows whose tag pairs do not ascend by tag key UID, or have a tag key twice. */
    BAD_TAGS,
    /** Rows whose {@code ts_ctr} is not 8 bytes long. */
    BAD_COUNTER,
    /** Listed series or groups with a UID that has no name of its own. */
    UNNAMED,
    /** Listed series whose {@code ts_meta} is no JSON. */
    UNREADABLE
  }

  /** In an array of one: a row makes no object. */
  private final Map<Rows, long[]> counts = new EnumMap<>(Rows.class);

  void add(Rows rows, long more) {
    counts.computeIfAbsent(rows, first -> new long[1])[0] += more;
  }

  /** A count, 0 or more. */
  public long count(Rows rows) {
    long[] count = counts.get(rows);
    return count == null ? 0 : count[0];
  }

  private long skipped() {
    return count(Rows.BAD_KEY) + count(Rows.BAD_TAGS) + count(Rows.BAD_COUNTER);
  }

  /** Whether the sum of the counts is the number of rows read. */
  public boolean closes() {
    return count(Rows.READ)
        == count(Rows.LISTED)
            + count(Rows.LEFT_OFF)
            + count(Rows.NOT_MATCHING)
            + count(Rows.NEVER_TRACKED)
            + skipped();
  }

  /** The counts as lines for standard error. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        ("rows read %s = listed %s + left off by --limit %s + not matching %s + never"
                + " tracked %s + skipped %s%s")
            .formatted(
                count(Rows.READ),
                count(Rows.LISTED),
                count(Rows.LEFT_OFF),
                count(Rows.NOT_MATCHING),
                count(Rows.NEVER_TRACKED),
                skipped(),
                closes() ? "" : ": THE BOOKS DO NOT CLOSE"));
    addIfAny(
        lines,
        Rows.BAD_KEY,
        "skipped: %s rows whose key has no length of a TSUID; if they are many, the UID widths are"
            + " wrong");
    addIfAny(
        lines,
        Rows.BAD_TAGS,
        "skipped: %s rows whose tag pairs do not ascend by tagk UID, or have a tag key twice: no"
            + " TSD stores points of such a series (TSDs before 2.2 wrote such rows beside the"
            + " right ones)");
    addIfAny(lines, Rows.BAD_COUNTER, "skipped: %s rows whose ts_ctr is not 8 bytes");
    addIfAny(
        lines,
        Rows.UNNAMED,
        "%s of the listed have a UID without a name of its own in tsdb-uid, shown in hex");
    addIfAny(
        lines,
        Rows.UNREADABLE,
        "%s of the listed have a ts_meta that is no JSON: no time of creation");
    return lines;
  }

  private void addIfAny(List<String> lines, Rows rows, String line) {
    if (count(rows) > 0) {
      lines.add(line.replace("%s", Long.toString(count(rows))));
    }
  }
}
