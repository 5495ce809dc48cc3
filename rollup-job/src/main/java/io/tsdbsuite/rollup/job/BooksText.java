package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.report.Books;
import java.util.ArrayList;
import java.util.List;

/** What the books of a run mean to an operator. */
final class BooksText {
  private BooksText() {}

  /**
   * Why a run ended.
   *
   * @param allowed rows that may fail
   * @param stopped whether something was not read
   */
  static String tooManyFailed(Books books, long allowed, boolean stopped) {
    String text =
        books.rowsFailed()
            + " rows"
            + days(books)
            + " failed where "
            + allowed
            + " are allowed (--max-failed-rows)";
    String first =
        books.samples().entrySet().stream()
            .flatMap(entry -> entry.getValue().stream().map(s -> entry.getKey().text() + ": " + s))
            .findFirst()
            .map(sample -> "; one of them: " + sample)
            .orElse("");
    return text + (stopped ? "; stopped, the rest was not read" : "") + first;
  }

  /** Days that failed by themselves, which are rare. */
  private static String days(Books books) {
    long days = books.failures() - books.rowsFailed();
    return days == 0 ? "" : " and " + days + " days";
  }

  /** What a run that has ended well cannot answer for. */
  static List<String> warnings(Books books) {
    List<String> warnings = new ArrayList<>();
    if (books.rowsVanished() > 0) {
      warnings.add(
          books.rowsVanished()
              + " rows before the window have lost their last point: what is stored for them must"
              + " be deleted by hand; vanishedRows in the report lists them");
    }
    if (books.ambiguousDuplicates() > 0) {
      warnings.add(
          books.ambiguousDuplicates()
              + " duplicate points have the same HBase timestamp; the first in column order was"
              + " kept, a TSD may keep another");
    }
    return warnings;
  }
}
