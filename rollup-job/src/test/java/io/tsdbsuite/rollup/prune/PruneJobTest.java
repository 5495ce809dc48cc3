package io.tsdbsuite.rollup.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is deleted and what stays, over roots with empty HFiles. */
class PruneJobTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant YOUNG = NOW.minus(Duration.ofDays(6));

  private static final String UNFINISHED =
      "done, every night that the rule keeps is whole; of the others that stay these are not"
          + " whole: 2026-11-04 (not whole yet)";

  @TempDir Path directory;
  private TestRoot root;

  @BeforeEach
  void root() {
    root = new TestRoot(directory.resolve("backup"));
  }

  private PruneOptions options(boolean delete, int days, int weeks, int months) {
    return options(delete, new KeepRule(days, weeks, months), TestRoot.DATA, TestRoot.UID);
  }

  private PruneOptions options(boolean delete, KeepRule rule, String... tables) {
    return new PruneOptions(
        root.uri(),
        Stream.of(tables).map(TableName::valueOf).toList(),
        SnapshotPattern.parse("{table}-{date}"),
        rule,
        Duration.ofDays(7),
        delete);
  }

  private static PruneReport run(PruneOptions options) {
    return run(options, new Configuration());
  }

  private static PruneReport run(PruneOptions options, Configuration conf) {
    PruneReport report = new PruneJob(conf, options, Clock.fixed(NOW, ZoneOffset.UTC)).run();
    if (report.books() != null) {
      assertThat(report.booksClose()).as(report.text()).isTrue();
    }
    return report;
  }

  private PruneReport delete(int days) {
    PruneReport report = run(options(true, days, 0, 0));
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
    return report;
  }

  private PruneReport refused(PruneOptions options, ExitCode code) throws IOException {
    SortedSet<String> before = root.tree();
    PruneReport report = run(options);
    assertThat(report.exitCode()).as(report.message()).isEqualTo(code);
    assertThat(report.message()).endsWith("Nothing was deleted.");
    assertThat(root.tree()).isEqualTo(before);
    return report;
  }

  /** The tree of a root that never had other nights. */
  private SortedSet<String> onlyNights(int first, int count) throws IOException {
    TestRoot other = new TestRoot(directory.resolve("expected"));
    for (int i = first; i < first + count; i++) {
      other.night("2026-11-%02d".formatted(i + 1), "a%03d".formatted(i), "a%03d".formatted(i + 1));
    }
    return other.tree();
  }

  @Test
  void aPlanDeletesNothing() throws IOException {
    root.nights("2026-11-01", 10);
    SortedSet<String> before = root.tree();
    PruneReport report = run(options(false, 3, 0, 0));
    assertThat(report.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(root.tree()).isEqualTo(before);
    assertThat(report.text())
        .contains("2026-11-10     kept: day")
        .contains("2026-11-07     to delete: no rule keeps it")
        .contains("HFiles found   12 files, 120 bytes")
        .contains("  to delete    7 files, 70 bytes")
        .contains("planned, nothing was deleted (--delete deletes)");
  }

  @Test
  void oldNightsAndTheirHFiles() throws IOException {
    root.nights("2026-11-01", 10);
    PruneReport report = delete(3);
    assertThat(root.tree()).isEqualTo(onlyNights(7, 3));
    assertThat(report.books().deleted()).isEqualTo(new Amount(7, 70));
    assertThat(report.books().kept()).isEqualTo(new Amount(5, 50));
    assertThat(delete(3).books().deleted()).isEqualTo(Amount.NONE);
  }

  @Test
  void everyRemainingManifestProtects() throws IOException {
    root.nights("2026-11-01", 5);
    // Another table, another name, a broken-off export, an export that runs.
    root.snapshot("other-20260101", "other", "tsdb=" + TestRoot.region("tsdb") + "-a000");
    root.snapshot("tsdb-before-upgrade", "tsdb", "a001");
    root.manifest(".hbase-snapshot/.tmp/tsdb-20261030", "tsdb-20261030", "tsdb", "a002");
    root.manifest(".hbase-snapshot/.tmp/tsdb-20261031", "tsdb-20261031", "tsdb", "a003");
    root.touch(".hbase-snapshot/.tmp/tsdb-20261031", NOW);
    PruneReport report = delete(1);
    assertThat(report.books().deleted()).isEqualTo(Amount.NONE);
    assertThat(report.nights()).filteredOn(night -> night.state().equals("deleted")).hasSize(4);
    assertThat(root.tree())
        .contains(
            ".hbase-snapshot/tsdb-before-upgrade/data.manifest",
            ".hbase-snapshot/.tmp/tsdb-20261030/data.manifest",
            ".hbase-snapshot/other-20260101/.snapshotinfo",
            TestRoot.hfile("tsdb", "a003"))
        .doesNotContain(".hbase-snapshot/tsdb-20261104/data.manifest");
    assertThat(report.warnings())
        .anyMatch(text -> text.startsWith(".hbase-snapshot/.tmp/tsdb-20261031: an export runs"));
  }

  @Test
  void linksAndReferencesNameFilesOfOtherRegions() throws IOException {
    String parent = "0123456789abcdef0123456789abcdef";
    String link = "ns=origin=" + TestRoot.region("ns:origin") + "-b001";
    root.night("2026-11-01", "a001." + parent, link, link.replace("b001", "b002") + "." + parent);
    root.night("2026-11-02", "a002." + parent, link);
    assertThat(root.tree())
        .contains("archive/data/default/tsdb/" + parent + "/t/a001")
        .contains("archive/data/ns/origin/" + TestRoot.region("ns:origin") + "/t/b002");
    delete(1);
    root.requireWhole("tsdb-20261102");
    assertThat(root.tree())
        .contains(TestRoot.hfile("tsdb", "a002." + parent), TestRoot.hfile("tsdb", link))
        .doesNotContain(
            "archive/data/default/tsdb/" + parent + "/t/a001",
            "archive/data/ns/origin/" + TestRoot.region("ns:origin") + "/t/b002");
  }

  @Test
  void nothingYoungIsDeleted() throws IOException {
    root.nights("2026-11-01", 5);
    root.write(TestRoot.hfile("tsdb", "b001"), "young");
    root.touch(TestRoot.hfile("tsdb", "b001"), YOUNG);
    root.write(TestRoot.hfile("tsdb", "b002"), "old");
    root.touch(".hbase-snapshot/tsdb-20261102", YOUNG);
    PruneReport report = delete(2);
    assertThat(report.books().young()).isEqualTo(new Amount(1, 5));
    assertThat(report.nights().get(3).reason()).isEqualTo("younger than the grace time");
    root.requireWhole("tsdb-20261102");
    root.requireWhole("tsdb-uid-20261102");
    assertThat(root.tree())
        .contains(TestRoot.hfile("tsdb", "b001"), "_EXPORTED/2026-11-02.json")
        .doesNotContain(TestRoot.hfile("tsdb", "b002"), TestRoot.hfile("tsdb", "a000"));
  }

  @Test
  void unknownFilesAreNamedAndStay() throws IOException {
    root.nights("2026-11-01", 3);
    List<String> unknown =
        List.of(
            "README",
            "_EXPORTED/note.txt",
            "archive/other/file",
            "archive/data/default/tsdb/" + TestRoot.region("tsdb") + "/t/part-0001.parquet",
            "archive/data/default/tsdb/" + TestRoot.region("tsdb") + "/t/aaaa.bak",
            "archive/data/default/tsdb/" + TestRoot.region("tsdb") + "/t/20261101.csv",
            "archive/data/default/tsdb/" + TestRoot.region("tsdb") + "/t/feed.json",
            "archive/data/default/tsdb/" + TestRoot.region("tsdb") + "/t/cafe.tsdb=00ab-cc01",
            "archive/data/default/tsdb/Region/t/aaaa",
            ".hbase-snapshot/.hidden/file",
            ".hbase-snapshot/tsdb-20261101/notes");
    for (String file : unknown) {
      root.write(file, "x");
    }
    PruneReport report = delete(1);
    assertThat(root.tree()).containsAll(unknown);
    assertThat(report.unknown()).isEqualTo(unknown.size());
    assertThat(report.unknownSamples())
        .contains("README", "_EXPORTED/note.txt", "archive/other/", ".hbase-snapshot/.hidden/")
        .contains("archive/data/default/tsdb/Region/", ".hbase-snapshot/tsdb-20261101/notes");
  }

  @Test
  void markersOfOtherSnapshotsStay() throws IOException {
    root.nights("2026-11-01", 3);
    root.write("_EXPORTED/2026-11-01.json", "{\"v\":1,\"dataSnapshot\":\"other-20261101\"}");
    root.write("_EXPORTED/2026-11-02.json", "{broken");
    PruneReport report = delete(1);
    assertThat(root.tree()).contains("_EXPORTED/2026-11-01.json", "_EXPORTED/2026-11-02.json");
    assertThat(report.unknownSamples()).containsExactly("_EXPORTED/2026-11-02.json");
  }

  /** JSON, or nothing, that names no snapshot. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "[]", "{}", "null", "3", "{\"dataSnapshot\":[]}"})
  void aMarkerWithoutNamesIsUnknownAndStays(String content) throws IOException {
    root.nights("2026-11-01", 3);
    root.write("_EXPORTED/2026-11-01.json", content);
    PruneReport report = delete(1);
    assertThat(root.tree())
        .contains("_EXPORTED/2026-11-01.json")
        .doesNotContain("_EXPORTED/2026-11-02.json");
    assertThat(report.unknown()).isEqualTo(1);
    assertThat(report.unknownSamples()).containsExactly("_EXPORTED/2026-11-01.json");
  }

  /** On the first night with the new table only that night is complete. */
  @ParameterizedTest
  @ValueSource(strings = {"3 0 0", "14 0 12", "0 0 12", "1 2 0"})
  void aNewTableDeletesNoNightThatTheRuleWants(String keep) throws IOException {
    int[] parts = Stream.of(keep.split(" ")).mapToInt(Integer::parseInt).toArray();
    KeepRule rule = new KeepRule(parts[0], parts[1], parts[2]);
    // The months before the last one have one night each, as the rule left them.
    for (int month = 1; month < 10; month++) {
      root.night("2026-%02d-28".formatted(month), "b00" + month);
    }
    root.nights("2026-10-05", 10);
    root.snapshot("tsdb-meta-20261014", "tsdb-meta", "eeee");
    PruneOptions two = options(false, rule, TestRoot.DATA, TestRoot.UID);
    PruneReport before = run(two);
    PruneReport report = run(options(true, rule, TestRoot.DATA, TestRoot.UID, "tsdb-meta"));
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
    assertThat(states(report, "kept")).containsAll(states(before, "kept"));
    for (LocalDate night : states(before, "kept")) {
      root.requireWhole(TestRoot.name("tsdb", night.toString()));
      root.requireWhole(TestRoot.name("tsdb-uid", night.toString()));
    }
    assertThat(report.warnings())
        .anyMatch(
            text ->
                text.startsWith("table tsdb-meta has no finished snapshot of ")
                    && text.endsWith(": 1 of 19 nights are complete"));
  }

  private static List<LocalDate> states(PruneReport report, String state) {
    return report.nights().stream()
        .filter(night -> night.state().equals(state))
        .map(PruneReport.NightResult::date)
        .toList();
  }

  @Test
  void aNewTableOnTheLastOfTenNightsDeletesNothing() throws IOException {
    root.nights("2026-11-01", 10);
    root.snapshot("tsdb-meta-20261110", "tsdb-meta", "eeee");
    SortedSet<String> before = root.tree();
    PruneReport report =
        run(options(true, new KeepRule(3, 0, 0), TestRoot.DATA, TestRoot.UID, "tsdb-meta"));
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
    assertThat(root.tree()).isEqualTo(before);
    assertThat(report.warnings())
        .containsExactly(
            "table tsdb-meta has no finished snapshot of 9 nights (2026-11-01 to 2026-11-09),"
                + " which stay until newer nights fill the rule: 1 of 10 nights are complete");
    // Three complete nights fill the rule.
    root.snapshot("tsdb-meta-20261109", "tsdb-meta", "eeee");
    root.snapshot("tsdb-meta-20261108", "tsdb-meta", "eeee");
    run(options(true, new KeepRule(3, 0, 0), TestRoot.DATA, TestRoot.UID, "tsdb-meta"));
    assertThat(root.tree()).doesNotContain(".hbase-snapshot/tsdb-20261107/data.manifest");
  }

  /** ExportSnapshot --overwrite deletes the old snapshot first and works in .tmp for hours. */
  @ParameterizedTest
  @ValueSource(strings = {"manifest", "empty"})
  void theOtherHalfOfANightThatIsExportedAgainStays(String state) throws IOException {
    root.nights("2026-11-01", 5);
    root.delete(".hbase-snapshot/tsdb-20261102");
    String running = ".hbase-snapshot/.tmp/tsdb-20261102";
    if (state.equals("manifest")) {
      root.manifest(running, "tsdb-20261102", "tsdb", "a001", "a002");
      root.touch(running, NOW);
    } else {
      Files.createDirectories(root.resolve(running));
    }
    PruneReport report = delete(2);
    root.requireWhole("tsdb-uid-20261102");
    assertThat(root.tree()).contains("_EXPORTED/2026-11-02.json");
    assertThat(report.nights().get(3).reason()).isEqualTo("being exported (" + running + ")");
    assertThat(states(report, "deleted"))
        .containsExactly(LocalDate.parse("2026-11-03"), LocalDate.parse("2026-11-01"));
  }

  /** The look before the batch does not see it: each night is compared again. */
  @ParameterizedTest
  @ValueSource(strings = {"renamed", "running", "deleted"})
  void aNightOfTheBatchThatIsExportedAgainStays(String state) throws IOException {
    root.nights("2026-11-01", 5);
    String name = ".hbase-snapshot/tsdb-20261103";
    List<String> deleted = new ArrayList<>();
    Configuration conf =
        HookedFileSystem.with(
            path -> {
              deleted.add(path.getName());
              if (deleted.size() > 1) {
                return;
              }
              root.delete(name);
              if (state.equals("renamed")) {
                root.snapshot("tsdb-20261103", "tsdb", "a002", "a003");
                root.touch(name, NOW);
              } else if (state.equals("running")) {
                root.manifest(".hbase-snapshot/.tmp/tsdb-20261103", "x", "tsdb", "a002", "a003");
              }
            });
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
    assertThat(deleted).first().isEqualTo("2026-11-01.json");
    root.requireWhole("tsdb-uid-20261103");
    assertThat(root.tree()).contains("_EXPORTED/2026-11-03.json");
    if (state.equals("renamed")) {
      root.requireWhole("tsdb-20261103");
    } else if (state.equals("running")) {
      assertThat(root.tree()).contains(TestRoot.hfile("tsdb", "a002"));
    }
    assertThat(report.nights().get(2).reason()).isEqualTo("exported again meanwhile");
    assertThat(states(report, "deleted")).hasSize(3);
  }

  @Test
  void nightsInTheFutureDoNotCountAndStay() throws IOException {
    root.nights("2026-11-01", 5);
    // The present is 21 November, in other time zones the 22nd.
    root.night("2026-11-22", "a006");
    root.night("2026-11-23", "a007");
    root.night("2062-11-21", "a008");
    PruneReport report = delete(2);
    assertThat(report.nights())
        .extracting(PruneReport.NightResult::reason)
        .startsWith("in the future", "in the future", "day", "day", "no rule keeps it");
    assertThat(report.warnings())
        .containsExactly(
            "night 2062-11-21 is later than 2026-11-22, tomorrow in UTC: it does not count, and"
                + " stays",
            "night 2026-11-23 is later than 2026-11-22, tomorrow in UTC: it does not count, and"
                + " stays");
    root.requireWhole("tsdb-20621121");
    root.requireWhole("tsdb-20261105");
  }

  /** Also what a killed run leaves. */
  @Test
  void halvesOfNights() throws IOException {
    root.nights("2026-11-01", 6);
    root.delete(".hbase-snapshot/tsdb-20261101");
    Files.delete(root.resolve(".hbase-snapshot/tsdb-20261102/.snapshotinfo"));
    root.delete(".hbase-snapshot/tsdb-uid-20261104");
    PruneReport report = delete(2);
    assertThat(report.nights())
        .extracting(night -> night.date().getDayOfMonth() + " " + night.reason())
        .containsExactly(
            "6 day", "5 day", "4 incomplete", "3 no rule keeps it", "2 incomplete", "1 incomplete");
    assertThat(report.nights()).filteredOn(n -> n.state().equals("kept")).hasSize(2);
    // In the range of --keep-days it does not count and stays.
    assertThat(delete(2).nights()).hasSize(2);
  }

  @Test
  void aHalfAmongTheKeptNightsStays() throws IOException {
    root.nights("2026-11-01", 6);
    root.delete(".hbase-snapshot/tsdb-uid-20261105");
    PruneReport report = delete(2);
    assertThat(report.nights())
        .extracting(night -> night.date().getDayOfMonth() + " " + night.state())
        .containsExactly("6 kept", "5 kept", "4 kept", "3 deleted", "2 deleted", "1 deleted");
    root.requireWhole("tsdb-20261105");
  }

  /** The newest of four nights, exported some hours ago, lacks an HFile. */
  private void newestIsNotWhole(int hours) throws IOException {
    root.nights("2026-11-01", 4);
    root.touch(".hbase-snapshot/tsdb-20261104", NOW.minus(Duration.ofHours(hours)));
    root.touch(".hbase-snapshot/tsdb-uid-20261104", NOW.minus(Duration.ofHours(hours)));
    Files.delete(root.resolve(TestRoot.hfile("tsdb", "a004")));
  }

  private void requireUnfinished() {
    assertThat(run(options(false, 1, 0, 0)).text())
        .contains("planned, nothing was deleted")
        .contains("of the nights that stay these are not whole: 2026-11-04 (not whole yet)");
    PruneReport report = delete(1);
    assertThat(report.nights())
        .extracting(PruneReport.NightResult::reason)
        .containsExactly("not whole yet", "day", "no rule keeps it", "no rule keeps it");
    assertThat(report.nights())
        .extracting(PruneReport.NightResult::notWhole)
        .containsExactly(true, false, false, false);
    assertThat(report.warnings()).anyMatch(text -> text.contains("'tsdb-20261104' is not whole"));
    assertThat(report.text()).contains(UNFINISHED).doesNotContain("every night to keep is whole");
    assertThat(delete(1).text()).contains(UNFINISHED);
  }

  private void requireBroken() throws IOException {
    assertThat(refused(options(true, 1, 0, 0), ExitCode.BAD_INPUT).message())
        .startsWith("night 2026-11-04 is to be kept, and snapshot 'tsdb-20261104' is not whole: 1")
        .contains("a004 is missing");
    refused(options(false, 1, 0, 0), ExitCode.BAD_INPUT);
  }

  /** An export with snapshot.export.skip.tmp writes the manifest first and the marker last. */
  @ParameterizedTest
  @ValueSource(
      strings = {"none", "", "{broken", "[]", "{\"v\":1,\"dataSnapshot\":\"other-20261104\"}"})
  void aNightWithoutItsMarkerMayBeBeingExported(String marker) throws IOException {
    newestIsNotWhole(23);
    root.delete("_EXPORTED/2026-11-04.json");
    if (!marker.equals("none")) {
      root.write("_EXPORTED/2026-11-04.json", marker);
    }
    requireUnfinished();
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 25, 6 * 24})
  void aNightWithoutItsMarkerIsBrokenAfterADay(int hours) throws IOException {
    newestIsNotWhole(hours);
    root.delete("_EXPORTED/2026-11-04.json");
    requireBroken();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 6 * 24})
  void aYoungNightWithItsMarkerIsBroken(int hours) throws IOException {
    newestIsNotWhole(hours);
    requireBroken();
  }

  /** The uid snapshot says nothing about the export of the other one. */
  @Test
  void aYoungHalfDoesNotExcuseTheOther() throws IOException {
    newestIsNotWhole(8);
    root.delete("_EXPORTED/2026-11-04.json");
    root.touch(".hbase-snapshot/tsdb-20261104", NOW.minus(Duration.ofHours(25)));
    requireBroken();
  }

  @Test
  void aFileOfAnotherSizeInTheNewestNightIsTold() throws IOException {
    root.nights("2026-11-14", 7);
    root.touch(".hbase-snapshot/tsdb-20261120", NOW.minus(Duration.ofHours(8)));
    root.write(TestRoot.hfile("tsdb", "a007"), "0");
    assertThat(refused(options(true, 1, 0, 0), ExitCode.BAD_INPUT).message())
        .contains("night 2026-11-20 is to be kept", "a007 has 1 bytes, the manifest states 10");
  }

  @Test
  void aNightThatIsInTmpTooIsBeingExported() throws IOException {
    newestIsNotWhole(48);
    String running = ".hbase-snapshot/.tmp/tsdb-20261104";
    root.manifest(running, "tsdb-20261104", "tsdb", "a004");
    root.touch(running, NOW.minus(Duration.ofDays(7)));
    requireBroken();
    root.touch(running, NOW.minus(Duration.ofDays(6)));
    requireUnfinished();
  }

  /** The HFiles were listed before they were there; the rename on HDFS keeps the files' times. */
  @Test
  void anExportThatEndsDuringThePlanIsNotBroken() throws IOException {
    root.nights("2026-11-01", 3);
    String running = ".hbase-snapshot/.tmp/tsdb-20261104";
    root.snapshot("tsdb-uid-20261104", "tsdb-uid", "ffff");
    root.manifest(running, "tsdb-20261104", "tsdb", "a004");
    root.touch(running, NOW.minus(Duration.ofHours(30)));
    List<Path> listings = new ArrayList<>();
    Configuration conf =
        HookedFileSystem.withListings(
            path -> {
              if (path.toString().endsWith("/.hbase-snapshot/.tmp")) {
                listings.add(root.path());
                if (listings.size() == 2) {
                  root.write(TestRoot.hfile("tsdb", "a004"), "0123456789");
                  Files.move(root.resolve(running), root.resolve(".hbase-snapshot/tsdb-20261104"));
                  root.marker("2026-11-04");
                }
              }
            });
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
    assertThat(report.nights())
        .extracting(PruneReport.NightResult::reason)
        .startsWith("not whole yet", "day");
    root.requireWhole("tsdb-20261104");
    assertThat(delete(1).text()).contains("done, every night to keep is whole");
  }

  @Test
  void brokenNightsWithinTheGraceDeleteNoOthers() throws IOException {
    root.nights("2026-11-01", 20);
    for (int day = 15; day <= 20; day++) {
      for (String table : List.of("tsdb-202611", "tsdb-uid-202611")) {
        root.touch(
            ".hbase-snapshot/" + table + day,
            Instant.parse("2026-11-%02dT02:00:00Z".formatted(day)));
      }
    }
    root.delete(TestRoot.hfile("tsdb", "a020"));
    root.delete(TestRoot.hfile("tsdb", "a017"));
    assertThat(refused(options(true, 2, 0, 0), ExitCode.BAD_INPUT).message())
        .contains("night 2026-11-20 is to be kept", "a020 is missing");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void allNightsLackAnHFile(boolean marked) throws IOException {
    root.nights("2026-11-18", 3);
    root.touch(".hbase-snapshot", NOW.minus(Duration.ofHours(10)));
    root.delete(TestRoot.hfile("tsdb-uid", "ffff"));
    if (!marked) {
      root.delete("_EXPORTED");
    }
    assertThat(refused(options(true, 2, 0, 0), ExitCode.BAD_INPUT).message())
        .startsWith(
            marked
                ? "night 2026-11-20 is to be kept, and snapshot 'tsdb-uid-20261120' is not whole"
                : "no night is whole, so none would be kept: night 2026-11-20: snapshot"
                    + " 'tsdb-uid-20261120' is not whole")
        .contains("ffff is missing");
  }

  /** The rule does not keep it, so it does not stop the run. */
  @Test
  void aBrokenNightThatOnlyTheGraceKeepsIsNamed() throws IOException {
    root.nights("2026-11-01", 4);
    root.touch(".hbase-snapshot/tsdb-20261102", YOUNG);
    Files.delete(root.resolve(TestRoot.hfile("tsdb", "a001")));
    assertThat(delete(1).text())
        .contains("that stay these are not whole: 2026-11-02 (younger than the grace time)");
  }

  @Test
  void aKeptNightThatIsNotWholeStopsTheRun() throws IOException {
    root.nights("2026-11-01", 4);
    Files.write(root.resolve(TestRoot.hfile("tsdb", "a003")), new byte[] {1});
    Files.delete(root.resolve(TestRoot.hfile("tsdb", "a004")));
    String message = refused(options(true, 2, 0, 0), ExitCode.BAD_INPUT).message();
    assertThat(message)
        .startsWith(
            "night 2026-11-04 is to be kept, and snapshot 'tsdb-20261104' is not whole: 2 of the")
        .contains("a003 has 1 bytes, the manifest states 10")
        .contains("a004 is missing")
        .contains("export it again with --overwrite, or delete .hbase-snapshot/tsdb-20261104");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tsdb-20261101", "tsdb-20261104", "other"})
  void aDamagedManifestStopsTheRun(String name) throws IOException {
    root.nights("2026-11-01", 4);
    root.snapshot("other", "other", "c001");
    Path manifest = root.resolve(".hbase-snapshot/" + name + "/data.manifest");
    byte[] whole = Files.readAllBytes(manifest);
    for (int length : new int[] {0, whole.length / 2, whole.length - 1}) {
      Files.write(manifest, Arrays.copyOf(whole, length));
      root.touch(".hbase-snapshot/" + name, NOW.minus(Duration.ofDays(30)));
      assertThat(refused(options(true, 2, 0, 0), ExitCode.BAD_INPUT).message())
          .contains("snapshot '" + name + "'", "the HFiles that it needs are unknown")
          .contains(name.equals("other") ? "ask for whom it is" : "or delete this directory");
    }
    Files.delete(manifest);
    assertThat(refused(options(true, 2, 0, 0), ExitCode.BAD_INPUT).message())
        .contains(".hbase-snapshot/" + name + " has no data.manifest");
  }

  /** No reader takes it for a snapshot, and somebody has put it there to keep it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "old/tsdb-20261102",
        ".tsdb-20261102.bak",
        "old/2026/11/tsdb-20261102",
        ".hidden/a/b",
        "tsdb-20261103/before",
        ".tmp/tsdb-20261109/before",
        ".",
        ".tmp"
      })
  void aManifestInAnUnknownPlaceStopsTheRun(String place) throws IOException {
    root.nights("2026-11-01", 5);
    Path to = Files.createDirectories(root.resolve(".hbase-snapshot/" + place));
    Files.move(
        root.resolve(".hbase-snapshot/tsdb-20261102/data.manifest"), to.resolve("data.manifest"));
    root.delete(".hbase-snapshot/tsdb-20261102");
    String path = directory.resolve("backup").relativize(to.normalize()) + "/data.manifest";
    assertThat(refused(options(true, 1, 0, 0), ExitCode.BAD_INPUT).message())
        .startsWith(path + " is where no export writes a manifest, so prune cannot tell");
    refused(options(false, 1, 0, 0), ExitCode.BAD_INPUT);
  }

  @Test
  void allManifestsInUnknownPlacesAreCounted() throws IOException {
    root.nights("2026-11-01", 3);
    root.manifest(".hbase-snapshot/old/a", "a", "tsdb", "a000");
    root.manifest(".hbase-snapshot/.b", "b", "tsdb", "a001");
    assertThat(refused(options(true, 1, 0, 0), ExitCode.BAD_INPUT).message())
        .startsWith(
            ".hbase-snapshot/.b/data.manifest is where no export writes a manifest (and 1 more)")
        .contains("move its directory to .hbase-snapshot/NAME to keep them");
    Files.move(root.resolve(".hbase-snapshot/old/a"), root.resolve(".hbase-snapshot/a"));
    Files.move(root.resolve(".hbase-snapshot/.b"), root.resolve(".hbase-snapshot/b"));
    delete(1);
    root.requireWhole("a");
    root.requireWhole("b");
  }

  /** The look before each batch sees it too. */
  @Test
  void aManifestThatIsMovedAwayMeanwhileStopsTheRun() throws IOException {
    root.nights("2026-11-01", 4);
    Configuration conf =
        HookedFileSystem.with(
            path -> {
              if (path.toString().endsWith("tsdb-uid-20261103/data.manifest")) {
                root.manifest(".hbase-snapshot/old/x", "x", "tsdb", "a001");
              }
            });
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(report.message())
        .startsWith(".hbase-snapshot/old/x/data.manifest is where")
        .doesNotContain("Nothing was deleted");
    assertThat(report.books().deleted()).isEqualTo(Amount.NONE);
  }

  @Test
  void aManifestThatIsBeingWrittenIsWaitedFor() throws Exception {
    root.nights("2026-11-01", 3);
    String name = ".hbase-snapshot/.tmp/tsdb-20261104";
    root.manifest(name, "tsdb-20261104", "tsdb", "a000");
    byte[] whole = Files.readAllBytes(root.resolve(name + "/data.manifest"));
    Files.write(root.resolve(name + "/data.manifest"), new byte[] {10, 20});
    root.touch(name, NOW);
    List<PruneReport> reports = new ArrayList<>();
    Configuration conf = HookedFileSystem.with(path -> {});
    Thread prune = new Thread(() -> reports.add(run(options(true, 1, 0, 0), conf)));
    prune.start();
    Await.until(
        "the half manifest is read again and again",
        Duration.ofSeconds(20),
        () -> HookedFileSystem.opened(name + "/data.manifest") >= 4);
    // The whole ones are not.
    assertThat(HookedFileSystem.opened("/tsdb-20261102/data.manifest")).isEqualTo(1);
    Files.write(root.resolve(name + "/data.manifest"), whole, StandardOpenOption.TRUNCATE_EXISTING);
    root.touch(name, NOW);
    prune.join();
    assertThat(reports.get(0).exitCode()).as(reports.get(0).message()).isEqualTo(ExitCode.DONE);
    assertThat(root.tree()).contains(TestRoot.hfile("tsdb", "a000"));
    assertThat(root.tree()).doesNotContain(TestRoot.hfile("tsdb", "a001"));
  }

  /** ExportSnapshot writes both files at once, before it copies HFiles for hours. */
  @Test
  void anExportBrokenOffBeforeItsManifestIsNotWaitedFor() throws IOException {
    root.nights("2026-11-01", 3);
    String name = ".hbase-snapshot/.tmp/tsdb-20261120";
    root.write(name + "/.snapshotinfo", "x");
    root.touch(name, NOW.minus(Duration.ofHours(24)));
    Configuration conf = HookedFileSystem.with(path -> {});
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
    assertThat(root.tree()).contains(name + "/.snapshotinfo");
    assertThat(report.warnings())
        .anyMatch(text -> text.startsWith(name + ": an export has just begun, or was broken off"));
    assertThat(states(report, "deleted")).hasSize(2);
    // Each is read in the plan, and not again while prune waits.
    assertThat(HookedFileSystem.opened("/tsdb-20261103/data.manifest")).isEqualTo(2);
  }

  /** In the place of a finished snapshot, or with half a manifest, its HFiles are unknown. */
  @ParameterizedTest
  @ValueSource(strings = {"tsdb-20261120/.snapshotinfo", ".tmp/tsdb-20261120/data.manifest"})
  void anOldPartOfAnExportStopsTheRunAtOnce(String file) throws IOException {
    root.nights("2026-11-01", 3);
    root.write(".hbase-snapshot/" + file, "xx");
    root.touch(".hbase-snapshot/" + file, NOW.minus(Duration.ofHours(24)));
    assertThat(refused(options(true, 1, 0, 0), ExitCode.BAD_INPUT).message())
        .contains("the HFiles that it needs are unknown")
        .contains("or delete this directory");
  }

  /** An export that begins between the plan and the deletions finds old HFiles and keeps them. */
  @Test
  void aManifestThatAppearsMeanwhileProtects() throws IOException {
    root.nights("2026-11-01", 5);
    List<String> deleted = new ArrayList<>();
    Configuration conf =
        HookedFileSystem.with(
            path -> {
              deleted.add(path.getName());
              if (deleted.size() == 1) {
                root.manifest(".hbase-snapshot/.tmp/tsdb-20261106", "x", "tsdb", "a001");
                root.snapshot("tsdb-20261108", "tsdb", "a002");
              }
            });
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
    assertThat(deleted).contains("a000", "a003").doesNotContain("a001", "a002");
    assertThat(report.books().deleted().files()).isEqualTo(2);
    root.requireWhole("tsdb-20261108");
  }

  @Test
  void aNightThatIsExportedAgainMeanwhileStays() throws IOException {
    root.nights("2026-11-01", 5);
    List<String> deleted = new ArrayList<>();
    Configuration conf =
        HookedFileSystem.with(
            path -> {
              deleted.add(path.getName());
              // The last manifest of the nights: the HFiles come next.
              if (path.toString().endsWith("tsdb-uid-20261104/data.manifest")) {
                root.snapshot("tsdb-20261102", "tsdb", "a001", "a002", "d001");
                root.snapshot("tsdb-uid-20261102", "tsdb-uid", "ffff");
              }
            });
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
    root.requireWhole("tsdb-20261102");
    assertThat(deleted).contains("a000", "a003").doesNotContain("a001", "a002", "d001");
    assertThat(report.nights().get(3).reason()).isEqualTo("exported again meanwhile");
  }

  /** The look before a batch cannot see it; the look after it does. */
  @Test
  void aManifestThatAppearsTooLateIsTold() throws IOException {
    root.nights("2026-11-01", 3);
    Configuration conf =
        HookedFileSystem.with(
            path -> {
              if (path.getName().equals("a000")) {
                root.manifest(".hbase-snapshot/tsdb-20261105", "tsdb-20261105", "tsdb", "a000");
              }
            });
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(report.message())
        .isEqualTo(
            "snapshot 'tsdb-20261105' appeared while prune ran, and names 1 files that prune"
                + " deleted: export it again with --overwrite");
  }

  @Test
  void aKeptNightThatIsDamagedMeanwhileIsTold() throws IOException {
    root.nights("2026-11-01", 3);
    Configuration conf =
        HookedFileSystem.with(
            path -> {
              if (path.getName().equals("a000")) {
                Files.delete(root.resolve(TestRoot.hfile("tsdb", "a003")));
              }
            });
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(report.message()).contains("night 2026-11-03 is to be kept", "a003 is missing");
  }

  @Test
  void aFailedDeletionIsCountedAndRepeated() throws IOException {
    root.nights("2026-11-01", 5);
    Configuration conf =
        HookedFileSystem.with(
            path -> {
              if (path.getName().equals("a002")) {
                throw new IOException("Permission denied");
              }
            });
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(report.message()).endsWith("/a002 cannot be deleted: Permission denied");
    assertThat(report.books().failed()).isEqualTo(new Amount(1, 10));
    assertThat(report.books().deleted()).isEqualTo(new Amount(3, 30));
    delete(1);
    assertThat(root.tree()).isEqualTo(onlyNights(4, 1));
  }

  /** Two pages at once: the one that succeeds is booked as deleted. */
  @Test
  void aFailedPageSaysNothingAboutTheOthers() throws IOException {
    root.nights("2026-11-01", 5);
    Configuration conf =
        HookedFileSystem.withPages(
            2,
            path -> {
              if (path.getName().equals("a002")) {
                throw new IOException("connection reset");
              }
            });
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(report.books().deleted()).isEqualTo(new Amount(2, 20));
    assertThat(report.books().failed()).isEqualTo(new Amount(2, 20));
    delete(1);
    assertThat(root.tree()).isEqualTo(onlyNights(4, 1));
  }

  @Test
  void anUnexpectedExceptionHasAReportToo() throws IOException {
    root.nights("2026-11-01", 5);
    Configuration conf =
        HookedFileSystem.with(
            path -> {
              if (path.getName().equals("a002")) {
                throw new IllegalStateException("pool shut down");
              }
            });
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).isEqualTo(ExitCode.DEFECT);
    assertThat(report.message()).contains("pool shut down");
    assertThat(report.books().deleted()).isEqualTo(new Amount(3, 30));
    assertThat(report.books().failed()).isEqualTo(new Amount(1, 10));
    assertThat(states(report, "deleted")).hasSize(4);
  }

  /** The look before each batch sees it. */
  @Test
  void aManifestThatAppearsBetweenTwoBatchesProtects() throws IOException {
    root.nights("2026-11-01", 6);
    List<String> deleted = new ArrayList<>();
    List<String> needed = new ArrayList<>();
    Configuration conf =
        HookedFileSystem.with(
            path -> {
              String name = path.getName();
              if (name.matches("a\\d{3}")) {
                deleted.add(name);
                if (deleted.size() == 1) {
                  needed.add(name.equals("a004") ? "a000" : "a004");
                  root.manifest(".hbase-snapshot/.tmp/x", "x", "tsdb", needed.get(0));
                }
              }
            });
    PruneReport report =
        new PruneJob(
                conf,
                options(true, 1, 0, 0),
                Clock.fixed(NOW, ZoneOffset.UTC),
                new Sweep.Batches(2, 1))
            .run();
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
    assertThat(report.booksClose()).isTrue();
    assertThat(deleted).hasSize(4).doesNotContainAnyElementsOf(needed);
    assertThat(states(report, "deleted")).hasSize(5);
  }

  @Test
  void aFileThatStorageOnlyReportsAsDeletedIsTold() throws IOException {
    root.nights("2026-11-01", 3);
    Configuration conf =
        HookedFileSystem.with(
            path -> {
              if (path.getName().equals("a001")) {
                throw new HookedFileSystem.NotDeletedException();
              }
            });
    PruneReport report = run(options(true, 1, 0, 0), conf);
    assertThat(report.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(report.message())
        .isEqualTo("1 files are still there after storage reported their deletion");
  }

  @Test
  void oneTableOfTwo() throws IOException {
    root.nights("2026-11-01", 4);
    PruneReport report = run(options(true, new KeepRule(1, 0, 0), "tsdb"));
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
    assertThat(root.tree())
        .contains(".hbase-snapshot/tsdb-uid-20261101/data.manifest")
        .doesNotContain(".hbase-snapshot/tsdb-20261101/data.manifest", "_EXPORTED/2026-11-01.json");
  }

  @Test
  void wrongRoots() throws IOException {
    root.write("some/file", "x");
    assertThat(refused(options(true, 1, 0, 0), ExitCode.USAGE).message())
        .contains("must be a target of ExportSnapshot, which has .hbase-snapshot, found none in");
    root.nights("2026-11-01", 4);
    for (String live : List.of("hbase.id", "WALs", "MasterData", "data")) {
      root.write(live.equals("hbase.id") ? live : live + "/x", "x");
      assertThat(refused(options(true, 1, 0, 0), ExitCode.USAGE).message())
          .contains("found the root directory of an HBase", "has " + live);
      root.delete(live);
    }
    delete(1);
    PruneOptions good = options(true, 1, 0, 0);
    for (String uri : List.of("/backup", "s3x://a/b", "file:///nowhere/at/all", "file://")) {
      PruneOptions wrong =
          new PruneOptions(
              uri, good.tables(), good.names(), good.rule(), good.grace(), good.delete());
      assertThat(run(wrong).exitCode()).as(uri).isEqualTo(ExitCode.USAGE);
      assertThat(run(wrong).message()).startsWith("--snapshot-root ");
    }
  }

  @Test
  void wrongTables() throws IOException {
    root.nights("2026-11-01", 4);
    assertThat(
            refused(options(true, new KeepRule(1, 0, 0), "tsdb", "tsdb-meta"), ExitCode.USAGE)
                .message())
        .contains(
            "--table tsdb-meta: there is no snapshot named {table}-{date}; found there: tsdb-");
    root.snapshot("ns-tsdb-20261101", "other", "e001");
    assertThat(refused(options(true, new KeepRule(1, 0, 0), "ns:tsdb"), ExitCode.USAGE).message())
        .contains("'ns-tsdb-20261101' has the name of one of this table, and is of table other");
    root.snapshot("late-20261120", "late", "e001");
    assertThat(
            refused(options(true, new KeepRule(1, 0, 0), "tsdb", "late"), ExitCode.USAGE).message())
        .contains("no night has a finished snapshot of each of the tables tsdb, late, so none");
  }

  @Test
  void emptyDirectoriesThatAKilledRunLeft() throws IOException {
    root.nights("2026-11-01", 2);
    String region = "archive/data/default/tsdb/" + "ab".repeat(16);
    Files.createDirectories(root.resolve(region + "/t"));
    Files.createDirectories(root.resolve("archive/data/ns/gone"));
    Files.createDirectories(root.resolve(".hbase-snapshot/tsdb-20261001"));
    root.touch("archive/data/ns", NOW.minus(Duration.ofDays(8)));
    root.touch(region, NOW.minus(Duration.ofDays(8)));
    String young = "archive/data/default/tsdb/" + "cd".repeat(16) + "/t";
    Files.createDirectories(root.resolve(young));
    root.touch(young, YOUNG);
    delete(1);
    SortedSet<String> expected = new TreeSet<>(onlyNights(1, 1));
    expected.add(young);
    assertThat(root.tree()).isEqualTo(expected);
  }
}
