package io.tsdbsuite.bench.rollup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;

/**
 * Arguments of a kernel, {@code name=value} each after its directory. Those of Spark become system
 * properties, as spark-submit does it.
 */
final class Settings {
  private final Map<String, String> values = new LinkedHashMap<>();

  private Settings() {}

  static Settings parse(String[] args) {
    Settings settings = new Settings();
    for (String argument : Arrays.asList(args).subList(1, args.length)) {
      int equals = argument.indexOf('=');
      settings.values.put(argument.substring(0, equals), argument.substring(equals + 1));
    }
    settings.values.forEach(
        (name, value) -> {
          if (name.startsWith("spark.")) {
            System.setProperty(name, value);
          }
        });
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

  /** Settings of Spark on loopback. */
  static List<String> spark(String master) {
    return List.of(
        "spark.master=" + master,
        "spark.ui.enabled=false",
        "spark.driver.host=127.0.0.1",
        "spark.driver.bindAddress=127.0.0.1");
  }

  /** Settings of Spark for an S3 server whose files were written into a bucket's directory. */
  static List<String> s3(Map<String, String> s3aProperties) {
    List<String> settings = new ArrayList<>();
    s3aProperties.forEach((key, value) -> settings.add("spark.hadoop." + key + "=" + value));
    // Such files have no ETag.
    settings.add("spark.hadoop.fs.s3a.change.detection.version.required=false");
    return settings;
  }

  /** Spark's configuration for code that is not the job's own start. */
  static SparkConf conf() {
    return new SparkConf()
        .setAppName("bench")
        // TableSnapshotInputFormat's splits report a length of 0 bytes.
        .set("spark.hadoopRDD.ignoreEmptySplits", "false");
  }
}
