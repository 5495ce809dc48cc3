package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.parse.SeriesCheck;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.bulk.series.SeriesResolver;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Series with UIDs far from the order of their names. Names with "bad" or "unknown" are refused;
 * "twin" is left out of a name before its UID is looked for.
 */
final class TestSeries implements SeriesResolver, SeriesCheck {
  final RowKey rowKey;
  private final Map<String, Integer> uids = new HashMap<>();
  int batches;

  TestSeries(String config) {
    rowKey = new RowKey(StorageSchema.from(TsdConfig.parse(config)));
  }

  static SeriesText text(String metric, String tags) {
    SeriesText text = new SeriesText();
    text.bytes = ("  " + metric + " 1 2 " + tags + "\n").getBytes(StandardCharsets.UTF_8);
    text.metricOff = 2;
    text.metricLen = metric.getBytes(StandardCharsets.UTF_8).length;
    text.tagsOff = 2 + text.metricLen + 5;
    text.tagsLen = tags.getBytes(StandardCharsets.UTF_8).length;
    text.line = 7;
    return text;
  }

  @Override
  public NewSeries check(SeriesText text) {
    String metric = new String(text.bytes, text.metricOff, text.metricLen, StandardCharsets.UTF_8);
    String tags = new String(text.bytes, text.tagsOff, text.tagsLen, StandardCharsets.UTF_8);
    NewSeries series = new NewSeries(metric, List.of(tags.split("[ =]", -1)));
    if (metric.contains("bad")) {
      series.refused(
          new SeriesRefusal(RejectReason.ILLEGAL_NAME, "names must be good, found " + metric));
    }
    return series;
  }

  @Override
  public synchronized void resolve(List<NewSeries> series) {
    batches++;
    for (NewSeries one : series) {
      if (one.metric().contains("unknown")) {
        one.refused(
            new SeriesRefusal(
                RejectReason.UNKNOWN_NAME, "metric must have a UID, found " + one.metric()));
      } else {
        one.resolved(rowKey(one.metric(), one.tags(), 0));
      }
    }
  }

  synchronized byte[] rowKey(String metric, List<String> tags, long baseTime) {
    byte[][] pairs = new byte[tags.size() / 2][];
    for (int i = 0; i < pairs.length; i++) {
      byte[] key = uid("k" + tags.get(2 * i));
      byte[] value = uid("v" + tags.get(2 * i + 1));
      pairs[i] = new byte[] {key[0], key[1], key[2], value[0], value[1], value[2]};
    }
    return rowKey.encode(uid("m" + metric.replace("twin", "")), baseTime, pairs);
  }

  private byte[] uid(String name) {
    // Far from the order of names, so that orders by name and by UID differ.
    int uid = uids.computeIfAbsent(name, n -> (uids.size() + 1) * 7919 & 0xffffff);
    return new byte[] {(byte) (uid >>> 16), (byte) (uid >>> 8), (byte) uid};
  }
}
