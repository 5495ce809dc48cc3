package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.message.Origin;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.read.Reason;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.Tags;

/** Writes raw points with the TSD's own {@code addPoint}. */
final class RawWriter {
  private final TSDB tsdb;

  RawWriter(TSDB tsdb) {
    this.tsdb = tsdb;
  }

  Deferred<Object> store(MetricElement point) throws BadMessageException {
    String value = point.value();
    if (Tags.looksLikeInteger(value)) {
      return tsdb.addPoint(point.metric(), point.timestamp(), integer(value), point.tags());
    }
    double number = NumberParser.finite("value", value);
    float narrow = (float) number;
    // 4 bytes if these hold the value, like telnet; HTTP uses 8. docs/storage.md 2.3.
    return narrow == number && point.origin() != Origin.HTTP
        ? tsdb.addPoint(point.metric(), point.timestamp(), narrow, point.tags())
        : tsdb.addPoint(point.metric(), point.timestamp(), number, point.tags());
  }

  private static long integer(String value) throws BadMessageException {
    try {
      return Tags.parseLong(value);
    } catch (NumberFormatException e) {
      throw new BadMessageException(
          Reason.BAD_VALUE, "value must be a number, an integer on 64 bits, found " + value);
    }
  }
}
