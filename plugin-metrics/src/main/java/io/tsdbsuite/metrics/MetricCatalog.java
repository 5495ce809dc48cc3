package io.tsdbsuite.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The statistics of one plugin. */
public final class MetricCatalog {
  private final String prefix;
  private final Map<String, MetricDescription> descriptions = new LinkedHashMap<>();

  /**
   * Creates a catalog.
   *
   * @param prefix of the names in /api/stats, with a dot at its end and without the TSD's own
   */
  public MetricCatalog(String prefix, MetricDescription... descriptions) {
    this.prefix = prefix;
    for (MetricDescription description : descriptions) {
      this.descriptions.put(description.name(), description);
    }
  }

  /** The names in /api/stats, without the prefix. */
  public Set<String> names() {
    return descriptions.keySet();
  }

  /** The description of a statistic of this plugin; null if the catalog lacks it. */
  @Nullable MetricDescription find(String name) {
    return descriptions.get(name.substring(prefix.length()));
  }

  /** The name in Prometheus, without {@code _total}. */
  String prometheusName(String name) {
    MetricDescription description = find(name);
    return withoutDots(prefix)
        + (description == null
            ? withoutDots(name.substring(prefix.length()))
            : description.prometheusName());
  }

  static String withoutDots(String name) {
    return name.replaceAll("[^A-Za-z0-9_]", "_");
  }
}
