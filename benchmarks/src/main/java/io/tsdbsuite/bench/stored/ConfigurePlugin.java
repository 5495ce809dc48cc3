package io.tsdbsuite.bench.stored;

import net.opentsdb.core.TSDB;
import net.opentsdb.tsd.HttpRpcPluginQuery;

/**
 * {@code GET /plugin/configure?KEY=VALUE...}: changes keys of the running TSD, so that two
 * configurations are measured in one JVM. Most keys are read at the start only; those of {@code
 * tsd.core.meta.enable_*} are read for each point.
 */
public final class ConfigurePlugin extends BenchPlugin {
  /** Called by the TSD. */
  public ConfigurePlugin() {
    super("configure");
  }

  @Override
  String answer(TSDB tsdb, HttpRpcPluginQuery query) {
    query
        .getQueryString()
        .forEach((key, values) -> tsdb.getConfig().overrideConfig(key, values.get(0)));
    return "{}";
  }
}
