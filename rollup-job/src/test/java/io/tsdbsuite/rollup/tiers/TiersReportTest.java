package io.tsdbsuite.rollup.tiers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.tiers.TiersPlan.Amount;
import io.tsdbsuite.rollup.tiers.TiersPlan.Proofs;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.tiers.proof.ProofStore;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;

/** Plans of bytes that are known, and their reports, byte by byte. */
class TiersReportTest {
  private static final Instant NOW = Instant.parse("2026-11-27T05:00:00Z");
  private static final RollupConfig ROLLUPS =
      RollupConfig.parse(
          ("{'aggregationIds':{'sum':0,'count':2,'min':3,'max':4},'intervals':["
               + "{'table':'tsdb','preAggregationTable':'tsdb','interval':'1s','rowSpan':'1h',"
               + "'defaultInterval':true},"
               + "{'table':'r-1h','preAggregationTable':'r-1h','interval':'1h','rowSpan':'1d'},"
               + "{'table':'r-6h','preAggregationTable':'r-6h','interval':'6h','rowSpan':'1n'},"
               + "{'table':'r-1d','preAggregationTable':'r-1d','interval':'1d','rowSpan':'1y'}]}")
              .replace('\'', '"'));
  private static final List<String> NAMES = List.of("app.a", "app.<b>", "web");
  private static final UidNames UIDS =
      (kind, uid, out) -> {
        if (kind != UidKind.METRIC || uid >= NAMES.size()) {
          return false;
        }
        out.set(NAMES.get((int) uid).getBytes(UTF_8));
        return true;
      };

  private static Tier tier(@Nullable String interval) throws IOException {
    return new Tier(
        interval == null ? null : ROLLUPS.interval(interval),
        new Snapshot(
            interval == null ? "tsdb-20261127" : "r-" + interval + "-20261127",
            interval == null ? "tsdb" : "r-" + interval,
            NOW.toEpochMilli() - 3_600_000,
            true,
            new Configuration(false),
            FileSystem.getLocal(new Configuration()),
            ColumnFamilyDescriptorBuilder.of("t"),
            Collections.nCopies(
                interval == null ? 3 : 1,
                new SnapshotRegion("r", new byte[0], new byte[0], List.of()))),
        interval == null
            ? Map.of("hbase.hregion.majorcompaction", "0", "NORMALIZATION_ENABLED", "true")
            : Map.of());
  }

  private static int day(String date) {
    return (int) LocalDate.parse(date).toEpochDay();
  }

  private static void add(TableBytes table, long metric, String date, long bytes) {
    table.stored.add(metric, day(date), StoredBytes.BYTES, bytes);
    table.blocks += bytes;
  }

  private static TiersOptions options(Policy policy, @Nullable Double price, int top) {
    return new TiersOptions(
        policy,
        "s3a://backup/hbase",
        "tsdb-20261127",
        "tsdb-uid-20261127",
        List.of("r-1h-20261127"),
        StorageSchema.defaults(),
        ROLLUPS,
        HistogramCodecs.NONE,
        false,
        price,
        top);
  }

  private static TiersPlan plan(@Nullable Double price, int top) throws IOException {
    List<String> problems = new ArrayList<>();
    Policy policy =
        PolicyReader.read(
            "[{\"match\":\"app.*\",\"raw\":\"4w\",\"1h\":\"13M\",\"idle\":\"1y\"}]".getBytes(UTF_8),
            ROLLUPS,
            problems);
    assertThat(problems).isEmpty();
    TableBytes raw = new TableBytes();
    raw.hfiles = 3;
    add(raw, 0, "2026-10-29", 1_000_000);
    add(raw, 0, "2026-10-30", 2_000_000);
    add(raw, 0, "2026-11-26", 3_000_000);
    add(raw, 1, "2026-10-29", 400_000);
    add(raw, 2, "2020-01-01", 50_000_000);
    raw.stored.add(0, day("2026-10-29"), StoredBytes.MAYBE_LESS, 65_000);
    raw.stored.add(0, day("2026-10-30"), StoredBytes.MAYBE_MORE, 65_000);
    raw.straddling = 65_000;
    raw.uncertain = 65_000;
    raw.unknown = 70_000;
    raw.outside = 80_000;
    raw.blocks += raw.unknown + raw.outside;
    raw.hfileBytes = raw.blocks + 90_000;
    addRegion(raw, 1, 3_400_000, 400_000);
    addRegion(raw, 2, 1_000_000, 1_000_000);
    addRegion(raw, 3, 52_150_000, 0);
    TableBytes hours = new TableBytes();
    hours.hfiles = 1;
    add(hours, 0, "2025-11-02", 30_000);
    add(hours, 0, "2025-11-01", 20_000);
    hours.hfileBytes = hours.blocks + 1_000;
    Map<Tier, TableBytes> bytes = new LinkedHashMap<>();
    bytes.put(tier(null), raw);
    bytes.put(tier("1h"), hours);
    TierMetrics metrics = new TierMetrics(UIDS, policy, NOW.getEpochSecond());
    return TiersPlan.of(options(policy, price, top), NOW, metrics, bytes, List.of("a warning"));
  }

  private static void addRegion(TableBytes table, int first, long bytes, long goes) {
    Amount region = table.region(ByteBuffer.wrap(new byte[] {(byte) first}));
    region.bytes = bytes;
    region.goes = goes;
  }

  private static TiersPlan withProofs(TiersPlan plan) {
    Proofs proofs = new Proofs();
    proofs.proven().addAll(List.of(day("2026-10-27"), day("2026-10-28"), day("2026-10-25")));
    proofs.missing().add(day("2026-10-29"));
    Proofs hours = new Proofs();
    hours.tooOld().add(day("2025-11-01"));
    return plan.with(List.of(Map.of("raw", proofs, "1h", hours)));
  }

  @Test
  void allMetrics() throws IOException {
    compare(withProofs(plan(25.0, 20)), "tiers-plan");
  }

  /** Days with bytes before the first that is kept, and those that a block may hide. */
  @Test
  void theDaysOfRawDataThatGo() throws IOException {
    TiersPlan plan = plan(null, 1);
    assertThat(plan.before().get(0)).containsEntry("raw", Tier.DAY * day("2026-10-30"));
    assertThat(plan.days("raw", 0, List.of())).containsExactly(day("2026-10-29"));
    plan.tables().get(0).bytes().stored.add(0, day("2026-09-20"), StoredBytes.BYTES, 1);
    plan.tables().get(0).bytes().stored.add(0, day("2026-09-28"), StoredBytes.MAYBE_MORE, 1);
    plan.tables().get(0).bytes().stored.add(1, day("2026-10-27"), StoredBytes.BYTES, 1);
    assertThat(plan.days("raw", 0, List.of()))
        .hasSize(40)
        .contains(day("2026-09-20"), day("2026-09-27"), day("2026-10-28"))
        .doesNotContain(day("2026-10-30"));
    plan.tables().get(0).bytes().stored.add(0, day("2026-08-19"), StoredBytes.BYTES, 1);
    // A day more than a block is taken to hide.
    assertThat(plan.days("raw", 0, List.of())).hasSize(41).contains(day("2026-08-19"));
    // Of one metric all is gone, of the other nothing.
    assertThat(plan.days("raw", 0, List.of(floor("2026-10-28", "app.a")))).hasSize(41);
    // A day after the floor may be in a block that begins before it.
    assertThat(plan.days("raw", 0, List.of(floor("2026-10-28", "app.*"))))
        .containsExactly(day("2026-10-28"), day("2026-10-29"));
    assertThat(plan.days("raw", 0, List.of(floor("2026-10-30", "*")))).isEmpty();
  }

  /** Months of 6h and years of 1d: only spans that are past as a whole. */
  @Test
  void theRowsOfRollupTablesThatGo() throws IOException {
    List<String> problems = new ArrayList<>();
    Policy policy =
        PolicyReader.read(
            "[{\"match\":\"app.*\",\"raw\":\"4w\",\"6h\":\"3M\",\"1d\":\"1y\"}]".getBytes(UTF_8),
            ROLLUPS,
            problems);
    assertThat(problems).isEmpty();
    Map<Tier, TableBytes> bytes = new LinkedHashMap<>();
    bytes.put(tier(null), new TableBytes());
    TableBytes quarters = new TableBytes();
    add(quarters, 0, "2026-03-01", 1);
    add(quarters, 0, "2026-11-01", 1);
    quarters.stored.add(0, day("2026-06-01"), StoredBytes.MAYBE_MORE, 1);
    bytes.put(tier("6h"), quarters);
    TableBytes days = new TableBytes();
    add(days, 0, "2024-01-01", 1);
    add(days, 0, "2025-01-01", 1);
    bytes.put(tier("1d"), days);
    TierMetrics metrics = new TierMetrics(UIDS, policy, NOW.getEpochSecond());
    TiersPlan plan = TiersPlan.of(options(policy, null, 1), NOW, metrics, bytes, List.of());
    assertThat(plan.days("raw", 0, List.of())).isEmpty();
    // July may be hidden; August is past, but is not 90 days old.
    assertThat(plan.days("6h", 0, List.of()))
        .containsExactly(
            day("2026-03-01"),
            day("2026-04-01"),
            day("2026-05-01"),
            day("2026-06-01"),
            day("2026-07-01"));
    assertThat(plan.days("6h", 0, List.of(floor("2026-06-01", "*")))).hasSize(5);
    assertThat(plan.days("6h", 0, List.of(floor("6h", "2026-06-01", "*"))))
        .containsExactly(day("2026-06-01"), day("2026-07-01"));
    assertThat(plan.days("1d", 0, List.of())).containsExactly(day("2024-01-01"));
    assertThat(plan.firstDay("6h", day("2026-07-20"))).isEqualTo(day("2026-07-01"));
    assertThat(plan.endDay("6h", day("2026-07-01"))).isEqualTo(day("2026-08-01"));
    assertThat(plan.firstDay("raw", day("2026-07-20"))).isEqualTo(day("2026-07-20"));
  }

  private static CoverageFloor floor(String before, String metrics) {
    return floor("raw", before, metrics);
  }

  private static CoverageFloor floor(String level, String before, String metrics) {
    return new CoverageFloor(level, "w", Tier.DAY * day(before), metrics, "a proof", 1);
  }

  /** A proof counts as long as its snapshot may be applied: for 7 days. */
  @Test
  void theDaysThatAreProven(@TempDir Path directory) throws IOException {
    ProofStore store = new ProofStore(directory.toString(), new Configuration(false));
    requireProofs(store, "raw", Map.of("2026-10-29", "missing"));
    requireProofs(store, "1h", Map.of("2025-11-01", "missing"));
    store.write(proof("raw", "2026-10-29", 28, NOW.minus(Duration.ofDays(7))));
    requireProofs(store, "raw", Map.of("2026-10-29", "proven"));
    requireProofs(store, "1h", Map.of("2025-11-01", "missing"));
    store.write(proof("1h", "2025-11-01", 28, NOW));
    requireProofs(store, "1h", Map.of("2025-11-01", "proven"));
    // Of another policy: apply refuses it.
    store.write(proof("1h", "2025-11-01", 30, NOW));
    requireProofs(store, "1h", Map.of("2025-11-01", "missing"));
    Proof old = proof("raw", "2026-10-29", 28, NOW.minus(Duration.ofDays(7)).minusMillis(1));
    store.write(old);
    requireProofs(store, "raw", Map.of("2026-10-29", "tooOld"));
    TiersPlan plan = plan(null, 1);
    Files.writeString(directory.resolve(old.fileName()), "{}");
    assertThatThrownBy(() -> store.look(plan))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("must have the format (proof) 1 to 4, found none");
  }

  private static void requireProofs(ProofStore store, String table, Map<String, String> days)
      throws IOException {
    Proofs proofs = store.look(plan(null, 1)).proofs().get(0).get(table);
    Map<String, String> found = new HashMap<>();
    proofs.proven().forEach(day -> found.put(TiersReport.date(day), "proven"));
    proofs.tooOld().forEach(day -> found.put(TiersReport.date(day), "tooOld"));
    proofs.missing().forEach(day -> found.put(TiersReport.date(day), "missing"));
    assertThat(found).isEqualTo(days);
  }

  private static Proof proof(String table, String day, int keepRaw, Instant taken) {
    Instant from = Instant.parse(day + "T00:00:00Z");
    return new Proof(
        Proof.FORMAT,
        "test",
        new Proof.Selection(
            1, "app.*", List.of("app.*"), new TreeMap<>(Map.of("raw", keepRaw, "1h", 390)), "0"),
        "",
        new TreeMap<>(),
        new TreeMap<>(),
        "",
        false,
        table,
        from,
        from.plus(Duration.ofDays(1)),
        new TreeMap<>(),
        new TreeMap<>(),
        new Proof.Source("tsdb", "tsdb-20261127", taken, "0"),
        Map.of(),
        new Proof.Verified("0", 1, 1),
        Proof.Series.NONE,
        NOW);
  }

  @Test
  void theLargestMetricAlone() throws IOException {
    compare(plan(null, 1), "tiers-plan-top");
  }

  private static void compare(TiersPlan plan, String name) throws IOException {
    Path files = Path.of("src/test/resources/reports");
    assertThat(plan.booksClose()).isTrue();
    Report found = new TiersReport(plan).report();
    assertThat(found.jsonText()).isEqualTo(Files.readString(files.resolve(name + ".json")));
    assertThat(found.table().toString()).isEqualTo(Files.readString(files.resolve(name + ".txt")));
  }

  /** A page without a script is XML. */
  @Test
  void thePageHasPlotsOfAllTables() throws Exception {
    String page = new TiersPage(withProofs(plan(25.0, 20))).html();
    String xml = page.substring(page.indexOf("<html"));
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getElementsByTagName("svg")
                .getLength())
        .isEqualTo(5);
    assertThat(page)
        .contains("app.&lt;b&gt;", "Table raw", "Table 1h", "2026-10-29: 1,400,000 bytes")
        .contains("saved a month", "exact to 4.58 %")
        .contains(
            "2026-10-25, 2026-10-27 to 2026-10-28",
            "2025-11-01",
            "NORMALIZATION_ENABLED",
            "not set here");
    assertThat(new TiersPage(plan(25.0, 20)).html()).doesNotContain("Proofs");
  }

  /** The first day in the rows that hold it, and the time at which these rows have ended. */
  @ParameterizedTest
  @CsvSource({
    ",2026-11-05,2026-11-06",
    "1h,2026-11-05,2026-11-06",
    "6h,2026-11-01,2026-12-01",
    "6h,2028-02-01,2028-03-01",
    "1d,2026-01-01,2027-01-01",
    "1d,2028-01-01,2029-01-01"
  })
  void aDayIsPastWhenItsRowsAre(@Nullable String interval, String day, String end)
      throws IOException {
    assertThat(tier(interval).dayEnd(day(day))).isEqualTo(day(end) * Tier.DAY);
  }

  @ParameterizedTest
  @CsvSource({
    ",2026-11-05T01:00:00Z,2026-11-05T01:00:00Z",
    ",2026-11-05T01:00:01Z,2026-11-05T02:00:00Z",
    "1h,2026-11-05T01:00:00Z,2026-11-06T00:00:00Z",
    "6h,2026-11-05T00:00:00Z,2026-12-01T00:00:00Z",
    "1d,2028-01-01T00:00:01Z,2029-01-01T00:00:00Z"
  })
  void theNextRowBegins(@Nullable String interval, Instant time, Instant row) throws IOException {
    assertThat(tier(interval).rowFrom(time.getEpochSecond())).isEqualTo(row.getEpochSecond());
  }
}
