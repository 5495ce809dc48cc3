package io.tsdbsuite.bulk.plan;

import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.job.report.TextTable;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Result of {@code plan}.
 *
 * @param files number of input files
 * @param inputBytes stored size of the input; 0 if it is not known
 * @param sampledBytes stored bytes that the sample has read
 * @param textBytes bytes of the sample, decompressed
 * @param points points in the sample, including rejected points
 * @param series series in the sample
 * @param rows rows in the sample
 * @param rowBytes bytes of keys, qualifiers and values in these rows
 * @param newNames number of names without a UID in the sample, by kind
 * @param regions regions of the table
 * @param regionsTouched regions that get rows of the sample; rows of names without UIDs are not
 *     counted
 * @param coverage what the load does with the coverage table
 * @param skips points that {@code --skip} leaves out of the sample, by kind
 * @param rejects rejected points in the sample, by reason
 * @param examples series of the source and their names in OpenTSDB
 * @param refusals reasons why a load would stop, known from the sample; empty if there are none
 */
public record Plan(
    int files,
    long inputBytes,
    long sampledBytes,
    long textBytes,
    long points,
    long series,
    long rows,
    long rowBytes,
    @Nullable Instant oldest,
    Instant newest,
    Map<String, Integer> newNames,
    int regions,
    int regionsTouched,
    String coverage,
    Map<SkipKind, Long> skips,
    Map<RejectReason, Long> rejects,
    List<String> examples,
    List<String> warnings,
    List<String> refusals) {

  /** Size of the input divided by the size of the sample. */
  double factor() {
    return sampledBytes == 0 ? 1 : Math.max(1, (double) inputBytes / sampledBytes);
  }

  /** Formats the result for the terminal. */
  public String table() {
    TextTable table = new TextTable();
    table.text("input", files + " file(s), " + bytes(inputBytes));
    table.text("sample", bytes(sampledBytes) + ", " + bytes(textBytes) + " of text");
    table.text("points", both(points));
    table.text("series", number(series) + " in the sample");
    table.text("rows", both(rows));
    table.text("bytes of rows", bytes(rowBytes) + ", in all about " + bytes(scaled(rowBytes)));
    if (oldest != null) {
      table.text("time", oldest + " to " + newest + " in the sample");
    }
    StringJoiner names = new StringJoiner(", ");
    newNames.forEach((kind, count) -> names.add(number(count) + " " + kind));
    table.text("names without UID", names + " in the sample");
    table.text(
        "regions",
        regionsTouched + " of " + regions + " by rows of the sample whose names have UIDs");
    table.text("coverage", coverage);
    skips.forEach((kind, left) -> table.text("skipped", number(left) + " " + kind.key()));
    for (Map.Entry<RejectReason, Long> reject : rejects.entrySet()) {
      table.text("rejected", number(reject.getValue()) + " " + reject.getKey().key());
    }
    for (String example : examples) {
      table.text("name", example);
    }
    for (String warning : warnings) {
      table.text("warning", warning);
    }
    for (String refusal : refusals) {
      table.text("a load would stop", refusal);
    }
    return table
        + "Nothing was written. \"In all\" is right if the rest of the input is like the sample.\n";
  }

  private long scaled(long sampled) {
    return Math.round(sampled * factor());
  }

  private String both(long sampled) {
    return number(sampled) + " in the sample, in all about " + number(scaled(sampled));
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String bytes(long bytes) {
    return bytes < 10_000_000
        ? String.format(Locale.ROOT, "%,d kB", (bytes + 999) / 1000)
        : String.format(Locale.ROOT, "%,d MB", bytes / 1_000_000);
  }
}
