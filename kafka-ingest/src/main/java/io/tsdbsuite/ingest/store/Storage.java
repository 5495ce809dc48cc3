package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;

/** The operations of HBase for a polling thread; no method blocks. */
public interface Storage {
  /** Sends the batches that the client is still filling. */
  void flush();

  /** Reads a row that does not exist, each time another one; called back with HBase's answer. */
  Deferred<Object> probe();
}
