package io.tsdbsuite.ingest.consume;

import com.stumbleupon.async.Deferred;

/** The operations of HBase for a polling thread; no method blocks. */
interface Storage {
  /** Sends the batches that the client is still filling. */
  void flush();

  /** Sends a cheap request; the Deferred is called back with HBase's answer. */
  Deferred<Object> probe();
}
