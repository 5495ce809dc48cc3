package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.read.PointNumber;
import java.util.Map;
import net.opentsdb.core.TSDB;

/** Writes raw points with the TSD's own {@code addPoint}. */
final class RawWriter {
  private final TSDB tsdb;

  RawWriter(TSDB tsdb) {
    this.tsdb = tsdb;
  }

  Deferred<Object> store(MetricElement point) throws BadMessageException {
    PointNumber number = new PointNumber();
    Map<String, String> tags = new TagsFromKafka(point.tags());
    number.parse(point.value(), point.origin());
    if (!number.isFloat()) {
      return tsdb.addPoint(point.metric(), point.timestamp(), number.longValue(), tags);
    }
    double value = number.doubleValue();
    return number.valueLength() == 4
        ? tsdb.addPoint(point.metric(), point.timestamp(), (float) value, tags)
        : tsdb.addPoint(point.metric(), point.timestamp(), value, tags);
  }
}
