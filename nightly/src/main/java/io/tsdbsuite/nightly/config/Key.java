package io.tsdbsuite.nightly.config;

import java.util.Arrays;
import java.util.Optional;

/** The keys of the configuration file; docs/nightly.md explains each. */
public enum Key {
  /** The TSD's opentsdb.conf. */
  TSD_CONFIG("tsd-config"),
  /** The first day, UTC. */
  FIRST_DAY("first-day"),
  /** Local directory of the lock and the logs. */
  STATE_DIR("state-dir"),
  /** Directory of the reports, local or a URI. */
  REPORTS("reports"),
  /** Root directory of the live HBase, a URI. */
  HBASE_ROOT("hbase-root"),
  /** Whether to take snapshots. */
  SNAPSHOTS_TAKE("snapshots.take", "true"),
  /** Names of the snapshots. */
  SNAPSHOTS_PATTERN("snapshots.pattern", "{table}-{date}"),
  /** Number of nights whose snapshots stay on HBase; empty or 0 keeps all. */
  SNAPSHOTS_KEEP("snapshots.keep", ""),
  /** Target of ExportSnapshot, a URI; empty for no export. */
  EXPORT_ROOT("export.root", ""),
  /** Command that runs ExportSnapshot. */
  EXPORT_COMMAND("export.command", "hbase org.apache.hadoop.hbase.snapshot.ExportSnapshot"),
  /** Further options of ExportSnapshot. */
  EXPORT_OPTIONS("export.options", "-mappers 4 -no-checksum-verify"),
  /** Command of spark-submit. */
  SPARK_COMMAND("spark.command", "spark-submit"),
  /** Options of spark-submit. */
  SPARK_OPTIONS("spark.options", ""),
  /** The jar of rollup-job. */
  JOB_JAR("job.jar"),
  /** Further options of rollup-job. */
  JOB_OPTIONS("job.options", ""),
  /** Kafka's brokers. */
  KAFKA_BOOTSTRAP("kafka.bootstrap", ""),
  /** Kafka's topic. */
  KAFKA_TOPIC("kafka.topic", ""),
  /** Properties file of the producer. */
  KAFKA_CONFIG("kafka.config", ""),
  /** Whether runs also roll up earlier rows that have changed. */
  LATE_DATA("late-data", "true"),
  /** Largest number of days of one run. */
  MAX_DAYS("max-days", "31"),
  /** none, tsd or snapshot. */
  VERIFY_AGAINST("verify.against", "none"),
  /** The TSD to compare with. */
  VERIFY_TSD("verify.tsd", ""),
  /** Share of the series. */
  VERIFY_SAMPLE("verify.sample", "1%"),
  /** Metrics to compare. */
  VERIFY_METRICS("verify.metrics", ""),
  /** How many days back a day without a verification of success is verified. */
  VERIFY_DAYS("verify.days", "7"),
  /** How long differences may be the TSDs' that have not stored everything yet. */
  VERIFY_PATIENCE("verify.patience", "10m"),
  /** The coverage table, or none. */
  COVERAGE_TABLE("coverage.table", ""),
  /** How long TSDs may take to store the rollups of a run. */
  COVERAGE_PATIENCE("coverage.patience", "30m"),
  /** The policy of rollup-job tiers. */
  TIERS_POLICY("tiers.policy", ""),
  /** Directory of the proofs, local or a URI. */
  TIERS_PROOFS("tiers.proofs", ""),
  /** Directory of the HFiles with delete markers, a URI. */
  TIERS_HFILE_DIR("tiers.hfile-dir", ""),
  /** Whether what is proven is deleted. */
  TIERS_APPLY("tiers.apply", "true"),
  /** Further options of rollup-job tiers prove. */
  TIERS_PROVE_OPTIONS("tiers.prove-options", ""),
  /** Further options of rollup-job tiers apply. */
  TIERS_APPLY_OPTIONS("tiers.apply-options", ""),
  /** report-metrics.py. */
  METRICS_COMMAND("metrics.command", ""),
  /** Directory of node_exporter's textfile collector. */
  METRICS_TEXTFILE_DIR("metrics.textfile-dir", ""),
  /** URL of a push gateway. */
  METRICS_PUSH("metrics.push", ""),
  /** URL of a TSD. */
  METRICS_PUT("metrics.put", ""),
  /** Further options of report-metrics.py. */
  METRICS_OPTIONS("metrics.options", ""),
  /** Options of rollup-job prune for the root of the exports. */
  PRUNE_OPTIONS("prune.options", "");

  /** Prefix of properties of HBase's client. */
  public static final String HBASE_PREFIX = "hbase-property.";

  /** Prefix of properties of Hadoop. */
  public static final String HADOOP_PREFIX = "hadoop-property.";

  private final String text;
  private final Optional<String> byDefault;

  Key(String text) {
    this.text = text;
    this.byDefault = Optional.empty();
  }

  Key(String text, String byDefault) {
    this.text = text;
    this.byDefault = Optional.of(byDefault);
  }

  /** The key in the file. */
  public String text() {
    return text;
  }

  /** The value if the file has none; empty if the key must be there or depends on others. */
  public Optional<String> byDefault() {
    return byDefault;
  }

  static boolean isKnown(String text) {
    return text.startsWith(HBASE_PREFIX)
        || text.startsWith(HADOOP_PREFIX)
        || Arrays.stream(values()).anyMatch(key -> key.text.equals(text));
  }
}
