package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.concurrent.TimeUnit;

/**
 * The published plugin's cache, reimplemented: entries have a TTL, keys are TSUIDs in hex as in
 * {@code UniqueId.uidToString}.
 */
final class PublishedWay extends MetaWay {
  private static final String DIGITS = "0123456789ABCDEF";

  private final Cache<String, Boolean> written;

  PublishedWay(long maxSeries, Ticker clock) {
    super(clock);
    written =
        CacheBuilder.newBuilder()
            .maximumSize(maxSeries)
            .expireAfterWrite(TTL_SECONDS, TimeUnit.SECONDS)
            .ticker(clock)
            .build();
  }

  @Override
  void increment(byte[] tsuid) {
    String key = hex(tsuid);
    if (written.getIfPresent(key) == null) {
      written.put(key, Boolean.TRUE);
      writes.increment();
    }
  }

  /** Hex by a presized builder, digit by digit, as in javax.xml.bind's DatatypeConverter. */
  private static String hex(byte[] bytes) {
    StringBuilder digits = new StringBuilder(2 * bytes.length);
    for (byte b : bytes) {
      digits.append(DIGITS.charAt(b >> 4 & 15)).append(DIGITS.charAt(b & 15));
    }
    return digits.toString();
  }

  @Override
  long misses() {
    return writes.sum();
  }

  @Override
  long series() {
    return written.size();
  }
}
