package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.row.Rows;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** Rows in memory, sorted by key; each row has lost one identical duplicate on its way. */
public final class ListRows implements Rows {
  private final List<EncodedRow> rows;

  /** In any order; rows with one key stay in their order. */
  public ListRows(List<EncodedRow> rows) {
    this.rows = new ArrayList<>(rows);
    this.rows.sort((a, b) -> Bytes.compareTo(a.key(), b.key()));
  }

  /** All of them. */
  public RowSource all() {
    return open(new byte[0], new byte[0]);
  }

  /** Those behind a key. */
  public RowSource after(byte[] key) {
    return source(rows.stream().filter(r -> Bytes.compareTo(r.key(), key) > 0).toList());
  }

  @Override
  public RowSource open(byte[] from, byte[] to) {
    return source(
        rows.stream()
            .filter(r -> Bytes.compareTo(r.key(), from) >= 0)
            .filter(r -> to.length == 0 || Bytes.compareTo(r.key(), to) < 0)
            .toList());
  }

  @Override
  public List<byte[]> cuts(int ranges) {
    List<byte[]> cuts = new ArrayList<>();
    for (int i = 1; i < ranges; i++) {
      byte[] cut = rows.get(rows.size() * i / ranges).key();
      if (cuts.isEmpty() || Bytes.compareTo(cuts.get(cuts.size() - 1), cut) < 0) {
        cuts.add(cut);
      }
    }
    return cuts;
  }

  private static RowSource source(List<EncodedRow> rows) {
    Iterator<EncodedRow> iterator = rows.iterator();
    Tally tally = new Tally();
    return new RowSource() {
      @Override
      public EncodedRow next() {
        if (!iterator.hasNext()) {
          return null;
        }
        tally.add(Count.DUPLICATES_IDENTICAL, 1);
        return iterator.next();
      }

      @Override
      public Tally drain() {
        return tally.drain();
      }

      @Override
      public void close() {}
    };
  }
}
