package io.tsdbsuite.rollup.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.threads.Workers;
import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is deleted and what stays, over roots with empty HFiles: the runs of prune-runs.txt. */
class PruneJobTest {
  private static final Pattern ALTERNATIVES = Pattern.compile("<([^>]*)>");

  @TempDir Path directory;
  private PruneScript root;

  @BeforeEach
  void root() {
    root = new PruneScript(directory);
  }

  private static Stream<Arguments> runs() throws IOException {
    String text;
    try (InputStream in = PruneJobTest.class.getResourceAsStream("/prune-runs.txt")) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String[] runs = text.replaceAll("(?m)^#.*\n", "").split("\n= ");
    assertThat(runs[0]).as("what is before the first run").isBlank();
    return Stream.of(runs).skip(1).flatMap(PruneJobTest::each);
  }

  /** A run for each alternative. */
  private static Stream<Arguments> each(String run) {
    int alternatives =
        ALTERNATIVES
            .matcher(run)
            .results()
            .mapToInt(each -> alternatives(each).length)
            .max()
            .orElse(1);
    return IntStream.range(0, alternatives)
        .mapToObj(
            i ->
                ALTERNATIVES
                    .matcher(run)
                    .replaceAll(each -> Matcher.quoteReplacement(alternatives(each)[i])))
        .map(text -> text.split("\n| ; "))
        .map(lines -> Arguments.of(lines[0], lines));
  }

  private static String[] alternatives(MatchResult result) {
    return result.group(1).split("\\|", -1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("runs")
  void run(String title, String[] lines) throws IOException {
    root.run(Arrays.copyOfRange(lines, 1, lines.length));
    root.requireRun();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nights 3",
        "nights 3 ; prune 1 ; before first skip",
        "nights 3 ; before /zzzz skip ; prune 1",
        "nights 3 ; prune 1 ; says",
        "nights 3 ; prune 1 ; has",
        "nights 3 ; prune 1 ; sais 3",
        "nights 3 ; prune 1 0 0 0",
      })
  void aRunThatAssertsNothingFails(String run) {
    assertThatThrownBy(() -> run("", ("title ; " + run).split(" ; ")))
        .isInstanceOfAny(AssertionError.class, IllegalArgumentException.class);
  }

  /** The listing counts the files, and the books count what became of each. */
  @Test
  void theBooksDoNotCloseIfADirectoryIsLost() throws IOException {
    root.run("nights 3");
    PruneOptions options = root.options(false, List.of("1"));
    PruneOptions.Times times = options.times(PruneScript.NOW);
    BackupRoot.Unknown unknown = new BackupRoot.Unknown();
    try (Workers workers = new Workers("prune", 2)) {
      BackupRoot backup = BackupRoot.open(new Configuration(), root.uri(), workers, unknown);
      Snapshots snapshots = new Snapshots(backup, options, times);
      Markers markers = new Markers(backup, options, unknown);
      Planner.Plan plan = new Planner(backup, options, times, snapshots, markers, unknown).plan();
      assertThat(plan.books(false).close()).isTrue();
      plan.archive().directories().remove(plan.archive().directories().firstKey());
      assertThat(plan.books(false).close()).isFalse();
    }
  }

  @Test
  void linksAndReferencesNameFilesOfOtherRegions() throws IOException {
    String parent = "0123456789abcdef0123456789abcdef";
    String link = "ns=origin=" + TestRoot.region("ns:origin") + "-b001";
    String[] files = {
      "archive/data/default/tsdb/" + parent + "/t/a001",
      "archive/data/ns/origin/" + TestRoot.region("ns:origin") + "/t/b002"
    };
    root.night("2026-11-01", "a001." + parent, link, link.replace("b001", "b002") + "." + parent);
    root.night("2026-11-02", "a002." + parent, link);
    assertThat(root.tree()).contains(files);
    root.run("prune 1", "whole tsdb-20261102");
    assertThat(root.tree())
        .contains(TestRoot.hfile("tsdb", "a002." + parent), TestRoot.hfile("tsdb", link))
        .doesNotContain(files);
  }

  /** On the first night with the new table only that night is complete. */
  @ParameterizedTest
  @ValueSource(strings = {"3 0 0", "14 0 12", "0 0 12", "1 2 0"})
  void aNewTableDeletesNoNightThatTheRuleWants(String keep) throws IOException {
    // The months before the last one have one night each, as the rule left them.
    for (int month = 1; month < 10; month++) {
      root.night("2026-%02d-28".formatted(month), "b00" + month);
    }
    root.run("nights 10 2026-10-05", "snapshot tsdb-meta-20261014 tsdb-meta eeee", "plan " + keep);
    List<LocalDate> before = root.dates("kept");
    root.run("tables tsdb tsdb-uid tsdb-meta", "prune " + keep);
    assertThat(root.dates("kept")).containsAll(before);
    for (LocalDate night : before) {
      root.requireWhole(TestRoot.name("tsdb", night.toString()));
      root.requireWhole(TestRoot.name("tsdb-uid", night.toString()));
    }
    assertThat(root.report().warnings())
        .anyMatch(
            text ->
                text.startsWith("table tsdb-meta has no finished snapshot of ")
                    && text.endsWith(": 1 of 19 nights are complete"));
  }

  /** The HFiles were listed before they were there; the rename on HDFS keeps the files' times. */
  @Test
  void anExportThatEndsDuringThePlanIsNotBroken() throws IOException {
    root.run(
        "nights 3",
        "snapshot tsdb-uid-20261104 tsdb-uid ffff",
        "manifest T/tsdb-20261104 tsdb a004",
        "touch T/tsdb-20261104 30h");
    AtomicInteger listings = new AtomicInteger();
    root.conf(
        HookedFileSystem.withListings(
            path -> {
              if (path.toString().endsWith("/.hbase-snapshot/.tmp")
                  && listings.incrementAndGet() == 2) {
                root.run("write R/a004 0123456789", "move T/tsdb-20261104 S/tsdb-20261104");
                root.marker("2026-11-04");
              }
            }));
    root.run("prune 1", "reason 0 not whole yet", "reason 1 day", "whole tsdb-20261104");
    root.run("prune 1", "text done, every night to keep is whole");
  }

  @Test
  void aManifestThatIsBeingWrittenIsWaitedFor() throws Exception {
    root.run("nights 3", "manifest T/tsdb-20261104 tsdb a000");
    String name = "/.hbase-snapshot/.tmp/tsdb-20261104/data.manifest";
    Path manifest = Path.of(root.path() + name);
    byte[] whole = Files.readAllBytes(manifest);
    Files.write(manifest, new byte[] {10, 20});
    root.run("touch T/tsdb-20261104 0h", "before never skip");
    CompletableFuture<Void> prune =
        CompletableFuture.runAsync(() -> root.prune(true, ExitCode.DONE, List.of("1")));
    Await.until(
        "the half manifest is read again and again",
        Duration.ofSeconds(20),
        () -> HookedFileSystem.opened(name) >= 4);
    // The whole ones are not.
    assertThat(HookedFileSystem.opened("/tsdb-20261102/data.manifest")).isEqualTo(1);
    Files.write(manifest, whole, StandardOpenOption.TRUNCATE_EXISTING);
    root.run("touch T/tsdb-20261104 0h");
    prune.get();
    root.run("has R/a000", "hasnot R/a001");
  }

  /** The look before each batch sees it. */
  @Test
  void aManifestThatAppearsBetweenTwoBatchesProtects() throws IOException {
    List<String> deleted = new ArrayList<>();
    List<String> needed = new ArrayList<>();
    root.conf(
        HookedFileSystem.with(
            path -> {
              String name = path.getName();
              if (name.matches("a\\d{3}")) {
                deleted.add(name);
                if (deleted.size() == 1) {
                  needed.add(name.equals("a004") ? "a000" : "a004");
                  root.run("manifest T/x tsdb " + needed.get(0));
                }
              }
            }));
    root.batches(new Deletion.Batches(2, 1));
    root.run("nights 6", "prune 1", "count deleted 5");
    assertThat(deleted).hasSize(4).doesNotContainAnyElementsOf(needed);
  }
}
