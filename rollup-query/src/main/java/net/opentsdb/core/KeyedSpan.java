package net.opentsdb.core;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import net.opentsdb.uid.UniqueId;
import org.hbase.async.Bytes;

/** The points of one series, whose names follow from a row key, also if it has no points. */
public abstract class KeyedSpan extends Span {
  private final byte[] key;

  /**
   * @param key row key of any row of the series
   */
  KeyedSpan(TSDB tsdb, byte[] key) {
    super(tsdb);
    this.key = key;
  }

  byte[] key() {
    return key;
  }

  @Override
  public Deferred<String> metricNameAsync() {
    return RowKey.metricNameAsync(tsdb, key);
  }

  @Override
  public byte[] metricUID() {
    return Arrays.copyOfRange(key, Const.SALT_WIDTH(), Const.SALT_WIDTH() + TSDB.metrics_width());
  }

  @Override
  public Deferred<Map<String, String>> getTagsAsync() {
    return Tags.getTagsAsync(tsdb, key);
  }

  @Override
  public Bytes.ByteMap<byte[]> getTagUids() {
    return Tags.getTagUids(key);
  }

  @Override
  public List<String> getTSUIDs() {
    byte[] tsuid = UniqueId.getTSUIDFromKey(key, TSDB.metrics_width(), Const.TIMESTAMP_BYTES);
    return new ArrayList<>(Collections.singletonList(UniqueId.uidToString(tsuid)));
  }
}
