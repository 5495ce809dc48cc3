package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.row.RowKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one row of a table of histograms, which has the format of a raw row:
 *
 * <pre>
 *   column  | 06 | seconds from the base time 2 |
 *   value   | codec id 1 | bytes |
 * </pre>
 *
 * <p>The same second in a column of milliseconds would be a second histogram, as a TSD adds both.
 */
final class StoredHistograms extends StoredRow {
  private static final int LENGTH = 1 + Short.BYTES;
  private static final byte[] NONE = {};

  private final long millis;

  /** By offset; empty if there is none. */
  private final byte[][] records;

  /**
   * @param table for messages
   * @param seconds length of its interval
   */
  StoredHistograms(String table, long seconds) {
    super(table);
    this.millis = seconds * 1000;
    this.records = new byte[(int) Math.max(1, RowKey.ROW_SPAN_SECONDS / seconds)][];
  }

  @Override
  public void restart() {
    super.restart();
    Arrays.fill(records, NONE);
  }

  @Override
  public void cell(
      byte[] qualifier,
      int qualifierOffset,
      int qualifierLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long timestamp) {
    count(timestamp);
    if (wanted == 0) {
      other();
      return;
    }
    String problem = null;
    long offset = 0;
    if (qualifierLength != LENGTH
        || !HistogramColumn.is(qualifier, qualifierOffset, qualifierLength)) {
      problem = "its qualifier is none of the histogram of a rollup";
    } else {
      offset = HistogramColumn.offsetMillis(qualifier, qualifierOffset, qualifierLength);
      if (offset % millis != 0 || offset / millis >= records.length) {
        problem =
            "its offset must be the start of an interval in the hour, found " + offset + " ms";
      } else if (valueLength == 0 || value[valueOffset] < 0) {
        problem = "its value must begin with the id of a codec, 0 to 127";
      }
    }
    if (problem == null) {
      records[(int) (offset / millis)] =
          VerifyRecord.histogram(true, value[valueOffset], value, valueOffset + 1, valueLength - 1);
    } else {
      malformed(qualifier, qualifierOffset, qualifierLength, problem);
    }
  }

  @Override
  int offsets() {
    return records.length;
  }

  @Override
  byte @Nullable [] record(int offset) {
    return records[offset].length == 0 ? null : records[offset];
  }
}
