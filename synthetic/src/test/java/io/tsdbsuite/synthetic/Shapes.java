package io.tsdbsuite.synthetic;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shapes and row keys for tests. */
public final class Shapes {
  public static final Instant START = Instant.parse("2023-11-14T22:13:20Z");
  public static final StorageSchema SALTED =
      StorageSchema.from(
          TsdConfig.parse(
              """
              tsd.storage.salt.width=1
              tsd.storage.salt.buckets=4
              tsd.storage.uid.width.metric=4
              tsd.storage.uid.width.tagk=2
              tsd.storage.uid.width.tagv=4
              """));

  private Shapes() {}

  /** 15 series with two tags. */
  public static SyntheticShape of(
      ValueShape values, long intervalMillis, Duration span, int jitter) {
    return new SyntheticShape("m.", 3, 5, 2, intervalMillis, START, span, values, jitter, 42);
  }

  /** Row keys as a resolver would make them: each name gets the next UID of its kind. */
  public static List<byte[]> templates(SyntheticShape shape, StorageSchema schema) {
    RowKey rowKey = new RowKey(schema);
    Map<String, Integer> uids = new HashMap<>();
    List<byte[]> templates = new ArrayList<>();
    SyntheticNames names = new SyntheticNames(shape);
    for (int series = 0; series < shape.series(); series++) {
      List<String> tags = names.tags(series);
      byte[][] pairs = new byte[tags.size() / 2][];
      for (int i = 0; i < pairs.length; i++) {
        byte[] pair = new byte[rowKey.pairWidth()];
        int k = uid(uids, "k" + tags.get(2 * i));
        int v = uid(uids, "v" + tags.get(2 * i + 1));
        Uids.write(k, pair, 0, schema.tagkWidth());
        Uids.write(v, pair, schema.tagkWidth(), schema.tagvWidth());
        pairs[i] = pair;
      }
      byte[] metric = Uids.bytes(uid(uids, "m" + names.metric(series)), schema.metricWidth());
      templates.add(rowKey.encode(metric, 0, pairs));
    }
    return templates;
  }

  private static int uid(Map<String, Integer> uids, String name) {
    uids.putIfAbsent(name, uids.size() + 1);
    return uids.get(name);
  }
}
