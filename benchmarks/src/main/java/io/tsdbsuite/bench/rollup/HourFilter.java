package io.tsdbsuite.bench.rollup;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Row filter of the stock job for one day: it reads every row and drops the rows of other hours.
 */
public final class HourFilter extends FilterBase {
  private final int timeOffset;
  private final int from;
  private final int to;

  /**
   * @param timeOffset offset of the base time in a row key, bytes
   * @param from first base time, inclusive, seconds since the epoch, UTC
   * @param to last base time, exclusive, seconds since the epoch, UTC
   */
  public HourFilter(int timeOffset, long from, long to) {
    this.timeOffset = timeOffset;
    this.from = (int) from;
    this.to = (int) to;
  }

  /** Called by HBase. */
  public static Filter parseFrom(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new HourFilter(buffer.getInt(), buffer.getInt(), buffer.getInt());
  }

  @Override
  public byte[] toByteArray() {
    return ByteBuffer.allocate(12).putInt(timeOffset).putInt(from).putInt(to).array();
  }

  /** Whether HBase skips the row. */
  @Override
  public boolean filterRowKey(Cell first) {
    int time = Bytes.toInt(first.getRowArray(), first.getRowOffset() + timeOffset);
    return time < from || time >= to;
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    return ReturnCode.INCLUDE;
  }
}
