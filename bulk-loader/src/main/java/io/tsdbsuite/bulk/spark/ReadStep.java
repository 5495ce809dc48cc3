package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.run.LoadInput;
import io.tsdbsuite.bulk.run.OldestPoint;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.JavaBytes;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Reads all input, and decides by its books whether the load continues. */
final class ReadStep {
  /** Rejects that a report shows. */
  static final int SAMPLES = 20;

  private final LoadPlan plan;
  private final TableFacts table;
  private final CellTimestamps stamps;
  private final LoadInput input;
  private final InstantSource clock;
  private final BulkLoaderReport report;

  ReadStep(
      LoadPlan plan,
      TableFacts table,
      CellTimestamps stamps,
      LoadInput input,
      InstantSource clock,
      BulkLoaderReport report) {
    this.plan = plan;
    this.table = table;
    this.stamps = stamps;
    this.input = input;
    this.clock = clock;
    this.report = report;
  }

  /**
   * Reads.
   *
   * @param partition partition of the books
   * @return the books
   * @throws JobException when the input, or a part of it, must not be loaded
   */
  ReadBooks run(SparkJobs jobs, int partition, RejectDir rejects) {
    List<ReadBooks> answer = new ArrayList<>();
    jobs.run(
        List.of(partition),
        "read " + input.units().size() + " units of input",
        new BooksTask(SAMPLES),
        bytes -> answer.add(JavaBytes.read(bytes, ReadBooks.class)));
    ReadBooks books = answer.get(0);
    report.tally(books.tally());
    for (UidKind kind : UidKind.values()) {
      report.uids(kind.qualifier(), books.uids(kind));
    }
    report.rejects(
        books.samples(), books.rejectFiles().isEmpty() ? List.of() : List.of(rejects.toString()));
    rejects.keep(books.rejectFiles());
    requireGood(books, rejects);
    return books;
  }

  private void requireGood(ReadBooks books, RejectDir rejects) {
    if (plan.limits().isExceeded(books.rejected(), books.tally().get(Count.POINTS_READ))) {
      throw plan.limits().exceeded(books.rejected(), rejects.toString());
    }
    if (books.refusal() != null) {
      throw books.refusal().exception(UnitCodec.files(input, books.refusal().units()));
    }
    InfluxContexts contexts = input.formats().contexts();
    contexts.restore(books.influxContexts());
    contexts.requireOne();
    contexts.requireFound(
        books.tally().get(Count.LINES_OF_OTHER_DATABASE)
            + books.tally().get(Count.LINES_OF_OTHER_RETENTION_POLICY));
    if (books.units() != input.units().size() || !books.complete()) {
      throw JobException.outside(
          "the books of "
              + books.units()
              + " of "
              + input.units().size()
              + " units of input arrived");
    }
    report.metrics(books.metrics());
    report.warnIfEmpty(books.tally());
    if (plan.oldest() && books.oldestMillis() != Long.MAX_VALUE) {
      OldestPoint.require(table, stamps, books.oldestMillis(), clock.millis(), true);
    }
  }
}
