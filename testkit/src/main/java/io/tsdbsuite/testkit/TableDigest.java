package io.tsdbsuite.testkit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a table holds, in a few bytes: tables with equal digests have the same cells. Cell
 * timestamps are left out, since a second run writes the same cells at other times.
 *
 * @param rows how many rows
 * @param cells how many cells, the newest version of each
 * @param sha256 of row, family, qualifier and value of every cell in HBase's order, lower-case hex
 */
public record TableDigest(long rows, long cells, String sha256) {
  /**
   * The digest that a table with these cells has.
   *
   * @param cells in HBase's order, no cell twice
   * @return the digest
   */
  public static TableDigest of(Iterable<RawCell> cells) {
    Builder builder = new Builder();
    cells.forEach(builder::add);
    return builder.build();
  }

  /** Takes the cells one by one. */
  static final class Builder {
    private final MessageDigest sha256;
    private byte[] lastRow;
    private long rows;
    private long cells;

    Builder() {
      try {
        sha256 = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JVM has SHA-256", e);
      }
    }

    void add(RawCell cell) {
      if (lastRow == null || !Bytes.equals(lastRow, cell.row())) {
        rows++;
        lastRow = cell.row();
      }
      cells++;
      part(cell.row());
      part(cell.family().getBytes(StandardCharsets.UTF_8));
      part(cell.qualifier());
      part(cell.value());
    }

    // With its length, so that no two lists of parts are the same bytes.
    private void part(byte[] bytes) {
      sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      sha256.update(bytes);
    }

    TableDigest build() {
      return new TableDigest(rows, cells, Bytes.toHex(sha256.digest()));
    }
  }
}
