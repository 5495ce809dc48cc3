package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.row.Rows;
import io.tsdbsuite.synthetic.row.SyntheticRow;
import io.tsdbsuite.synthetic.row.SyntheticRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Synthetic rows. There is no input, so the sources count each point as read. Thread-safe. */
final class GeneratedRows implements Rows {
  private final SyntheticRows rows;

  /** Rows to write. */
  GeneratedRows(SyntheticRows rows) {
    this.rows = rows;
  }

  @Override
  public RowSource open(byte[] from, byte[] to) {
    return new Source(rows.open(from, to));
  }

  @Override
  public List<byte[]> cuts(int ranges) {
    return rows.cuts(ranges);
  }

  private static final class Source implements RowSource {
    private final SyntheticRows.Source source;
    private long points;

    private Source(SyntheticRows.Source source) {
      this.source = source;
    }

    @Override
    public @Nullable EncodedRow next() {
      SyntheticRow row = source.next();
      if (row == null) {
        return null;
      }
      points += row.points();
      return new EncodedRow(
          row.key(), row.qualifier(), row.value(), row.points(), row.newestMillis());
    }

    @Override
    public Tally drain() {
      Tally tally = new Tally();
      tally.add(Count.POINTS_READ, points);
      points = 0;
      return tally;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
