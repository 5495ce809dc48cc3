package io.tsdbsuite.hbase;

import org.apache.hadoop.hbase.io.MetricsIOSource;
import org.apache.hadoop.hbase.io.MetricsIOWrapper;
import org.apache.hadoop.hbase.regionserver.MetricsHeapMemoryManagerSource;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSourceFactory;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerWrapper;
import org.apache.hadoop.hbase.regionserver.MetricsRegionSource;
import org.apache.hadoop.hbase.regionserver.MetricsRegionWrapper;
import org.apache.hadoop.hbase.regionserver.MetricsTableAggregateSource;
import org.apache.hadoop.hbase.regionserver.MetricsTableSource;
import org.apache.hadoop.hbase.regionserver.MetricsTableWrapperAggregate;
import org.apache.hadoop.hbase.regionserver.MetricsUserAggregateSource;
import org.apache.hadoop.hbase.regionserver.MetricsUserSource;

/**
 * No-op region server metrics for HBase's file readers and writers. HBase's own metrics need
 * classes that Hadoop hides from other class loaders, and spark-submit loads the job in a separate
 * class loader, so the first block of an HFile would fail with an IllegalAccessError. Found through
 * META-INF/services.
 */
public final class NoServerMetrics implements MetricsRegionServerSourceFactory {
  /** Called by the service loader. */
  public NoServerMetrics() {}

  @Override
  public MetricsIOSource createIO(MetricsIOWrapper wrapper) {
    return NoIo.INSTANCE;
  }

  @Override
  public MetricsRegionServerSource createServer(MetricsRegionServerWrapper wrapper) {
    throw noServer();
  }

  @Override
  public MetricsRegionSource createRegion(MetricsRegionWrapper wrapper) {
    throw noServer();
  }

  @Override
  public MetricsUserSource createUser(String shortUserName) {
    throw noServer();
  }

  @Override
  public MetricsUserAggregateSource getUserAggregate() {
    throw noServer();
  }

  @Override
  public MetricsTableSource createTable(String table, MetricsTableWrapperAggregate wrapper) {
    throw noServer();
  }

  @Override
  public MetricsTableAggregateSource getTableAggregate() {
    throw noServer();
  }

  @Override
  public MetricsHeapMemoryManagerSource getHeapMemoryManager() {
    throw noServer();
  }

  private static UnsupportedOperationException noServer() {
    return new UnsupportedOperationException(
        "HFiles are read and written here, there is no region server");
  }

  /** Counts nothing. */
  private enum NoIo implements MetricsIOSource {
    INSTANCE;

    @Override
    public void updateFsReadTime(long t) {}

    @Override
    public void updateFsPReadTime(long t) {}

    @Override
    public void updateFsWriteTime(long t) {}

    @Override
    public void incrSlowFsRead() {}

    @Override
    public void init() {}

    @Override
    public void setGauge(String gaugeName, long value) {}

    @Override
    public void incGauge(String gaugeName, long delta) {}

    @Override
    public void decGauge(String gaugeName, long delta) {}

    @Override
    public void removeMetric(String key) {}

    @Override
    public void incCounters(String counterName, long delta) {}

    @Override
    public void updateHistogram(String name, long value) {}

    @Override
    public String getMetricsContext() {
      return METRICS_CONTEXT;
    }

    @Override
    public String getMetricsDescription() {
      return METRICS_DESCRIPTION;
    }

    @Override
    public String getMetricsJmxContext() {
      return METRICS_JMX_CONTEXT;
    }

    @Override
    public String getMetricsName() {
      return METRICS_NAME;
    }
  }
}
