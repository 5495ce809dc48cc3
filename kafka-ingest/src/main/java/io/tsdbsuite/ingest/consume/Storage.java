package io.tsdbsuite.ingest.consume;

import com.stumbleupon.async.Deferred;

/** What a polling thread wants of HBase; it never waits for it. */
interface Storage {
  /** Sends what the client holds back for larger batches. */
  void flush();

  /** Asks for something that costs HBase little; called back once it has answered. */
  Deferred<Object> probe();
}
