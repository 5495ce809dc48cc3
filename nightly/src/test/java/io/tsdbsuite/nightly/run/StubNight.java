package io.tsdbsuite.nightly.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.nightly.config.ConfigReader;
import io.tsdbsuite.nightly.config.JobJar;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.report.Reports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The night of 2026-11-21 on a local directory, with a script that stands in for spark-submit and
 * rollup-job: it keeps its arguments, and answers with the status and the report that a test sets.
 */
final class StubNight {
  static final Instant NOW = Instant.parse("2026-11-21T02:00:00Z");

  private static final String SCRIPT =
      """
      cd 'DIR' || exit 9
      echo "$*" >>calls
      kind=job report= day=
      while [ $# -gt 0 ]; do
        case $1 in
          verify | load | prune | coverage) kind=$1 ;;
          tiers) kind=tiers-$2 ;;
          --dry-run) kind=$kind-dry-run ;;
          --report) report=$2 ;;
          --day | --to) day=$2 ;;
          *) ;;
        esac
        shift
      done
      [ ! -f "$kind-$day.status" ] || kind=$kind-$day
      [ ! -f "$kind.out" ] || cat "$kind.out"
      if [ -f "$kind.json" ]; then
        sed "s/@NOW@/$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)/g" "$kind.json" >"$report"
      fi
      [ ! -f "$kind.status" ] || exit "$(cat "$kind.status")"
      """;

  private final Path dir;
  private final Map<String, String> config = new LinkedHashMap<>();
  final List<String> progress = new ArrayList<>();

  StubNight(Path dir) throws IOException {
    this.dir = dir;
    Files.writeString(dir.resolve("opentsdb.conf"), "");
    Path script =
        Files.writeString(dir.resolve("spark-submit.sh"), SCRIPT.replace("DIR", dir.toString()));
    set("tsd-config", dir.resolve("opentsdb.conf").toString());
    set("first-day", "2026-11-20");
    set("state-dir", dir.resolve("state").toString());
    set("reports", dir.resolve("reports").toString());
    set("snapshots.take", "false");
    set("hbase-root", Files.createDirectories(dir.resolve("hbase")).toUri().toString());
    set("job.jar", JobJar.write(dir.resolve("job.jar"), "rollup-job").toString());
    set("kafka.bootstrap", "localhost:9092");
    set("kafka.topic", "rollups");
    set("spark.command", "sh " + script);
  }

  /** Sets opentsdb.conf. */
  StubNight tsd(String... lines) throws IOException {
    Files.write(dir.resolve("opentsdb.conf"), List.of(lines));
    return this;
  }

  StubNight set(String key, String value) {
    config.put(key, value);
    return this;
  }

  /** The snapshots of the night. */
  StubNight snapshots() throws IOException {
    return snapshots(Duration.ofSeconds(HConstants.FOREVER));
  }

  /** The same of tables with a TTL. */
  StubNight snapshots(Duration ttl) throws IOException {
    return snapshots(Instant.parse("2026-11-21T01:30:00Z"), ttl);
  }

  /**
   * The snapshots of any night.
   *
   * @param data creation time of the data table's, whose date is in the names; the UID table's was
   *     taken a minute later
   */
  StubNight snapshots(Instant data, Duration ttl) throws IOException {
    snapshot("tsdb", data, data, ttl);
    snapshot("tsdb-uid", data, data.plusSeconds(60), ttl);
    return this;
  }

  private void snapshot(String table, Instant night, Instant created, Duration ttl)
      throws IOException {
    String date = LocalDate.ofInstant(night, ZoneOffset.UTC).toString().replace("-", "");
    String name = table + "-" + date;
    Path snapshot = Files.createDirectories(dir.resolve("hbase/.hbase-snapshot").resolve(name));
    SnapshotProtos.SnapshotDescription info =
        SnapshotProtos.SnapshotDescription.newBuilder()
            .setName(name)
            .setTable(table)
            .setVersion(2)
            .setCreationTime(created.toEpochMilli())
            .build();
    Files.write(snapshot.resolve(".snapshotinfo"), info.toByteArray());
    SnapshotProtos.SnapshotDataManifest manifest =
        SnapshotProtos.SnapshotDataManifest.newBuilder()
            .setTableSchema(
                ProtobufUtil.toTableSchema(
                    TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
                        .setColumnFamily(
                            ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t"))
                                .setTimeToLive((int) ttl.toSeconds())
                                .build())
                        .build()))
            .build();
    Files.write(snapshot.resolve("data.manifest"), manifest.toByteArray());
  }

  /** The job succeeds. */
  StubNight done() throws IOException {
    ObjectNode report = Reports.done().root();
    report.put("ended", "@NOW@");
    report.withObject("/resume/snapshots").put("--data-snapshot", "2026-11-21T01:30:00Z");
    report.withObject("/resume/snapshots").put("--uid-snapshot", "2026-11-21T01:31:00Z");
    return answer("job", 0, "", report.toString());
  }

  /**
   * The report of a run of 2026-11-19, which succeeded.
   *
   * @param options of the run, by their names
   */
  StubNight dayBefore(Map<String, String> options) throws IOException {
    return day(LocalDate.parse("2026-11-19"), options).set("first-day", "2026-11-19");
  }

  /** The same of any day. */
  StubNight day(LocalDate day, Map<String, String> options) throws IOException {
    ObjectNode report = Reports.done().root();
    LocalDate next = day.plusDays(1);
    report.withObject("/window").put("from", day + "T00:00:00Z");
    report.withObject("/window").put("to", next + "T00:00:00Z");
    report.withObject("/resume/snapshots").put("--data-snapshot", next + "T01:30:00Z");
    report.withObject("/proof").put("readAsOf", next + "T01:30:00Z");
    options.forEach(report.withObject("/resume/options")::put);
    Path reports = Files.createDirectories(dir.resolve("reports"));
    Files.writeString(reports.resolve(day + ".json"), report.toString());
    return this;
  }

  /**
   * What a command does.
   *
   * @param command {@code job}, {@code verify}, {@code load}, {@code prune}, {@code coverage},
   *     {@code tiers-apply}; {@code -dry-run} may follow, then for one {@code --day} or {@code
   *     --to} only {@code -yyyy-MM-dd}
   * @param out what it prints
   * @param report its report, with {@code @NOW@} for the present
   */
  StubNight answer(String command, int status, String out, String report) throws IOException {
    Files.writeString(dir.resolve(command + ".status"), Integer.toString(status));
    Files.writeString(dir.resolve(command + ".out"), out);
    if (!report.isEmpty()) {
      Files.writeString(dir.resolve(command + ".json"), report);
    }
    return this;
  }

  /** The arguments of each command that was run. */
  List<String> calls() throws IOException {
    Path calls = dir.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  Nightly nightly() throws IOException {
    return new Nightly(read(), Clock.fixed(NOW, ZoneOffset.UTC), () -> -1, progress::add);
  }

  /** What the steps of a run share. */
  Context context() throws IOException {
    return context(NOW);
  }

  /** The same at any time. */
  Context context(Instant now) throws IOException {
    Files.createDirectories(dir.resolve("state"));
    return Context.of(
        read(), Clock.fixed(now, ZoneOffset.UTC), new Configuration(false), progress::add);
  }

  private NightlyConfig read() throws IOException {
    List<String> lines = new ArrayList<>();
    config.forEach((key, value) -> lines.add(key + " = " + value));
    return ConfigReader.read(Files.write(dir.resolve("nightly.conf"), lines));
  }
}
