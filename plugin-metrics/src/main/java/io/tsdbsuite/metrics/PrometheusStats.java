package io.tsdbsuite.metrics;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.opentsdb.stats.StatsCollector;
import org.jspecify.annotations.Nullable;

/**
 * Collects the statistics of one plugin and writes them in Prometheus's text format.
 *
 * <p>{@code kafka-ingest.points.stored} becomes {@code kafka_ingest_points_stored_total}; tags
 * become labels, apart from those that Prometheus has itself. Values are whole numbers, as in
 * /api/stats.
 */
public final class PrometheusStats extends StatsCollector {
  /** The content type of {@link #text}. */
  public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private final MetricCatalog catalog;
  private final Map<String, Map<Labels, Long>> metrics = new TreeMap<>();

  /** Collects the statistics of this catalog. */
  public PrometheusStats(MetricCatalog catalog) {
    super("tsd");
    this.catalog = catalog;
  }

  /**
   * Records a statistic of the catalog's plugin.
   *
   * @param tag {@code name=value}, or null
   */
  @Override
  public void record(String name, long value, @Nullable String tag) {
    metrics.computeIfAbsent(name, key -> new LinkedHashMap<>()).put(labels(tag), value);
  }

  private Labels labels(@Nullable String tag) {
    Map<String, String> tags = new TreeMap<>();
    if (extratags != null) {
      tags.putAll(extratags);
    }
    if (tag != null) {
      int equals = tag.indexOf('=');
      tags.put(tag.substring(0, equals), tag.substring(equals + 1));
    }
    tags.remove("host");
    tags.remove("fqdn");
    Labels.Builder labels = Labels.builder();
    tags.forEach((key, value) -> labels.label(MetricCatalog.withoutDots(key), value));
    return labels.build();
  }

  /** The statistics recorded so far, UTF-8. */
  public byte[] text() {
    List<MetricSnapshot> all = new ArrayList<>();
    metrics.forEach((name, points) -> all.add(snapshot(name, points)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, new MetricSnapshots(all));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private MetricSnapshot snapshot(String name, Map<Labels, Long> points) {
    String prometheusName = catalog.prometheusName(name);
    MetricDescription description = catalog.find(name);
    if (description == null) {
      UnknownSnapshot.Builder unknown = UnknownSnapshot.builder().name(prometheusName);
      points.forEach(
          (labels, value) -> unknown.dataPoint(new UnknownDataPointSnapshot(value, labels, null)));
      return unknown.build();
    }
    if (description.type() == MetricDescription.Type.COUNTER) {
      CounterSnapshot.Builder counter =
          CounterSnapshot.builder().name(prometheusName).help(description.help());
      points.forEach(
          (labels, value) ->
              counter.dataPoint(new CounterDataPointSnapshot(value, labels, null, 0)));
      return counter.build();
    }
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder().name(prometheusName).help(description.help());
    points.forEach(
        (labels, value) -> gauge.dataPoint(new GaugeDataPointSnapshot(value, labels, null)));
    return gauge.build();
  }
}
