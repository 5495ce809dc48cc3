package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;

/** The names of metrics. */
public interface MetricNames {
  /** The name of a UID, without waiting for it. */
  Deferred<String> name(byte[] uid);
}
