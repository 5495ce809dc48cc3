package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.HistogramElement;
import io.tsdbsuite.message.read.Reason;
import java.util.Base64;
import java.util.Map;
import net.opentsdb.core.Histogram;
import net.opentsdb.core.HistogramCodecManager;
import net.opentsdb.core.SimpleHistogram;
import net.opentsdb.core.SimpleHistogramDecoder;
import net.opentsdb.core.TSDB;

/** Writes histograms like /api/histogram: decoded and encoded again, which validates them. */
final class HistogramWriter {
  private final TSDB tsdb;

  HistogramWriter(TSDB tsdb) {
    this.tsdb = tsdb;
  }

  Deferred<Object> store(HistogramElement point) throws BadMessageException {
    HistogramCodecManager codecs = tsdb.histogramManager();
    if (codecs == null) {
      throw new BadMessageException(
          Reason.SWITCHED_OFF,
          "tsd.core.histograms.config must be set to store histograms, found none");
    }
    byte[] encoded;
    try {
      String value = point.value();
      Histogram histogram =
          value == null ? simple(codecs, point) : decode(codecs, point.id(), value);
      encoded = codecs.encode(histogram.getId(), histogram, true);
    } catch (RuntimeException e) {
      // Any exception of the codec means that the bytes are invalid.
      throw new BadMessageException(
          Reason.BAD_VALUE, "the histogram must suit its codec, found " + e);
    }
    return tsdb.addHistogramPoint(
        point.metric(), point.timestamp(), encoded, new TagsFromKafka(point.tags()));
  }

  private static Histogram decode(HistogramCodecManager codecs, int id, String value) {
    return codecs.decode(id, Base64.getDecoder().decode(value), false);
  }

  private static Histogram simple(HistogramCodecManager codecs, HistogramElement point) {
    SimpleHistogram histogram = new SimpleHistogram(codecs.getCodec(SimpleHistogramDecoder.class));
    histogram.setUnderflow(point.underflow());
    histogram.setOverflow(point.overflow());
    for (Map.Entry<String, Long> bucket : point.buckets().entrySet()) {
      String[] bounds = bucket.getKey().split(",", -1);
      if (bounds.length != 2) {
        throw new IllegalArgumentException("bucket must be lower,upper, found " + bucket.getKey());
      }
      histogram.addBucket(
          Float.parseFloat(bounds[0]), Float.parseFloat(bounds[1]), bucket.getValue());
    }
    return histogram;
  }
}
