package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;
import org.jspecify.annotations.Nullable;

/** The cells of the meta table that the plugin writes; a row is a TSUID. No call blocks. */
public interface MetaTable {
  /**
   * Adds to {@code ts_ctr}, from 0 if it is absent.
   *
   * @return the new value
   */
  Deferred<Long> increment(byte[] tsuid, long points);

  /**
   * Rewrites the value of {@code ts_ctr}, so that its cell timestamp becomes the current time.
   *
   * @param value the expected value, 8 bytes
   * @return false if the value differs, or is absent
   */
  Deferred<Boolean> refresh(byte[] tsuid, byte[] value);

  /**
   * Writes {@code ts_ctr} with the value 1 if it is absent.
   *
   * @return false if it is present
   */
  Deferred<Boolean> create(byte[] tsuid);

  /** Reads {@code ts_ctr}; null if it is absent. */
  Deferred<byte @Nullable []> counter(byte[] tsuid);

  /**
   * Creates the series' TSMeta if it is absent.
   *
   * @return whether it exists now
   */
  Deferred<Boolean> storeTsMeta(byte[] tsuid);
}
