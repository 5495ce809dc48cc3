package io.tsdbsuite.metrics;

/** Type, unit and meaning of a statistic, which /api/stats does not have. */
public final class MetricDescription {
  /** What Prometheus may compute from the values. */
  enum Type {
    /** Grows from the start of the TSD; its rate has a meaning. */
    COUNTER,
    /** May also fall. */
    GAUGE
  }

  private final Type type;
  private final String name;
  private final String unit;
  private final String help;

  private MetricDescription(Type type, String name, String unit, String help) {
    this.type = type;
    this.name = name;
    this.unit = unit;
    this.help = help;
  }

  /**
   * A statistic that only grows until the TSD stops.
   *
   * @param name in /api/stats, without the plugin's prefix
   * @param help its meaning, one sentence
   */
  public static MetricDescription counter(String name, String help) {
    return new MetricDescription(Type.COUNTER, name, "", help);
  }

  /**
   * A statistic whose name says what it counts.
   *
   * @param name in /api/stats, without the plugin's prefix
   * @param help its meaning, one sentence
   */
  public static MetricDescription gauge(String name, String help) {
    return gauge(name, "", help);
  }

  /**
   * A statistic whose name in Prometheus has a unit.
   *
   * @param name in /api/stats, without the plugin's prefix
   * @param unit such as messages
   * @param help its meaning, one sentence
   */
  public static MetricDescription gauge(String name, String unit, String help) {
    return new MetricDescription(Type.GAUGE, name, unit, help);
  }

  Type type() {
    return type;
  }

  /** The name in /api/stats, without the plugin's prefix. */
  public String name() {
    return name;
  }

  String help() {
    return help;
  }

  /** The name in Prometheus without the plugin's prefix and without {@code _total}. */
  String prometheusName() {
    return MetricCatalog.withoutDots(unit.isEmpty() ? name : name + "_" + unit);
  }
}
