package io.tsdbsuite.nightly.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.NightlyConfig.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {
  @TempDir private Path dir;
  private final Map<String, String> values = new HashMap<>();

  @BeforeEach
  void least() throws IOException {
    Path tsd =
        Files.writeString(
            dir.resolve("opentsdb.conf"),
            "tsd.storage.hbase.data_table = ns:tsdb\ntsd.storage.hbase.zk_quorum = zk1,zk2\n");
    Path jar = JobJar.write(dir.resolve("rollup-job-spark.jar"), "rollup-job");
    values.put("tsd-config", tsd.toString());
    values.put("first-day", "2026-11-01");
    values.put("state-dir", dir.resolve("state").toString());
    values.put("reports", "hdfs://nn/reports/");
    values.put("hbase-root", "hdfs://nn/hbase/");
    values.put("job.jar", jar.toString());
    values.put("kafka.bootstrap", "b1:9092");
    values.put("kafka.topic", "rollups");
  }

  private List<String> problems() {
    try {
      ConfigReader.read(values);
      return List.of();
    } catch (JobException e) {
      assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
      return e.getMessage().lines().toList();
    }
  }

  @Test
  void theJarOfTheJob() throws IOException {
    assertThat(ConfigReader.read(values).runs().version()).contains("0.1.0");
    Path other = JobJar.write(dir.resolve("other.jar"), "bulk-loader");
    values.put("job.jar", other.toString());
    assertThat(problems())
        .containsExactly(
            "job.jar must be the jar of rollup-job for Spark, rollup-job*-spark.jar, found: '"
                + other
                + "'");
    values.put("job.jar", values.get("tsd-config"));
    assertThat(problems())
        .containsExactly(
            "job.jar must be a jar that can be read, found: '" + values.get("tsd-config") + "'");
    values.put("job.jar", "hdfs://nn/rollup-job.jar");
    assertThat(ConfigReader.read(values).runs().version()).isEmpty();
  }

  @Test
  void theLeast() {
    NightlyConfig config = ConfigReader.read(values);
    assertThat(config.firstDay()).isEqualTo(LocalDate.parse("2026-11-01"));
    assertThat(config.place()).isEqualTo(new Place("ns:tsdb", "tsdb-uid", "hdfs://nn/hbase", ""));
    assertThat(config.reports()).isEqualTo("hdfs://nn/reports");
    assertThat(config.holdBack()).isEqualTo(Duration.ofHours(1));
    assertThat(config.clients().hbase()).containsEntry("zookeeper.znode.parent", "/hbase");
    assertThat(config.runs().snapshotRoot()).isEqualTo("hdfs://nn/hbase");
    assertThat(config.runs().options().option("--tsd-config")).contains(values.get("tsd-config"));
    assertThat(config.writesHFiles()).isFalse();
    values.put("export.root", "s3a://backup/hbase");
    values.put("job.options", "--hold-back 3h");
    assertThat(ConfigReader.read(values).place().snapshotRoot()).isEqualTo("s3a://backup/hbase");
    assertThat(ConfigReader.read(values).holdBack()).isEqualTo(Duration.ofHours(3));
  }

  @Test
  void allProblemsAtOnce() {
    values.put("snapshot.keep", "3");
    values.put("first-day", "yesterday");
    values.put("max-days", "0");
    values.put("snapshots.pattern", "{table}");
    values.put("job.options", "--day 2026-11-01 --hold-back soon");
    values.put("spark.options", "--deploy-mode cluster");
    values.put("prune.options", "--keep-days 3");
    values.put("metrics.push", "http://gateway:9091");
    values.put("verify.against", "all");
    values.remove("kafka.topic");
    values.put("hadoop-property.fs.s3a.secret.key", "x");
    assertThat(problems())
        .containsExactlyInAnyOrder(
            "the key snapshot.keep is unknown",
            "first-day must be a date, yyyy-MM-dd, found: 'yesterday'",
            "max-days must be a whole number from 1 to 366, found: '0'",
            "snapshots.pattern must have {table} and {date}, each once, and otherwise only"
                + " letters, digits and _-., found: '{table}'",
            "job.options must not have this option, rollup-nightly sets it, found: '--day'",
            "job.options --hold-back must be a number and one of the units s m h d w n y, found:"
                + " soon",
            "spark.options must not have a --deploy-mode other than client: only client mode"
                + " returns the job's exit code, found: 'cluster'",
            "prune.options goes with export.root: snapshots.keep is the rule for those on HBase",
            "metrics.command goes with metrics.textfile-dir, metrics.push or metrics.put:"
                + " report-metrics.py and where it writes",
            "verify.against must be one of none, tsd, snapshot, found: 'all'",
            "kafka.topic is required, unless job.options has --sink hfile",
            "hadoop-property.fs.s3a.secret.key must not be here: it becomes part of command"
                + " lines, use Hadoop's files");
  }

  /** The job refuses each search then, so no night after the first could succeed. */
  @Test
  void cellsWithTheTimesOfTheirPoints() {
    values.put("job.options", "--tsd.storage.use_otsdb_timestamp=true");
    assertThat(problems())
        .containsExactly(
            "late-data must be false with tsd.storage.use_otsdb_timestamp = true: nothing in HBase"
                + " says when a cell was written, found: 'true'");
    values.put("late-data", "false");
    assertThat(problems()).isEmpty();
  }

  @Test
  void whatIsRequired() {
    values.clear();
    assertThat(problems())
        .contains(
            "tsd-config is required",
            "first-day is required",
            "state-dir is required",
            "reports is required",
            "hbase-root is required, unless export.root is set",
            "job.jar is required");
  }

  @Test
  void secretsAreNotShown() {
    values.put("job.options", "--kafka-property sasl.jaas.config=hush");
    assertThat(problems())
        .containsExactly(
            "job.options must not hold a password, a key or sasl.jaas.config: command lines are"
                + " not secret");
  }

  @Test
  void namesOfSecrets() {
    String message =
        " must not hold a password, a key or sasl.jaas.config: command lines are not secret";
    for (String options :
        List.of(
            "--conf spark.authenticate.secret=hush",
            "--conf spark.hadoop.fs.azure.account.key.a.blob.core.windows.net=hush",
            "--conf spark.ssl.keyStore=/a",
            "--conf spark.my.token=hush",
            "--token hush",
            "--packages http://me:hush@repo/")) {
      values.put("spark.options", options);
      assertThat(problems()).as(options).containsExactly("spark.options" + message);
    }
    values.put("spark.options", "--keytab /etc/secrets/token.keytab");
    assertThat(problems()).isEmpty();
    values.put("hadoop-property.fs.azure.account.key.a.blob.core.windows.net", "hush");
    assertThat(problems()).hasSize(1);
  }

  /** report-metrics would refuse them after each night. */
  @Test
  void urlsOfHttp() {
    values.put("verify.against", "tsd");
    assertThat(problems())
        .containsExactly("verify.tsd is required with verify.against=tsd: a URL, http://host:4242");
    values.put("verify.tsd", "tsd:4242");
    values.put("metrics.command", "report-metrics");
    values.put("metrics.push", "gateway:9091");
    values.put("metrics.put", "ftp://tsd:4242");
    String message = " must be a URL that begins with http:// or https://, found: '";
    assertThat(problems())
        .containsExactlyInAnyOrder(
            "verify.tsd" + message + "tsd:4242'",
            "metrics.push" + message + "gateway:9091'",
            "metrics.put" + message + "ftp://tsd:4242'");
  }

  @Test
  void urlsWithoutUsers() {
    values.put("verify.against", "tsd");
    values.put("verify.tsd", "http://me:hush@tsd:4242");
    values.put("metrics.command", "report-metrics");
    values.put("metrics.push", "https://me@gateway:9091");
    String message =
        " must not have a user name or password in its URL: command lines are not secret";
    assertThat(problems())
        .containsExactlyInAnyOrder("verify.tsd" + message, "metrics.push" + message);
  }

  @Test
  void onlyClientMode() {
    values.put("spark.options", "--deploy-mode client --conf spark.submit.deployMode=cluster");
    assertThat(problems())
        .containsExactly(
            "spark.options must not have a --deploy-mode other than client: only client mode"
                + " returns the job's exit code, found: 'cluster'");
  }

  @Test
  void aKeyThatIsThereTwice() throws IOException {
    Path file = dir.resolve("nightly.conf");
    Files.writeString(file, "first-day = 2026-11-01\nmax-days = 3\nfirst-day=2026-11-02\n");
    assertThatThrownBy(() -> ConfigReader.read(file))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("the key first-day must be there once")
        .hasMessageContaining("job.jar is required");
  }

  @Test
  void hfilesNeedNoKafka() {
    values.put("job.options", "--sink hfile");
    assertThat(problems())
        .containsExactlyInAnyOrder(
            "job.options must have --hfile-dir, because of --sink hfile",
            "kafka.bootstrap does not go with --sink hfile, found: 'b1:9092'",
            "kafka.topic does not go with --sink hfile, found: 'rollups'");
  }

  @Test
  void reportsAreNotAmongTheSnapshots() {
    values.put("reports", "hdfs://nn/hbase/reports");
    assertThat(problems())
        .containsExactly(
            "reports must not be below the root of the snapshots, found:"
                + " 'hdfs://nn/hbase/reports'");
  }

  /** Cron begins in another directory than a person. */
  @Test
  void relativePathsBeginAtTheFile() throws IOException {
    values.put("tsd-config", "opentsdb.conf");
    values.put("state-dir", "state");
    values.put("reports", "reports/");
    Path file = dir.resolve("nightly.conf");
    Files.write(file, values.entrySet().stream().map(one -> one + "").toList());
    NightlyConfig config = ConfigReader.read(file);
    assertThat(config.tsdConfig()).isEqualTo(dir.resolve("opentsdb.conf"));
    assertThat(config.stateDir()).isEqualTo(dir.resolve("state"));
    assertThat(config.reports()).isEqualTo(dir.resolve("reports").toString());
  }

  @Test
  void halfExportsMustNotLookFinished() {
    values.put("export.options", "-D snapshot.export.skip.tmp=true");
    values.put("hadoop-property.snapshot.export.skip.tmp", "true");
    assertThat(problems())
        .containsExactlyInAnyOrder(
            "export.options: snapshot.export.skip.tmp must not be true: an export that was broken"
                + " off would look finished",
            "hadoop-property.snapshot.export.skip.tmp must not be true: an export that was broken"
                + " off would look finished");
    values.put("export.options", "-Dsnapshot.export.skip.tmp=false");
    values.remove("hadoop-property.snapshot.export.skip.tmp");
    assertThat(problems()).isEmpty();
  }

  @Test
  void tiersNeedTheirPlaces() throws IOException {
    values.put("tiers.proofs", "hdfs://nn/proofs/");
    assertThat(problems())
        .containsExactly("tiers.proofs goes with tiers.policy, found: 'hdfs://nn/proofs/'");
    values.remove("tiers.proofs");
    values.remove("hbase-root");
    values.put("export.root", "s3a://backup/hbase");
    values.put("snapshots.take", "false");
    values.put("coverage.table", "none");
    values.put("tiers.policy", dir.resolve("none.json").toString());
    values.put("tiers.prove-options", "--max-days 3 --day=2026-11-01 --idle");
    values.put("tiers.apply-options", "--match app.*");
    assertThat(problems())
        .containsExactlyInAnyOrder(
            "tiers.policy must be a file that can be read, found: '"
                + dir.resolve("none.json")
                + "'",
            "tiers.proofs is required with tiers.policy",
            "tiers.hfile-dir is required with tiers.policy",
            "hbase-root is required with tiers.policy",
            "snapshots.take must be true with tiers.policy",
            "coverage.table must not be none with tiers.policy",
            "tiers.prove-options must not have this option, rollup-nightly sets it, found:"
                + " '--day=2026-11-01'",
            "tiers.prove-options must not have this option, rollup-nightly sets it, found:"
                + " '--idle'",
            "tiers.apply-options must not have this option, rollup-nightly sets it, found:"
                + " '--match'");
    values.clear();
    least();
    values.put("tiers.policy", Files.writeString(dir.resolve("tiers.json"), "[]").toString());
    values.put("tiers.proofs", "hdfs://nn/proofs/");
    values.put("tiers.apply", "false");
    assertThat(ConfigReader.read(values).tiers().proofs()).isEqualTo("hdfs://nn/proofs");
    assertThat(ConfigReader.read(values).tiers().apply()).isFalse();
  }

  /** The floors that apply raises in one table must be those that the runs read. */
  @Test
  void oneCoverageTableWithAPolicy() throws IOException {
    values.put("job.options", "--coverage-table tsdb-coverage --coverage-table=other");
    assertThat(problems()).isEmpty();
    values.put("tiers.policy", Files.writeString(dir.resolve("tiers.json"), "[]").toString());
    values.put("tiers.proofs", "hdfs://nn/proofs/");
    values.put("tiers.hfile-dir", "hdfs://nn/tiers");
    assertThat(problems())
        .containsExactly(
            "job.options must have no other --coverage-table than tsdb-coverage with tiers.policy,"
                + " found: 'other'");
    values.put("coverage.table", "other");
    assertThat(problems())
        .containsExactly(
            "job.options must have no other --coverage-table than other with tiers.policy, found:"
                + " 'tsdb-coverage'");
    values.put("job.options", "--coverage-table=other");
    assertThat(problems()).isEmpty();
  }

  @Test
  void aFileThatIsNotThere() {
    assertThatThrownBy(() -> ConfigReader.read(dir.resolve("none.conf")))
        .isInstanceOf(JobException.class)
        .hasMessageEndingWith("none.conf cannot be read: there is no such file");
  }

  /** Each key has its row with its default, and the example has no unknown one. */
  @Test
  void thePageHasEachKey() throws IOException {
    Path docs = Path.of("..", "docs");
    String page = Files.readString(docs.resolve("nightly.md"));
    for (Key key : Key.values()) {
      String byDefault =
          key.byDefault().map(value -> value.isEmpty() ? "" : "`" + value + "`").orElse("");
      String prefix = "| `" + key.text() + "` | " + byDefault;
      assertThat(page.lines().filter(line -> line.startsWith(prefix)).toList())
          .as(prefix)
          .hasSize(1);
    }
    Map<String, String> keys =
        Files.readString(docs.resolve("examples/nightly.conf"))
            .lines()
            .map(line -> line.replaceFirst("^#(?=[a-z])", ""))
            .filter(line -> line.matches("[a-z][a-z.-]* *=.*"))
            .collect(Collectors.toMap(line -> line.split(" *=", 2)[0], line -> line));
    assertThat(keys.keySet())
        .allMatch(Key::isKnown)
        .containsAll(Arrays.stream(Key.values()).map(Key::text).toList());
  }
}
