package io.tsdbsuite.trigger.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private final Map<String, String> environment = TestSettings.environment();

  @Test
  void allVariables() {
    TriggerSettings settings = TriggerSettings.read(environment);
    assertThat(settings.backup().root().uri()).isEqualTo("s3://backup/hbase");
    assertThat(settings.nights().catchUpDays()).isEqualTo(2);
    assertThat(settings.stateMachineArn())
        .isEqualTo("arn:aws:states:us-east-1:123456789012:stateMachine:rollup");
    JobSettings job = PrepareSettings.read(environment).job();
    assertThat(job.sparkOptions().words()).containsExactly("--conf", "spark.executor.cores=4");
    assertThat(job.options().option("--interval")).contains("1h");
    assertThat(ReportSettings.read(environment).reportRoot().uri())
        .isEqualTo("s3://backup/reports");
  }

  @Test
  void defaults() {
    for (String name : List.of("SNAPSHOT_PATTERN", "CATCH_UP_DAYS", "JOB_OPTIONS")) {
      environment.remove(name);
    }
    // These are PrepareHandler's.
    for (String name : List.of("JOB_JAR", "KAFKA_BOOTSTRAP")) {
      environment.remove(name);
    }
    TriggerSettings settings = TriggerSettings.read(environment);
    assertThat(settings.backup().pattern()).hasToString("{table}-{date}");
    assertThat(settings.nights().catchUpDays()).isZero();
    assertThat(settings.backup().daysBefore()).isEqualTo(1);
    assertThat(settings.nights().holdBack()).isEqualTo(Duration.ofHours(1));
    assertThat(settings.nights().allowExpired()).isFalse();
    environment.put("JOB_OPTIONS", "[\"--hold-back\",\"0s\",\"--allow-expired\"]");
    settings = TriggerSettings.read(environment);
    assertThat(settings.nights().holdBack()).isZero();
    assertThat(settings.nights().allowExpired()).isTrue();
  }

  @Test
  void nothingIsSet() {
    assertThatThrownBy(() -> TriggerSettings.read(Map.of()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "8 problems: ROOT must be set; DATA_TABLE must be set; UID_TABLE must be set;"
                + " REPORT_ROOT must be set; AWS_REGION must be set; TOPIC must be set;"
                + " STATE_MACHINE_ARN must be set; METRICS_NAMESPACE must be set");
    assertThatThrownBy(() -> PrepareSettings.read(Map.of()))
        .hasMessageContaining("JOB_JAR must be set")
        .hasMessageContaining("JOB_OPTIONS must have --tsd-config")
        .hasMessageContaining("KAFKA_BOOTSTRAP must be set")
        .hasMessageContaining("TOPIC must be set");
    assertThatThrownBy(() -> ReportSettings.read(Map.of()))
        .hasMessage("2 problems: REPORT_ROOT must be set; METRICS_NAMESPACE must be set");
  }

  @Test
  void everythingIsWrong() {
    environment.putAll(
        Map.of(
            "ROOT", "backup/hbase",
            "DATA_TABLE", "ts db",
            "SNAPSHOT_PATTERN", "{table}-{yyyyMMdd}",
            "REPORT_ROOT", "s3://B",
            "DAYS_BEFORE_SNAPSHOT", "0",
            "CATCH_UP_DAYS", "91",
            "STATE_MACHINE_ARN", "rollup",
            "BACKUP_REGION", "Ireland",
            "METRICS_NAMESPACE", " "));
    assertThatThrownBy(() -> TriggerSettings.read(environment))
        .hasMessage(
            "9 problems: ROOT must be s3://bucket or s3://bucket/prefix, found: 'backup/hbase';"
                + " DATA_TABLE must be the name of an HBase table, found: 'ts db'; SNAPSHOT_PATTERN"
                + " must have {table} and {date}, each once, and otherwise only letters, digits and"
                + " _-., found: '{table}-{yyyyMMdd}'; REPORT_ROOT must be s3://bucket or"
                + " s3://bucket/prefix, found: 's3://B'; DAYS_BEFORE_SNAPSHOT must be a whole"
                + " number from 1 to 31, found: '0'; BACKUP_REGION must be a region, such as"
                + " eu-west-1, found: 'Ireland'; CATCH_UP_DAYS must be a whole number from 0"
                + " to 90, found: '91'; STATE_MACHINE_ARN must be the ARN of a state machine,"
                + " found: 'rollup'; METRICS_NAMESPACE must be set");
  }

  @Test
  void ofTheJob() {
    environment.putAll(
        Map.of(
            "JOB_JAR", "rollup-job.jar",
            "JOB_OPTIONS", "[\"--day=2026-11-20\",\"--resume\",\"x\"]",
            "SPARK_OPTIONS", "[\"--deploy-mode\",\"cluster\"]",
            "KAFKA_BOOTSTRAP", "b-1",
            "TOPIC", "a topic",
            "LATE_DATA", "yes",
            "KAFKA_CONFIG", "kafka.properties"));
    assertThatThrownBy(() -> PrepareSettings.read(environment))
        .hasMessage(
            "9 problems: JOB_JAR must be the jar's location on S3 (s3://bucket/key.jar), found:"
                + " 'rollup-job.jar'; JOB_OPTIONS must not have this option, the trigger sets it,"
                + " found: '--day=2026-11-20'; JOB_OPTIONS must not have this option, the trigger"
                + " sets it, found: '--resume'; JOB_OPTIONS must have --tsd-config with a file that"
                + " the driver can read: the job needs the TSD's opentsdb.conf; SPARK_OPTIONS must"
                + " not have a --deploy-mode other than client: only client mode returns the job's"
                + " exit code; KAFKA_BOOTSTRAP must be a comma-separated list of host:port, found:"
                + " 'b-1'; TOPIC must be the name of a Kafka topic, found: 'a topic'; KAFKA_CONFIG"
                + " must be an absolute path on the primary node, found: 'kafka.properties';"
                + " LATE_DATA must be on or off, found: 'yes'");
  }

  /** Spark takes the last one. */
  @Test
  void aSecondDeployMode() {
    environment.put("SPARK_OPTIONS", "[\"--deploy-mode\",\"client\",\"--deploy-mode=cluster\"]");
    assertThatThrownBy(() -> PrepareSettings.read(environment))
        .hasMessageContaining("SPARK_OPTIONS must not have a --deploy-mode other than client");
  }

  @Test
  void ofTheCompute() {
    environment.putAll(
        Map.of(
            "COMPUTE_KIND", "FARGATE",
            "EXECUTOR_CORES", "0",
            "EXECUTOR_MEMORY", "12 GB",
            "MAX_EXECUTORS", "many",
            "DRIVER_MEMORY", "0g"));
    assertThatThrownBy(() -> PrepareSettings.read(environment))
        .hasMessage(
            "5 problems: COMPUTE_KIND must be EMR or SERVERLESS, found: 'FARGATE'; EXECUTOR_CORES"
                + " must be a whole number from 1 to 256, found: '0'; EXECUTOR_MEMORY must be a"
                + " whole number with m or g, such as 12g, found: '12 GB'; MAX_EXECUTORS must be a"
                + " whole number from 1 to 100000, found: 'many'; DRIVER_MEMORY must be a whole"
                + " number with m or g, such as 12g, found: '0g'");
  }

  @Test
  void ofEmrServerless() {
    environment.putAll(TestSettings.serverless());
    assertThat(PrepareSettings.read(environment).job().kafkaConfig()).isEqualTo("kafka.properties");
    environment.putAll(
        Map.of(
            "KAFKA_CONFIG",
            "/home/hadoop/kafka.properties",
            "JOB_OPTIONS",
            "[\"--tsd-config=opentsdb.conf\",\"--rollup-config\",\"rollup_config.json\"]",
            "SPARK_OPTIONS",
            "[\"--files=s3://artifacts/opentsdb.conf\",\"--master\",\"yarn\",\"--conf\",\"spark.files=x\"]"));
    assertThatThrownBy(() -> PrepareSettings.read(environment))
        .hasMessage(
            "4 problems: SPARK_OPTIONS must not have this option, EMR Serverless or the trigger"
                + " sets it, found: '--master'; SPARK_OPTIONS must not have the setting"
                + " spark.files, which spark-submit ignores beside --files: use --files;"
                + " KAFKA_CONFIG must be the name of a file of --files in SPARK_OPTIONS, without a"
                + " directory, found: '/home/hadoop/kafka.properties'; JOB_OPTIONS --rollup-config"
                + " must be the name of a file of --files in SPARK_OPTIONS, without a directory,"
                + " found: 'rollup_config.json'");
  }

  @Test
  void theTriggerChoosesTheSearchForLateData() {
    String options = "[\"--tsd-config\",\"/x\",\"--changed-since\",\"2026-11-20\"]";
    environment.put("JOB_OPTIONS", options);
    assertThatThrownBy(() -> PrepareSettings.read(environment))
        .hasMessage(
            "1 configuration problem: JOB_OPTIONS must not have --changed-since while LATE_DATA is"
                + " on: the trigger sets it");
    environment.put("LATE_DATA", "off");
    assertThat(PrepareSettings.read(environment).job().options().option("--changed-since"))
        .contains("2026-11-20");
  }

  /** The planner gives the options of Kafka; the template gives --hold-back. */
  @Test
  void optionsThatTheJobRefuses() {
    environment.put(
        "JOB_OPTIONS",
        "[\"--tsd-config=/x\",\"--hold-back\",\"1h\",\"--sink\",\"json\",\"--allow-incomplete\","
            + "\"--hfile-dir=s3a://b/c\"]");
    assertThatThrownBy(() -> PrepareSettings.read(environment))
        .hasMessage(
            "3 problems: JOB_OPTIONS must not have a --sink other than kafka, or hfile alone: the"
                + " trigger sets the topic; JOB_OPTIONS must not have --hfile-dir without --sink"
                + " hfile; JOB_OPTIONS must not have --allow-incomplete beside --hold-back, which"
                + " the templates set: HoldBack may be 0s");
    environment.put("JOB_OPTIONS", "[\"--tsd-config=/x\",\"--sink=Kafka\",\"--hold-back=1h\"]");
    assertThat(PrepareSettings.read(environment).job().options().option("--sink"))
        .contains("Kafka");
  }

  @Test
  void withHFilesThereIsNoKafka() {
    TestSettings.hfiles(environment);
    JobSettings job = PrepareSettings.read(environment).job();
    assertThat(job.hfiles().orElseThrow().hadoopUri()).isEqualTo("s3a://logs/hfiles");
    assertThat(job.runs(TestSettings.prepare().backup(), Optional.empty()).kafka()).isEmpty();
    assertThat(TriggerSettings.read(environment).match()).isNotNull();
    environment.put("KAFKA_BOOTSTRAP", "b-1:9092");
    environment.put("TOPIC", "rollups");
    environment.put("KAFKA_CONFIG", "/kafka.properties");
    environment.put(
        "JOB_OPTIONS",
        "[\"--tsd-config=/x\",\"--sink=HFile\",\"--sink\",\"kafka\",\"--hfile-dir=hdfs://nn/h\","
            + "\"--rollups-per-message=1\"]");
    assertThatThrownBy(() -> PrepareSettings.read(environment))
        .hasMessage(
            "6 problems: JOB_OPTIONS must not have a --sink other than kafka, or hfile alone: the"
                + " trigger sets the topic; JOB_OPTIONS --hfile-dir must be s3a://bucket or"
                + " s3a://bucket/prefix, found: 'hdfs://nn/h'; JOB_OPTIONS must not have"
                + " --rollups-per-message with --sink hfile; KAFKA_BOOTSTRAP must be empty with"
                + " --sink hfile in JOB_OPTIONS, found: 'b-1:9092'; TOPIC must be empty with --sink"
                + " hfile in JOB_OPTIONS, found: 'rollups'; KAFKA_CONFIG must be empty with --sink"
                + " hfile in JOB_OPTIONS, found: '/kafka.properties'");
    environment.put("JOB_OPTIONS", "[\"--tsd-config=/x\",\"--sink=hfile\"]");
    assertThatThrownBy(() -> TriggerSettings.read(environment))
        .hasMessageContaining("TOPIC must be empty with --sink hfile");
    assertThatThrownBy(() -> PrepareSettings.read(environment))
        .hasMessageContaining(
            "JOB_OPTIONS must have --hfile-dir once with --sink hfile, found: []");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--interval 1h", "{}", "[1]", "\"a\"", "[[]]"})
  void optionsThatAreNoArrayOfTexts(String text) {
    environment.put("JOB_OPTIONS", text);
    assertThatThrownBy(() -> PrepareSettings.read(environment))
        .hasMessage(
            "1 configuration problem: JOB_OPTIONS must be a JSON array of texts, found: '"
                + text
                + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--kafka-property=sasl.jaas.config=X required password=hunter2;",
        "ssl.keystore.password=hunter2",
        "spark.hadoop.fs.s3a.secret.key=hunter2"
      })
  void secretsAreRefusedAndNotShown(String option) {
    environment.put("JOB_OPTIONS", "[\"--tsd-config=/x\",\"" + option + "\"]");
    assertThatThrownBy(() -> PrepareSettings.read(environment))
        .hasMessageContaining("JOB_OPTIONS must not hold a password")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void reportsBelowTheBackup() {
    environment.put("REPORT_ROOT", "s3://backup/hbase/reports");
    assertThatThrownBy(() -> TriggerSettings.read(environment))
        .hasMessageContaining("REPORT_ROOT must not be below ROOT");
    environment.put("ROOT", "s3://backup");
    environment.put("REPORT_ROOT", "s3://backup/reports");
    assertThatThrownBy(() -> TriggerSettings.read(environment))
        .hasMessageContaining("REPORT_ROOT must not be below ROOT");
  }
}
