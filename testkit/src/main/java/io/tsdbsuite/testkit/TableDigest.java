package io.tsdbsuite.testkit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A digest of a table: tables with equal digests have the same cells. It ignores cell timestamps,
 * because a second run writes the same cells at other times.
 *
 * @param rows number of rows
 * @param cells number of cells, counting only the newest version
 * @param sha256 SHA-256 of row, family, qualifier and value of all cells in HBase's order,
 *     lower-case hex
 */
public record TableDigest(long rows, long cells, String sha256) {
  /**
   * The digest of a table with these cells.
   *
   * @param cells the cells in HBase's order, each once
   * @return the digest
   */
  public static TableDigest of(Iterable<RawCell> cells) {
    Builder builder = new Builder();
    cells.forEach(builder::add);
    return builder.build();
  }

  /** Adds cells one by one. */
  static final class Builder {
    private final MessageDigest sha256;
    private byte @Nullable [] lastRow;
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

    // Includes the length, so that different lists of parts have different bytes.
    private void part(byte[] bytes) {
      sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      sha256.update(bytes);
    }

    TableDigest build() {
      return new TableDigest(rows, cells, Bytes.toHex(sha256.digest()));
    }
  }
}
