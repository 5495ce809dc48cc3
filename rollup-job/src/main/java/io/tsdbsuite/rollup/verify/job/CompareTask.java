package io.tsdbsuite.rollup.verify.job;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.verify.Aggregators;
import io.tsdbsuite.rollup.verify.Comparison;
import io.tsdbsuite.rollup.verify.SeriesText;
import io.tsdbsuite.rollup.verify.StoredBooks;
import io.tsdbsuite.rollup.verify.TsdComparison;
import io.tsdbsuite.rollup.verify.TsdRollups;
import io.tsdbsuite.rollup.verify.VerifyBooks;
import java.io.Serializable;
import java.net.URI;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Compares the records of one shuffle partition, which are sorted by key.
 *
 * @param tsd the TSD to query for stored rollups; null when the records contain them
 * @param aggregators of the run
 * @param levels that are compared, by number
 * @param source as that of {@link Comparison}
 */
record CompareTask(
    Broadcast<UidNames> names,
    StorageSchema schema,
    Aggregators aggregators,
    List<String> levels,
    @Nullable URI tsd,
    long from,
    long to,
    List<CoverageFloor> floors,
    @Nullable RollupInterval source)
    implements FlatMapFunction<Iterator<Tuple2<byte[], byte[]>>, CompareTask.Result> {
  private static final long serialVersionUID = 1L;

  /**
   * The result of a task.
   *
   * @param tasks number of tasks whose books arrived
   */
  record Result(VerifyBooks compared, Books raw, StoredBooks stored, int tasks)
      implements Serializable {}

  @Override
  public Iterator<Result> call(Iterator<Tuple2<byte[], byte[]>> records) {
    VerifyBooks compared = new VerifyBooks();
    Books raw = new Books();
    StoredBooks stored = new StoredBooks();
    SeriesText text = new SeriesText(new RowKey(schema), names.value());
    Comparison sides = new Comparison(aggregators, levels, text, compared, floors, source);
    TsdComparison asked =
        tsd == null
            ? null
            : new TsdComparison(
                new TsdRollups(tsd, from, to), aggregators, levels, text, compared, floors);
    int tasks = 0;
    while (records.hasNext()) {
      Tuple2<byte[], byte[]> record = records.next();
      if (BooksRecord.is(record._1())) {
        BooksRecord books = BooksRecord.read(record._2());
        tasks++;
        Books ofRaw = books.raw();
        if (ofRaw != null) {
          raw.add(ofRaw);
        }
        StoredBooks ofStored = books.stored();
        if (ofStored != null) {
          stored.add(ofStored);
        }
      } else if (asked == null) {
        sides.add(record._1(), record._2());
      } else {
        asked.add(record._1(), record._2());
      }
    }
    sides.finish();
    if (asked != null) {
      asked.finish();
    }
    return List.of(new Result(compared, raw, stored, tasks)).iterator();
  }
}
