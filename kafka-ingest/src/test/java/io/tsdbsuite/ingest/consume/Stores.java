package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.mask.TestFloors;
import io.tsdbsuite.ingest.store.ElementStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;

/** Creates stores without a server. */
final class Stores {
  private Stores() {}

  /** A store without rollups and without a server. */
  static ElementStore unconnected() {
    try {
      TSDB tsdb = new TSDB(new HBaseClient("127.0.0.1:1"), new Config(false));
      return new ElementStore(tsdb, Clock.systemUTC(), true, TestFloors.none());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
