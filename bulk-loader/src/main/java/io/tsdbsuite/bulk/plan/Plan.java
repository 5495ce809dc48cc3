package io.tsdbsuite.bulk.plan;

import io.tsdbsuite.bulk.report.RejectReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Result of {@code plan}.
 *
 * @param files number of input files
 * @param inputBytes as stored; 0 if not known
 * @param sampledBytes of these
 * @param textBytes of the sample, decompressed
 * @param points of the sample, rejected ones included
 * @param series of the sample
 * @param rows of the sample
 * @param rowBytes of the sample: keys, qualifiers and values
 * @param newNames by kind, names of the sample without a UID
 * @param regions of the table
 * @param regionsTouched by the rows of the sample whose names have UIDs
 * @param rejects points of the sample
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
    Map<RejectReason, Long> rejects,
    List<String> warnings,
    List<String> refusals) {

  /** Size of the input divided by the size of the sample. */
  double factor() {
    return sampledBytes == 0 ? 1 : Math.max(1, (double) inputBytes / sampledBytes);
  }

  /** As text for the terminal. */
  public String table() {
    List<String> lines = new ArrayList<>();
    add(lines, "input", files + " file(s), " + bytes(inputBytes));
    add(lines, "sample", bytes(sampledBytes) + ", " + bytes(textBytes) + " of text");
    add(lines, "points", both(points));
    add(lines, "series", number(series) + " in the sample");
    add(lines, "rows", both(rows));
    add(lines, "bytes of rows", bytes(rowBytes) + ", in all about " + bytes(scaled(rowBytes)));
    if (oldest != null) {
      add(lines, "time", oldest + " to " + newest + " in the sample");
    }
    StringJoiner names = new StringJoiner(", ");
    newNames.forEach((kind, count) -> names.add(number(count) + " " + kind));
    add(lines, "names without UID", names + " in the sample");
    add(
        lines,
        "regions",
        regionsTouched + " of " + regions + " by rows of the sample whose names have UIDs");
    for (Map.Entry<RejectReason, Long> reject : rejects.entrySet()) {
      add(lines, "rejected", number(reject.getValue()) + " " + reject.getKey().key());
    }
    for (String warning : warnings) {
      add(lines, "warning", warning);
    }
    for (String refusal : refusals) {
      add(lines, "a load would stop", refusal);
    }
    lines.add(
        "Nothing was written. \"In all\" is right if the rest of the input is like the sample.");
    return String.join("\n", lines) + "\n";
  }

  private static void add(List<String> lines, String name, String value) {
    lines.add(String.format(Locale.ROOT, "%-18s %s", name, value));
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
