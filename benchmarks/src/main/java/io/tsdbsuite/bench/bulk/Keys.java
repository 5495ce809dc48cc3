package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import java.util.ArrayList;
import java.util.List;

/** Row keys of series in initially empty tables: UIDs count from 1. */
final class Keys {
  static final RowKey ROW_KEY = new RowKey(StorageSchema.defaults());
  private static final int UID_WIDTH = 3;

  private Keys() {}

  /** Key of a series of the first metric, with a base time of 0. */
  static byte[] template(int series) {
    byte[] pair = new byte[2 * UID_WIDTH];
    Uids.write(1, pair, 0, UID_WIDTH);
    Uids.write(series + 1, pair, UID_WIDTH, UID_WIDTH);
    return ROW_KEY.encode(uid(1), 0, pair);
  }

  /** Split keys that divide a time span of the first metric into regions. */
  static List<byte[]> splits(long startSeconds, long hours, int regions) {
    List<byte[]> splits = new ArrayList<>();
    for (int i = 1; i < regions; i++) {
      byte[] key = new byte[UID_WIDTH + RowKey.TIME_WIDTH];
      Uids.write(1, key, 0, UID_WIDTH);
      Uids.write(
          startSeconds + hours * i / regions * RowKey.ROW_SPAN_SECONDS,
          key,
          UID_WIDTH,
          RowKey.TIME_WIDTH);
      splits.add(key);
    }
    return splits;
  }

  private static byte[] uid(int number) {
    byte[] uid = new byte[UID_WIDTH];
    Uids.write(number, uid, 0, UID_WIDTH);
    return uid;
  }
}
