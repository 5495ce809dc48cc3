package net.opentsdb.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.junit.jupiter.api.Test;

/** In OpenTSDB's package, because its groups of histograms are. */
class HistogramPiecesTest {
  private static final long FROM = 1_709_251_200;

  /** One row with all histograms of a series is downsampled as OpenTSDB's rows of hours are. */
  @Test
  void theyAreDownsampledAsRowsOfHours() throws Exception {
    Config conf = new Config(false);
    conf.overrideConfig(
        "tsd.core.histograms.config", "{\"net.opentsdb.core.SimpleHistogramDecoder\":1}");
    // It connects when it is first asked.
    TSDB tsdb = new TSDB(new HBaseClient("127.0.0.1:1"), conf);
    tsdb.initializePlugins(false);
    RowKey keys = new RowKey(StorageSchema.defaults());
    Random random = new Random(Seed.VALUE);
    for (int i = 0; i < 200; i++) {
      HistogramSpan rows = new HistogramSpan(tsdb);
      HistogramPieces pieces = new HistogramPieces(tsdb, key(keys, FROM));
      long end = FROM + 3600L * (1 + random.nextInt(50));
      List<HistogramDataPoint> row = new ArrayList<>();
      long hour = FROM;
      for (long time = FROM + random.nextInt(4000); time < end; time += 1 + random.nextInt(9000)) {
        if (time >= hour + 3600 && !row.isEmpty()) {
          rows.addRow(key(keys, hour), row);
          row = new ArrayList<>();
        }
        hour = time - time % 3600;
        SimpleHistogram histogram = new SimpleHistogram(1);
        histogram.addBucket(1f, 1f + random.nextInt(100), 1L + random.nextInt(9));
        row.add(new SimpleHistogramDataPointAdapter(histogram, time * 1000));
        pieces.add(time * 1000, 1, histogram.histogram(false), 1, false);
      }
      if (!row.isEmpty()) {
        rows.addRow(key(keys, hour), row);
      }
      if (rows.size() > 0) {
        assertThat(pieces.finish(List.of())).isTrue();
        String spec = List.of("1h-sum", "2h-sum", "90m-sum", "1d-sum").get(random.nextInt(4));
        assertThat(values(tsdb, pieces, spec, end))
            .as(Seed.describe(i) + spec)
            .isEqualTo(values(tsdb, rows, spec, end));
      }
    }
  }

  private static List<String> values(TSDB tsdb, HistogramSpan span, String spec, long end) {
    HistogramSpanGroup group =
        new HistogramSpanGroup(
            tsdb,
            FROM,
            end,
            null,
            HistogramAggregation.SUM,
            new DownsamplingSpecification(spec),
            FROM * 1000,
            end * 1000,
            0,
            false,
            null);
    group.add(span);
    List<String> values = new ArrayList<>();
    SeekableView view = new HistogramDataPointsToDataPointsAdaptor(group, 50f).iterator();
    while (view.hasNext()) {
      DataPoint point = view.next();
      values.add(point.timestamp() + " " + point.doubleValue());
    }
    return values;
  }

  private static byte[] key(RowKey keys, long hour) {
    return keys.encode(new byte[] {0, 0, 1}, hour, new byte[] {0, 0, 1, 0, 0, 2});
  }
}
