package io.tsdbsuite.stream.flink;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.UserCodeClassLoader;

/** Stands for the context that Flink gives a deserializer, which stream-rollup's does not use. */
final class NoContext implements DeserializationSchema.InitializationContext {
  @Override
  public MetricGroup getMetricGroup() {
    throw new UnsupportedOperationException();
  }

  @Override
  public UserCodeClassLoader getUserCodeClassLoader() {
    throw new UnsupportedOperationException();
  }
}
