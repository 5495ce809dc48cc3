package io.tsdbsuite.trigger.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Environments that are in order. */
public final class TestSettings {
  private TestSettings() {}

  /** All variables. */
  public static Map<String, String> environment() {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("AWS_REGION", "eu-west-1");
    environment.put("ROOT", "s3://backup/hbase");
    environment.put("DATA_TABLE", "tsdb");
    environment.put("UID_TABLE", "tsdb-uid");
    environment.put("SNAPSHOT_PATTERN", "{table}-{date}");
    environment.put("REPORT_ROOT", "s3://backup/reports");
    environment.put("CATCH_UP_DAYS", "2");
    environment.put(
        "STATE_MACHINE_ARN", "arn:aws:states:us-east-1:123456789012:stateMachine:rollup");
    environment.put("JOB_JAR", "s3://artifacts/jars/rollup-job.jar");
    environment.put(
        "JOB_OPTIONS", "[\"--tsd-config\",\"/home/hadoop/opentsdb.conf\",\"--interval\",\"1h\"]");
    environment.put("SPARK_OPTIONS", "[\"--conf\",\"spark.executor.cores=4\"]");
    environment.put("KAFKA_BOOTSTRAP", "b-2:9096,b-1:9096");
    environment.put("TOPIC", "rollups");
    environment.put("KAFKA_CONFIG", "/home/hadoop/kafka.properties");
    environment.put("METRICS_NAMESPACE", "OpenTSDB/Rollup");
    return environment;
  }

  /** The variables that differ for EMR Serverless. */
  public static Map<String, String> serverless() {
    return Map.of(
        "COMPUTE_KIND",
        "SERVERLESS",
        "SPARK_OPTIONS",
        "[\"--files\",\"s3://artifacts/opentsdb.conf,s3://artifacts/kafka.properties\"]",
        "JOB_OPTIONS",
        "[\"--tsd-config\",\"opentsdb.conf\",\"--interval\",\"1h\"]",
        "KAFKA_CONFIG",
        "kafka.properties");
  }

  /** Sets the variables that differ for HFiles. */
  public static void hfiles(Map<String, String> environment) {
    environment.keySet().removeAll(List.of("KAFKA_BOOTSTRAP", "KAFKA_CONFIG", "TOPIC"));
    environment.put(
        "JOB_OPTIONS",
        "[\"--tsd-config\",\"/home/hadoop/opentsdb.conf\",\"--interval\",\"1h\","
            + "\"--sink\",\"hfile\",\"--hfile-dir\",\"s3a://logs/hfiles\"]");
  }

  public static TriggerSettings trigger() {
    return TriggerSettings.read(environment());
  }

  public static PrepareSettings prepare() {
    return PrepareSettings.read(environment());
  }
}
