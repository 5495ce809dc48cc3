package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class BucketRowsTest {
  private final BucketRows rows = new BucketRows();
  private final List<String> found = new ArrayList<>();
  private int open;

  /** Rows of a part of a bucket; each has one cell, whose qualifier is the key. */
  private static class Rows implements RowReader {
    private final List<String> keys;
    private final String corrupt;
    private final String resume;
    private int next;

    /**
     * @param corrupt first row of a corrupt block
     * @param resume first row after it
     */
    Rows(List<String> keys, String corrupt, String resume) {
      this.keys = keys;
      this.corrupt = corrupt;
      this.resume = resume;
    }

    @Override
    public boolean peek() throws IOException {
      if (next < keys.size() && keys.get(next).equals(corrupt)) {
        throw new UnreadableBlockException(
            "f", 7, Bytes.toBytes(corrupt), Bytes.toBytes(resume), new IOException("checksum"));
      }
      return next < keys.size();
    }

    @Override
    public byte[] rowArray() {
      return Bytes.toBytes("--" + keys.get(next));
    }

    @Override
    public int rowOffset() {
      return 2;
    }

    @Override
    public int rowLength() {
      return keys.get(next).length();
    }

    @Override
    public int read(CellVisitor visitor) throws IOException {
      byte[] key = Bytes.toBytes(keys.get(next++));
      visitor.restart();
      visitor.cell(key, 0, key.length, key, 0, key.length, 1);
      return 1;
    }

    @Override
    public void seek(byte[] row) {
      while (next < keys.size() && keys.get(next).compareTo(Bytes.toString(row)) < 0) {
        next++;
      }
    }

    @Override
    public boolean resumeAfter(UnreadableBlockException failure) {
      if (failure.resumeRow().length == 0) {
        next = keys.size();
      }
      seek(failure.resumeRow());
      return next < keys.size();
    }

    @Override
    public void close() {}
  }

  /** Adds a bucket of parts, each with its end row. */
  private void bucket(String salt, Object... partsAndStops) {
    List<BucketRows.Part> parts = new ArrayList<>();
    for (int i = 0; i < partsAndStops.length; i += 2) {
      open++;
      parts.add(
          new BucketRows.Part(
              (RowReader) partsAndStops[i],
              Bytes.toBytes((String) partsAndStops[i + 1]),
              () -> open--));
    }
    Iterator<BucketRows.Part> left = parts.iterator();
    rows.add(Bytes.toBytes(salt), () -> left.hasNext() ? left.next() : null);
  }

  private static Rows whole(String... keys) {
    return new Rows(List.of(keys), "", "");
  }

  private void readAll() throws IOException {
    boolean more = true;
    while (more) {
      try {
        more = rows.peek();
        if (more) {
          row();
        }
      } catch (UnreadableBlockException e) {
        found.add(Bytes.toString(e.firstRow()) + ".." + Bytes.toString(e.resumeRow()) + " lost");
        more = rows.resumeAfter(e);
      }
    }
    rows.close();
    assertThat(open).isZero();
  }

  private void row() throws IOException {
    String key = Bytes.toString(rows.rowArray(), rows.rowOffset(), rows.rowLength());
    String mark = rows.corruptPart() == null ? "" : "?";
    List<String> cells = new ArrayList<>();
    int count =
        rows.read(
            new CellVisitor() {
              @Override
              public void restart() {
                cells.clear();
              }

              @Override
              public void cell(
                  byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, long timestamp) {
                cells.add(Bytes.toString(q, qOff, qLen));
              }
            });
    assertThat(count).isEqualTo(cells.size());
    found.add(key + mark + cells);
  }

  @Test
  void rowsWhoseKeysDifferOnlyInTheSaltAreOne() throws IOException {
    bucket("0", whole("0a", "0c"), "0d", whole("0d", "0e"), "1");
    bucket("1", whole("1a", "1b", "1e"), "2");
    readAll();
    assertThat(found).containsExactly("a[0a, 1a]", "b[1b]", "c[0c]", "d[0d]", "e[0e, 1e]");
  }

  @Test
  void aSeekMovesEveryBucketInLaterPartsToo() throws IOException {
    bucket("0", whole("0a", "0b"), "0c", whole("0c", "0d", "0f"), "1");
    bucket("1", whole("1a", "1c", "1e"), "");
    assertThat(rows.peek()).isTrue();
    rows.seek(Bytes.toBytes("d"));
    readAll();
    assertThat(found).containsExactly("d[0d]", "e[1e]", "f[0f]");
  }

  /** What the other buckets have of these rows would look whole. */
  @Test
  void rowsOfOtherBucketsBesideACorruptBlockAreMarked() throws IOException {
    bucket("0", new Rows(List.of("0a", "0b", "0d"), "0b", "0d"), "1");
    bucket("1", whole("1a", "1b", "1c", "1d"), "");
    readAll();
    assertThat(found).containsExactly("a[0a, 1a]", "b..d lost", "b?[1b]", "c?[1c]", "d[0d, 1d]");
  }

  /** A bucket is looked at ahead of the others. */
  @Test
  void rowsBeforeACorruptBlockAreRead() throws IOException {
    bucket("0", new Rows(List.of("0m", "0p"), "0m", "0p"), "1");
    bucket("1", whole("1a", "1m", "1n", "1p"), "2");
    bucket("2", whole("2b", "2p"), "");
    readAll();
    assertThat(found)
        .containsExactly("a[1a]", "b[2b]", "m..p lost", "m?[1m]", "n?[1n]", "p[0p, 1p, 2p]");
  }

  /** The row is lost once, whatever buckets it is in. */
  @Test
  void aBlockThatIsCorruptWithinARow() throws IOException {
    Rows within =
        new Rows(List.of("1a", "1b", "1c"), "", "") {
          @Override
          public int read(CellVisitor visitor) throws IOException {
            if (Bytes.toString(rowArray(), rowOffset(), rowLength()).equals("1b")) {
              throw new UnreadableBlockException(
                  "f", 7, Bytes.toBytes("1b"), Bytes.toBytes("1c"), new IOException("checksum"));
            }
            return super.read(visitor);
          }
        };
    bucket("0", whole("0a", "0b", "0bb", "0c"), "1");
    bucket("1", within, "2");
    bucket("2", whole("2b", "2bc", "2c"), "");
    readAll();
    assertThat(found)
        .containsExactly("a[0a, 1a]", "b..c lost", "bb?[0bb]", "bc?[2bc]", "c[0c, 1c, 2c]");
  }

  @Test
  void toTheEndOfItsPartOrOfItsBucket() throws IOException {
    bucket("0", new Rows(List.of("0a", "0b"), "0b", ""), "0c", whole("0c"), "1");
    bucket("1", whole("1b", "1c"), "");
    readAll();
    assertThat(found).containsExactly("a[0a]", "b..c lost", "b?[1b]", "c[0c, 1c]");

    found.clear();
    BucketRowsTest last = new BucketRowsTest();
    last.bucket("0", new Rows(List.of("0b"), "0b", ""), "1");
    last.bucket("1", whole("1a", "1b", "1c"), "");
    last.readAll();
    assertThat(last.found).containsExactly("a[1a]", "b.. lost", "b?[1b]", "c?[1c]");
  }
}
