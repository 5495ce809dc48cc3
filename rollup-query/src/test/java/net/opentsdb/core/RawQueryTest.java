package net.opentsdb.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.read.NotExactException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.junit.jupiter.api.Test;

class RawQueryTest {
  /** It connects when it is first asked. */
  private static final HBaseClient CLIENT = new HBaseClient("127.0.0.1:1");

  /** Estimates are kept by it, of thousands of queries. */
  @Test
  void aSelectionIsShortHoweverLongTheQueryIs() throws Exception {
    List<String> tsuids = new ArrayList<>(Collections.nCopies(10_000, "000001000001000001"));
    String all = selection(tsuids);
    assertThat(all).hasSizeLessThan(100).isEqualTo(selection(tsuids));
    tsuids.set(5_000, "000001000001000002");
    assertThat(selection(tsuids)).isNotEqualTo(all);
  }

  /** Histograms of two codecs cannot be added; those of two groups are not added. */
  @Test
  void eachGroupOfHistogramsHasOneCodec() throws Exception {
    TSDB tsdb = new TSDB(CLIENT, new Config(false));
    tsdb.getConfig()
        .overrideConfig(
            "tsd.core.histograms.config",
            "{\"io.tsdbsuite.histogram.SketchCodec\":7,"
                + "\"net.opentsdb.core.SimpleHistogramDecoder\":1}");
    tsdb.initializePlugins(false);
    SimpleHistogram histogram = new SimpleHistogram(1);
    histogram.addBucket(1f, 2f, 5L);
    List<HistogramPieces> series =
        List.of(pieces(tsdb, 1, histogram.histogram(false)), pieces(tsdb, 7, new Sketch().bytes()));
    assertThat(query(tsdb, "none", List.of("000001000001000001")).percentiles(series)).hasSize(2);
    RawQuery sum = query(tsdb, "sum", List.of("000001000001000001"));
    assertThatThrownBy(() -> sum.percentiles(series))
        .isInstanceOf(NotExactException.class)
        .hasMessage("histograms of codec ids [1, 7]");
    assertThat(sum.percentiles(series.subList(1, 2))).hasSize(1);
    assertThat(sum.percentiles(List.of())).isEmpty();
  }

  /** A series whose last tag value is the id of its codec. */
  private static HistogramPieces pieces(TSDB tsdb, int codec, byte[] bytes) {
    byte[] tags = {0, 0, 1, 0, 0, (byte) codec};
    byte[] key =
        new RowKey(StorageSchema.defaults()).encode(new byte[] {0, 0, 1}, 1_763_510_400, tags);
    HistogramPieces pieces = new HistogramPieces(tsdb, key);
    pieces.add(1_763_510_400_000L, codec, bytes, 1, codec == 7);
    pieces.finish(List.of());
    return pieces;
  }

  private static String selection(List<String> tsuids) throws Exception {
    return query(new TSDB(CLIENT, new Config(false)), "sum", tsuids).selection();
  }

  private static RawQuery query(TSDB tsdb, String aggregator, List<String> tsuids)
      throws Exception {
    TSSubQuery sub = new TSSubQuery();
    sub.setAggregator(aggregator);
    sub.setDownsample("1h-sum");
    sub.setPercentiles(new ArrayList<>(List.of(50f)));
    sub.setTsuids(new ArrayList<>(tsuids));
    TSQuery query = new TSQuery();
    query.setStart("1763510400");
    query.setEnd("1763514000");
    query.setQueries(new ArrayList<>(List.of(sub)));
    query.validateAndSetQuery();
    return RawQuery.of(tsdb, query, 0).join();
  }
}
