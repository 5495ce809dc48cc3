package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;

/** The cells of the meta table that the plugin writes; a row is a TSUID. No call waits. */
public interface MetaTable {
  /**
   * Adds to {@code ts_ctr}, which counts from 0 if it is not there.
   *
   * @return the new value
   */
  Deferred<Long> increment(byte[] tsuid, long points);

  /**
   * Writes the value that {@code ts_ctr} has, so that its timestamp becomes the time of now.
   *
   * @param value what it has, 8 bytes
   * @return false if it has another, or is not there
   */
  Deferred<Boolean> refresh(byte[] tsuid, byte[] value);

  /**
   * Writes {@code ts_ctr} with the value 1 if it is not there.
   *
   * @return false if it is
   */
  Deferred<Boolean> create(byte[] tsuid);

  /** Reads {@code ts_ctr}; null if it is not there. */
  Deferred<byte[]> counter(byte[] tsuid);

  /**
   * Makes the series' TSMeta if it has none.
   *
   * @return whether there is one now
   */
  Deferred<Boolean> storeTsMeta(byte[] tsuid);
}
