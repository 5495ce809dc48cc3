package io.tsdbsuite.rollup.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains the books of a run to the operator. */
public final class BooksText {
  /** What to do about rows in another salt bucket; the end of a message. */
  public static final String ANY_BUCKET =
      "rollups of their hours and days would lack points, so run the window again with"
          + " --any-bucket, which merges the rows of all buckets as a TSD does";

  private BooksText() {}

  private static String count(long number, String one) {
    return number + " " + one + (number == 1 ? "" : "s");
  }

  private static String first(@Nullable List<String> samples) {
    return samples == null || samples.isEmpty() ? "" : "; one of them: " + samples.get(0);
  }

  /**
   * Explains why a run ended early.
   *
   * @param limits the limits for failures, exceeded by the run or by one of its tasks
   * @param stopped whether part of the input was not read
   */
  public static String tooManyFailed(Books books, FailureLimits limits, boolean stopped) {
    List<String> exceeded = exceeded(books, limits);
    String text = String.join("; ", exceeded.isEmpty() ? failed(books, limits) : exceeded);
    String first =
        books.samples().entrySet().stream()
            .flatMap(entry -> entry.getValue().stream().map(s -> entry.getKey().text() + ": " + s))
            .findFirst()
            .map(sample -> "; one of them: " + sample)
            .orElse("");
    return text
        + (stopped ? "; the run stopped and did not read the rest" : "")
        + first
        + (books.failed(FailReason.OTHER_BUCKET) > 0 ? "; " + ANY_BUCKET : "");
  }

  /** Lists the exceeded limits, each with the excess. */
  public static List<String> exceeded(Books books, FailureLimits limits) {
    List<String> exceeded = new ArrayList<>();
    if (books.blocksFailed() > limits.blocks()) {
      exceeded.add(blocks(books, limits));
    }
    if (books.failures() > limits.rows()) {
      exceeded.add(rows(books, limits));
    }
    return exceeded;
  }

  /**
   * Describes the failures when the books of the run do not yet include the task that exceeded its
   * limit.
   */
  private static List<String> failed(Books books, FailureLimits limits) {
    return List.of(rows(books, limits), blocks(books, limits));
  }

  private static String blocks(Books books, FailureLimits limits) {
    return "%s of HFiles%s corrupt, %s are allowed (--max-failed-blocks)"
        .formatted(
            count(books.blocksFailed(), "block"),
            books.blocksFailed() == 1 ? " is" : " are",
            limits.blocks());
  }

  private static String rows(Books books, FailureLimits limits) {
    long days = books.failed(FailReason.FAILED_DAY);
    return count(books.failures() - days, "row")
        // Days that failed without a failed row are rare.
        + (days == 0 ? "" : " and " + count(days, "day"))
        + " failed, "
        + limits.rows()
        + " are allowed (--max-failed-rows)";
  }

  /**
   * Describes rollups, stored or emitted, that are known to be wrong.
   *
   * @param allowLost whether rows without points may keep their rollups
   * @return empty when there are none
   */
  public static Optional<String> wrongRollups(Books books, boolean allowLost) {
    List<String> wrong = new ArrayList<>();
    if (!allowLost && books.count(Count.ROWS_VANISHED) > 0) {
      wrong.add(lost(books) + ", or keep them (--allow-lost)");
    }
    if (books.failed(FailReason.OTHER_BUCKET) > 0) {
      wrong.add(
          count(books.failed(FailReason.OTHER_BUCKET), "row")
              + " in another salt bucket than that of the key; "
              + ANY_BUCKET
              + first(books.samples().get(FailReason.OTHER_BUCKET)));
    }
    return wrong.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", wrong));
  }

  private static String lost(Books books) {
    return books.count(Count.ROWS_VANISHED)
        + " rows before the window have lost their last point, and this run cannot take back their"
        + " stored rollups (--format aggregate, or a series without a name): vanishedRows in the"
        + " report lists the rows; delete their rollups by hand";
  }

  /** Warnings of a successful run. */
  public static List<String> warnings(Books books) {
    List<String> warnings = new ArrayList<>();
    if (books.count(Count.ROWS_VANISHED) > 0) {
      warnings.add(lost(books));
    }
    if (books.count(Count.AMBIGUOUS_DUPLICATES) > 0) {
      warnings.add(
          books.count(Count.AMBIGUOUS_DUPLICATES)
              + " duplicate points have the same HBase timestamp; the job kept the first in column"
              + " order, a TSD may keep another");
    }
    return warnings;
  }
}
