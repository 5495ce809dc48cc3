package io.tsdbsuite.ingest.consume;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.ingest.store.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.List;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;

/** Creates stores without a server. */
final class Stores {
  private Stores() {}

  /** HBase without a client, so that nothing is held back; adds its probes, which wait. */
  static Storage probed(List<Deferred<Object>> probes) {
    return new Storage() {
      @Override
      public void flush() {
        // No client, no batch.
      }

      @Override
      public Deferred<Object> probe() {
        Deferred<Object> probe = new Deferred<>();
        probes.add(probe);
        return probe;
      }
    };
  }

  /** A store without rollups and without a server. */
  static ElementStore unconnected() {
    try {
      TSDB tsdb = new TSDB(new HBaseClient("127.0.0.1:1"), new Config(false));
      return new ElementStore(tsdb, Clock.systemUTC(), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
