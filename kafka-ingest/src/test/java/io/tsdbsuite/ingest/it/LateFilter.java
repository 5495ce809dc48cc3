package io.tsdbsuite.ingest.it;

import com.stumbleupon.async.Deferred;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.WriteableDataPointFilterPlugin;
import net.opentsdb.stats.StatsCollector;

/**
 * A plugin of a TSD for {@code tsd.timeseriesfilter} that answers on a thread of its own, so that
 * the TSD goes on with a point there. It refuses metrics that end with {@code .refused}, and values
 * that the plugin writes in a thread of HBase's client.
 */
public final class LateFilter extends WriteableDataPointFilterPlugin {
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  /** Made by the TSD. */
  public LateFilter() {}

  private Deferred<Boolean> answer(String metric) {
    Deferred<Boolean> answer = new Deferred<>();
    boolean inClient =
        metric.startsWith("repair.") && Thread.currentThread().getName().contains("AsyncHBase");
    thread.execute(new Answer(answer, !inClient && !metric.endsWith(".refused")));
    return answer;
  }

  /** The answer for a point. */
  record Answer(Deferred<Boolean> deferred, boolean allowed) implements Runnable {
    @Override
    public void run() {
      deferred.callback(allowed);
    }
  }

  @Override
  public void initialize(TSDB tsdb) {
    // Nothing is configured.
  }

  @Override
  public Deferred<Object> shutdown() {
    thread.shutdown();
    return Deferred.fromResult(null);
  }

  @Override
  public String version() {
    return "2.4.0";
  }

  @Override
  public void collectStats(StatsCollector collector) {
    // Nothing is counted.
  }

  @Override
  public Deferred<Boolean> allowDataPoint(
      String metric, long timestamp, byte[] value, Map<String, String> tags, short flags) {
    return answer(metric);
  }

  @Override
  public Deferred<Boolean> allowHistogramPoint(
      String metric, long timestamp, byte[] value, Map<String, String> tags) {
    return answer(metric);
  }

  @Override
  public boolean filterDataPoints() {
    return true;
  }
}
