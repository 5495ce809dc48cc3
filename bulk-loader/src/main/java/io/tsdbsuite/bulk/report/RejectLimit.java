package io.tsdbsuite.bulk.report;

import io.tsdbsuite.job.JobException;
import java.util.StringJoiner;

/** Limit of rejected points: {@code --max-rejected}. Thread-safe. */
public final class RejectLimit {
  private final RejectLimits limits;
  private final RejectFile file;

  /**
   * A limit that is not exceeded yet.
   *
   * @param file has the rejects
   */
  public RejectLimit(RejectLimits limits, RejectFile file) {
    this.limits = limits;
    this.file = file;
  }

  /**
   * Ends the load if there are more rejects than a number of points allows. Called about once per
   * megabyte of input, so the message counts more rejects. Percentages wait for {@link #checkAll}.
   *
   * @throws JobException bad input, with counts by reason
   */
  public void check() {
    if (limits.isExceededSoFar(file.counts())) {
      throw exceeded();
    }
  }

  /**
   * Ends the load if there are too many rejects in all of its input.
   *
   * @param read points of all of the input
   * @throws JobException bad input, with counts by reason
   */
  public void checkAll(long read) {
    if (limits.isExceeded(file.counts(), read)) {
      throw exceeded();
    }
  }

  private JobException exceeded() {
    file.flush();
    return exceeded(limits, file.counts(), String.join(", ", file.paths()));
  }

  /**
   * The failure of a load with more rejected points than the limit. The report has the first of
   * them.
   *
   * @param place names of the files with all rejected lines
   */
  public static JobException exceeded(RejectLimits limits, Tally counts, String place) {
    StringJoiner reasons = new StringJoiner(", ");
    for (RejectReason reason : RejectReason.values()) {
      if (counts.rejected(reason) > 0) {
        reasons.add(counts.rejected(reason) + " " + reason.key());
      }
    }
    StringJoiner lines = new StringJoiner(System.lineSeparator());
    lines.add(
        "stopped: more points were rejected than --max-rejected allows ("
            + limits
            + "), found so far "
            + counts.rejected()
            + ": "
            + reasons);
    lines.add("all of them are in " + place);
    lines.add("no point was written to the table; names read so far may have got UIDs");
    return JobException.badInput(lines.toString());
  }
}
