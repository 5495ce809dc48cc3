package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.tiers.proof.IdleSeries;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.tiers.proof.ProofStore;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** Which series {@code tiers prove --idle} names, and what their proofs say of each table. */
class TiersIdleIT {
  private static final String NAME = "tidle";
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;

  /** The year that has it is past, so its row of 1d is. */
  private static final long OLD = SmallData.START;

  private static final String POLICY =
      "[{\"match\":\"app.none.*\",\"raw\":\"30d\"},{\"match\":\"app.*\",\"idle\":\"30d\"},"
          + "{\"match\":\"*\",\"raw\":\"30d\"}]";
  private static final List<String> METRICS = List.of("app.*", "!app.none.*");

  /** Of app.a, by what becomes of them. */
  private static final int IDLE = 0;

  private static final int LATE_ROW = 1;
  private static final int LATE_STAMP = 2;
  private static final int HISTOGRAM = 3;
  private static final int ROLLUPS_ALONE = 4;
  private static final int RAW_ALONE = 5;
  private static final int LATE_YEAR = 6;
  private static final int STAMP_BEFORE = 7;

  private static final int SERIES = 8;
  private static final int OTHER_METRIC = SERIES;

  private final HBaseServer hbase = SharedStack.get().hbase();
  private final Path directory = TestFiles.directory("tiers-idle");
  private final Path proofs = directory.resolve("proofs");

  /** After the snapshots: apply refuses proofs that are older. */
  private final Instant now = Instant.now().plus(Duration.ofHours(1));

  private final long before = Math.floorDiv(Instant.now().getEpochSecond() - 30 * DAY, DAY) * DAY;

  /** From {@link #before} to the day of the snapshot: 30, unless it is taken after midnight. */
  private int idleDays;

  private final List<RawCell> raw = new ArrayList<>();
  private final RollupConfig rollups =
      RollupConfig.parse(
          RollupStore.config(
              NAME + "-data", NAME + "-rollup", RollupStore.IDS, List.of("1h", "1d")));
  private RowKey keys = new RowKey(StorageSchema.defaults());
  private Path tsdConfig = directory;

  /** Rows of the series at {@link #OLD}, with two points of the first hour. */
  private final Map<Integer, byte[]> rows = new TreeMap<>();

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private void make() throws IOException {
    Map<String, String> conf =
        CorrectnessIT.conf(NAME, "tsd.storage.salt.width", "1", "tsd.storage.salt.buckets", "5");
    conf.put("tsd.rollups.enable", "true");
    conf.put(
        "tsd.rollups.config",
        RollupStore.config(NAME + "-data", NAME + "-rollup", RollupStore.IDS, List.of("1h", "1d")));
    conf.put("tsd.storage.enable_compaction", "false");
    Stack stack = SharedStack.get();
    stack.create(OpenTsdbTables.of(conf).splits(List.of(new byte[] {2})));
    TsdServer tsd = stack.startTsd(NAME, conf);
    try {
      tsdConfig = tsd.configFile();
      keys = new RowKey(StorageSchema.from(TsdConfig.parse(Files.readString(tsdConfig))));
      List<DataPoint> points = new ArrayList<>();
      for (int i = 0; i <= SERIES; i++) {
        Map<String, String> tags = Map.of("host", "h" + i);
        String metric = i == OTHER_METRIC ? "web.a" : "app.a";
        points.add(new DataPoint(metric, OLD + i, 1L, tags));
        points.add(new DataPoint(metric, OLD + 900 + i, 2.5, tags));
      }
      tsd.client().put(points, 3000);
    } finally {
      tsd.stop();
    }
    // The second of the point tells the series.
    List<RawCell> stored = hbase.cells(NAME + "-data");
    for (RawCell cell : stored) {
      int second = (ByteBuffer.wrap(cell.qualifier()).getShort() & 0xffff) >> 4;
      rows.put(second % 900, cell.row());
    }
    assertThat(rows).hasSize(SERIES + 1);
    TableName table = TableName.valueOf(NAME + "-data");
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.disableTable(table);
      admin.truncateTable(table, true);
    }
    for (RawCell cell : stored) {
      int series = series(cell.row());
      if (series != ROLLUPS_ALONE) {
        long stamp = (OLD + HOUR) * 1000;
        if (series == LATE_STAMP) {
          stamp = before * 1000;
        } else if (series == STAMP_BEFORE) {
          stamp = before * 1000 - 1;
        }
        raw.add(new RawCell(cell.row(), "t", cell.qualifier(), stamp, cell.value()));
      }
    }
    // Its row ends at the time, and one after it was deleted.
    raw.add(point(at(IDLE, before - HOUR)));
    raw.add(point(at(IDLE, before + DAY)));
    raw.add(point(at(LATE_ROW, before)));
    raw.add(cell(rows.get(HISTOGRAM), "060005", "0001"));
    raw.add(cell(rows.get(RAW_ALONE), "010005", "7b7d"));
    raw.add(cell(at(RAW_ALONE, OLD + HOUR), "010005", "7b7d"));
    hbase.putCells(NAME + "-data", raw);
    try (Table of = hbase.connection().getTable(table)) {
      of.delete(new Delete(at(IDLE, before + DAY)));
    }
    for (int series : List.of(IDLE, HISTOGRAM, ROLLUPS_ALONE)) {
      rollup("1h", series, OLD);
      rollup("1d", series, OLD);
    }
    // A row of a year that ends after the time, also of the later run; its rollup is old.
    rollup("1d", LATE_YEAR, before + 2 * DAY);
    for (String each : List.of("data", "uid", "rollup-1h", "rollup-1d")) {
      hbase.snapshot(NAME + "-" + each, NAME + "-" + each + "-snapshot");
    }
    long taken =
        new SnapshotLoader(hbase.clientConfiguration(), hbase.rootDir())
            .load(NAME + "-data-snapshot", RowKey.FAMILY)
            .creationTime();
    idleDays = (int) ((taken / 1000 - before) / DAY);
    policy(idleDays);
    Files.createDirectory(proofs);
  }

  private void policy(int idle) throws IOException {
    Files.writeString(
        directory.resolve("tiers.json"),
        POLICY.replace("\"idle\":\"30d", "\"idle\":\"" + idle + "d"));
  }

  private int series(byte[] row) {
    return rows.entrySet().stream()
        .filter(each -> Arrays.equals(each.getValue(), row))
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  /** A row of a series at another time. */
  private byte[] at(int series, long time) {
    byte[] row = rows.get(series).clone();
    keys.writeBaseTime(row, time);
    return row;
  }

  private static RawCell point(byte[] row) {
    return cell(row, "0000", "07");
  }

  private static RawCell cell(byte[] row, String qualifier, String value) {
    return new RawCell(row, "t", hex(qualifier), (OLD + HOUR) * 1000, hex(value));
  }

  /** Sum, min, max and count at the begin of the row of a time. */
  private void rollup(String interval, int series, long time) throws IOException {
    byte[] row = at(series, rollups.interval(interval).baseTime(time));
    List<RawCell> cells = new ArrayList<>();
    for (int id : List.of(0, 2, 3, 4)) {
      cells.add(
          new RawCell(
              row,
              "t",
              RollupCell.doubleQualifier(id, 0),
              (OLD + HOUR) * 1000,
              RollupCell.doubleValue(1)));
    }
    hbase.putCells(NAME + "-rollup-" + interval, cells);
  }

  private JobRun prove(Instant at, String... more) throws IOException {
    Files.deleteIfExists(directory.resolve("report.json"));
    return new JobRun(directory)
        .now(at)
        .with(
            "tiers",
            "prove",
            "--idle",
            "--policy=" + directory.resolve("tiers.json"),
            "--snapshot-root=" + hbase.rootDir(),
            "--data-snapshot=" + NAME + "-data-snapshot",
            "--uid-snapshot=" + NAME + "-uid-snapshot",
            "--tsd-config=" + tsdConfig,
            "--proofs=" + proofs,
            "--report=" + directory.resolve("report.json"))
        .with(more)
        .run();
  }

  private static String against(String... intervals) {
    List<String> names = new ArrayList<>();
    for (String interval : intervals) {
      names.add(NAME + "-rollup-" + interval + "-snapshot");
    }
    return "--against-snapshot=" + String.join(",", names);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(proofs)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void seriesWithoutAWriteInAnyTableAreProven() throws Exception {
    make();
    refusals();
    JobRun dry = prove(now, against("1h", "1d"), "--dry-run");
    assertThat(dry.exitCode()).as(dry::everything).isEqualTo(ExitCode.DONE);
    assertThat(dry.out()).containsPattern("series read +8").contains("nothing was written");
    assertThat(directory.resolve("report.json")).doesNotExist();
    assertThat(files()).isEmpty();

    JobRun run = prove(now, against("1d", "1h"), "--match=app.*");
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode entry = run.reportJson().at("/entries/0");
    assertThat(entry.get("series").toString())
        .isEqualTo("{\"read\":8,\"idle\":4,\"live\":3,\"left\":0,\"kept\":{\"histograms\":1}}");
    assertThat(entry.get("before").textValue()).isEqualTo(Instant.ofEpochSecond(before).toString());
    ProofStore store = new ProofStore(proofs.toString(), hbase.clientConfiguration());
    assertThat(store.idleNames(METRICS)).hasSize(3);
    String metric = HexFormat.of().formatHex(rows.get(IDLE), 1, 4);
    Map<String, Proof> all = new TreeMap<>();
    for (String name : store.idleNames(METRICS)) {
      Proof proof = store.read(name);
      all.put(proof.table(), proof);
      IdleSeries series = store.series(proof);
      for (int i = 0; i <= SERIES; i++) {
        byte[] row = at(i, OLD + DAY);
        assertThat(series.contains(row, 0, row.length, keys))
            .as("%s", i)
            .isEqualTo(List.of(IDLE, ROLLUPS_ALONE, RAW_ALONE, STAMP_BEFORE).contains(i));
      }
    }
    assertThat(all.keySet()).containsExactly("1d", "1h", "raw");
    // Two points of three series, a third of one; the annotation alone stays.
    assertThat(all.get("raw").metrics()).isEqualTo(Map.of(metric, new Proof.Rows(3, 1, 7)));
    assertThat(all.get("raw").kept()).isEqualTo(Map.of("annotations", 1L));
    assertThat(all.get("1h").metrics()).isEqualTo(Map.of(metric, new Proof.Rows(2, 0, 8)));
    assertThat(all.get("1d").metrics()).isEqualTo(Map.of(metric, new Proof.Rows(2, 0, 8)));
    assertThat(all.get("1d").kept()).isEmpty();
    Proof raw = all.get("raw");
    assertThat(raw.from()).isEqualTo(Instant.EPOCH);
    assertThat(raw.to()).isEqualTo(Instant.ofEpochSecond(before));
    assertThat(raw.policy().keepDays()).isEqualTo(Map.of("idle", idleDays));
    assertThat(raw.rollups().keySet()).containsExactlyInAnyOrder("1h", "1d");
    assertThat(all.get("1h").rollups().keySet()).containsExactlyInAnyOrder("raw", "1d");
    assertThat(all.get("1h").rollups()).containsEntry("raw", raw.data());
    assertThat(all.values()).extracting(Proof::series).containsOnly(raw.series());
    assertThat(all.values()).extracting(Proof::provenAt).containsOnly(raw.provenAt());

    whatIsProvenGoes();

    // Days after the snapshots prove nothing. By two days less of the policy the time is after what
    // was late; the new proofs replace the former.
    policy(idleDays - 2);
    JobRun later = prove(now.plus(Duration.ofDays(2)), against("1h", "1d"));
    assertThat(later.exitCode()).as(later::everything).isEqualTo(ExitCode.DONE);
    assertThat(later.reportJson().at("/entries/0/series/idle").intValue()).isEqualTo(6);
    assertThat(files())
        .hasSize(4)
        .allMatch(
            name ->
                name.contains(Instant.ofEpochSecond(before + 2 * DAY).toString().substring(0, 10)));
    // Nothing is idle for so long; no proof is left.
    policy(3 * 365);
    JobRun none = prove(now, against("1h", "1d"));
    assertThat(none.exitCode()).as(none::everything).isEqualTo(ExitCode.DONE);
    assertThat(none.reportJson().at("/entries/0/series/live").intValue()).isEqualTo(8);
    assertThat(files()).isEmpty();
  }

  /** From all tables, by the command; annotations stay. */
  private void whatIsProvenGoes() throws IOException {
    Map<String, List<RawCell>> left = new TreeMap<>();
    for (String table : List.of("data", "rollup-1h", "rollup-1d")) {
      List<RawCell> cells = new ArrayList<>(hbase.cells(NAME + "-" + table));
      int all = cells.size();
      cells.removeIf(
          cell ->
              !Arrays.equals(cell.qualifier(), hex("010005"))
                  && Stream.of(IDLE, ROLLUPS_ALONE, RAW_ALONE, STAMP_BEFORE)
                      .anyMatch(
                          series ->
                              Arrays.equals(
                                  keys.tsuid(rows.get(series), 0, rows.get(series).length),
                                  keys.tsuid(cell.row(), 0, cell.row().length))));
      assertThat(cells).hasSizeBetween(1, all - 1);
      left.put(table, cells);
    }
    JobRun applied =
        new JobRun(directory)
            .now(now)
            .with(
                "tiers",
                "apply",
                "--idle",
                "--match=app.*",
                "--policy=" + directory.resolve("tiers.json"),
                "--proofs=" + proofs,
                "--snapshot-root=" + hbase.rootDir(),
                "--hfile-dir=" + directory.resolve("markers").toUri(),
                "--tsd-config=" + tsdConfig)
            .run();
    assertThat(applied.exitCode()).as(applied::everything).isEqualTo(ExitCode.DONE);
    for (Map.Entry<String, List<RawCell>> table : left.entrySet()) {
      assertThat(hbase.cells(NAME + "-" + table.getKey())).isEqualTo(table.getValue());
    }
  }

  private void refusals() throws IOException {
    JobRun missing = prove(now, against("1h"));
    assertThat(missing.exitCode()).as(missing::everything).isEqualTo(ExitCode.USAGE);
    assertThat(missing.err()).contains("must have a snapshot of table " + NAME + "-rollup-1d");
    JobRun options =
        prove(
            now,
            against("1h", "1d"),
            "--day=2025-11-18",
            "--table=raw",
            "--max-days=1",
            "--coverage-table=c",
            "--match=*");
    assertThat(options.exitCode()).as(options::everything).isEqualTo(ExitCode.USAGE);
    assertThat(options.err())
        .contains(
            "--day must not be given with --idle, found: 2025-11-18",
            "--table must not be given with --idle, found: raw",
            "--max-days must not be given with --idle, found: 1",
            "--coverage-table must not be given with --idle, found: c",
            "--match must be that of an entry with idle (app.*), found: *");
    // The snapshots are as old as a proof may be.
    JobRun old = prove(now.plus(Duration.ofDays(8)), against("1h", "1d"));
    assertThat(old.exitCode()).as(old::everything).isEqualTo(ExitCode.USAGE);
    for (String table : List.of("data", "uid", "rollup-1h", "rollup-1d")) {
      assertThat(old.err())
          .contains(
              "of table %s-%s must not be older than 7 days, as its proof".formatted(NAME, table));
    }
  }
}
