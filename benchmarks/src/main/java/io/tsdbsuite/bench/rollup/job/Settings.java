package io.tsdbsuite.bench.rollup.job;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;

/** Arguments of a kernel, {@code name=value} each. */
final class Settings {
  private static final String HADOOP = "hadoop.";

  private final Map<String, String> values = new LinkedHashMap<>();

  private Settings() {}

  static Settings parse(List<String> arguments) {
    Settings settings = new Settings();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      settings.values.put(argument.substring(0, equals), argument.substring(equals + 1));
    }
    return settings;
  }

  String get(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " must be given, found " + values.keySet());
    }
    return value;
  }

  int number(String name) {
    return Integer.parseInt(get(name));
  }

  List<String> list(String name) {
    return List.of(get(name).split(",", -1));
  }

  /** Spark's configuration: the master of the setting {@code master}, on loopback, and S3. */
  SparkConf spark(String name) {
    SparkConf conf =
        new SparkConf()
            .setMaster(get("master"))
            .setAppName(name)
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    hadoop().forEach((key, value) -> conf.set("spark.hadoop." + key, value));
    return conf;
  }

  /** Hadoop's configuration for S3. */
  Map<String, String> hadoop() {
    return withPrefix(HADOOP);
  }

  private Map<String, String> withPrefix(String prefix) {
    Map<String, String> some = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            some.put(name.substring(prefix.length()), value);
          }
        });
    return some;
  }
}
