package io.tsdbsuite.bulk.report;

import io.tsdbsuite.job.JobException;
import java.util.StringJoiner;

/** Limit of rejected points: {@code --max-rejected}. Thread-safe. */
public final class RejectLimit {
  private final long max;
  private final RejectFile file;

  /**
   * @param max at least 0
   * @throws JobException usage, when it is negative
   */
  public RejectLimit(long max, RejectFile file) {
    if (max < 0) {
      throw JobException.usage("--max-rejected must be 0 or more, found " + max);
    }
    this.max = max;
    this.file = file;
  }

  /**
   * Ends the load if there are too many. Called about once per megabyte of input, so the message
   * counts more rejects.
   *
   * @throws JobException bad input, with counts by reason
   */
  public void check() {
    if (file.counts().rejected() > max) {
      file.flush();
      throw exceeded(max, file.counts(), String.join(", ", file.paths()));
    }
  }

  /**
   * The failure of a load with more rejected points than the limit. The report has the first of
   * them.
   *
   * @param place names of the files with all rejected lines
   */
  public static JobException exceeded(long max, Tally counts, String place) {
    StringJoiner reasons = new StringJoiner(", ");
    for (RejectReason reason : RejectReason.values()) {
      if (counts.rejected(reason) > 0) {
        reasons.add(counts.rejected(reason) + " " + reason.key());
      }
    }
    StringJoiner lines = new StringJoiner(System.lineSeparator());
    lines.add(
        "stopped: more points were rejected than --max-rejected allows ("
            + max
            + "), found so far "
            + counts.rejected()
            + ": "
            + reasons);
    lines.add("all of them are in " + place);
    lines.add("no point was written to the table; names read so far may have got UIDs");
    return JobException.badInput(lines.toString());
  }
}
