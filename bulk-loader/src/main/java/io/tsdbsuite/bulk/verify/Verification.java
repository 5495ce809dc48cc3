package io.tsdbsuite.bulk.verify;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.stored.Findings;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Result of {@code verify}.
 *
 * @param tally counters of the input
 */
public record Verification(Tally tally, Findings findings) {
  private static final int VERSION = 1;

  /** Points of the input that no UIDs exist for: they cannot be in the table. */
  public long unknown() {
    return tally.rejected(RejectReason.UNKNOWN_NAME);
  }

  /** Whether each point that can be loaded is there, with its value. */
  public boolean isGood() {
    return findings.missing() == 0 && findings.different() == 0 && unknown() == 0 && closes();
  }

  /** Whether each point that was read is in the answer. */
  public boolean closes() {
    return tally.get(Count.POINTS_READ)
        == findings.same()
            + findings.missing()
            + findings.different()
            + tally.get(Count.DUPLICATES_IDENTICAL)
            + tally.get(Count.DUPLICATES_CONFLICTING)
            + tally.skipped()
            + tally.rejected();
  }

  /**
   * The report as JSON; docs/bulk-loader.md describes the fields.
   *
   * @param found null when the comparison was not completed
   * @param message why the exit code is not 0; empty when it is
   */
  public static String json(
      @Nullable Verification found,
      ExitCode exitCode,
      String message,
      Instant started,
      Instant ended) {
    Report report = new Report("bulk-loader", VERSION);
    report.json().put("command", "verify");
    report.outcome(exitCode, message).times(started, ended);
    report.json().put("booksClose", found != null && found.closes());
    if (found != null) {
      points(report.json().putObject("points"), found);
      found.findings().samples().forEach(report.json().putArray("samples")::add);
    }
    return report.jsonText();
  }

  private static void points(ObjectNode node, Verification found) {
    node.put("read", found.tally().get(Count.POINTS_READ));
    node.put("same", found.findings().same());
    node.put("missing", found.findings().missing());
    node.put("different", found.findings().different());
    node.put("duplicatesIdentical", found.tally().get(Count.DUPLICATES_IDENTICAL));
    node.put("duplicatesConflicting", found.tally().get(Count.DUPLICATES_CONFLICTING));
    node.put("rejected", found.tally().rejected());
    ObjectNode rejected = node.putObject("rejectedByReason");
    for (RejectReason reason : RejectReason.values()) {
      rejected.put(reason.key(), found.tally().rejected(reason));
    }
    node.put("skipped", found.tally().skipped());
    ObjectNode skipped = node.putObject("skippedByKind");
    for (SkipKind kind : SkipKind.values()) {
      skipped.put(kind.key(), found.tally().skipped(kind));
    }
  }

  /** As a table for the terminal. */
  public String table() {
    List<String> lines = new ArrayList<>();
    lines.add(line("points read", tally.get(Count.POINTS_READ)));
    lines.add(line("= stored alike", findings.same()));
    lines.add(line("+ missing", findings.missing()));
    lines.add(line("+ different", findings.different()));
    lines.add(line("+ duplicates", tally.get(Count.DUPLICATES_IDENTICAL)));
    lines.add(line("+ lost to others", tally.get(Count.DUPLICATES_CONFLICTING)));
    lines.add(line("+ skipped", tally.skipped()));
    lines.add(line("+ rejected", tally.rejected()));
    lines.add(line("  of them unknown", unknown()));
    findings.samples().forEach(lines::add);
    lines.add(verdict());
    return String.join("\n", lines) + "\n";
  }

  private String verdict() {
    if (!isGood()) {
      return "NOT every point is there";
    }
    if (tally.get(Count.POINTS_READ) == 0) {
      return "the input has no point";
    }
    long left = tally.rejected() + tally.skipped();
    return left == 0
        ? "every point is there"
        : String.format(
            Locale.ROOT, "every point that can be loaded is there; %,d of the input cannot", left);
  }

  private static String line(String name, long number) {
    return String.format(Locale.ROOT, "%-18s %,20d", name, number);
  }
}
