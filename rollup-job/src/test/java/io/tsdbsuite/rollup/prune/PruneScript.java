package io.tsdbsuite.rollup.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;

/**
 * A root, runs of prune over it and what they must do, one step in each line of text. A path of a
 * step begins with a short name of a directory, see {@code prune-runs.txt}.
 */
final class PruneScript extends TestRoot {
  static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private static final String UNFINISHED =
      "done, every night that the rule keeps is whole; of the others that stay these are not"
          + " whole: 2026-11-04 (not whole yet)";

  private final Path directory;
  private final List<String> deletions = Collections.synchronizedList(new ArrayList<>());
  private List<String> tables = List.of(DATA, UID);
  private String uri = uri();
  private Deletion.Batches batches = Deletion.Batches.DEFAULT;
  private Configuration conf = new Configuration();
  private int pages = 1;

  /** What is done before deletions in the next run. */
  private final List<Hook> hooks = new ArrayList<>();

  /** Those of the next or last run that were done. */
  private final Set<Hook> hooked = ConcurrentHashMap.newKeySet();

  private SortedSet<String> before = new TreeSet<>();
  private PruneReport report;

  /**
   * @param directory for the root and those that it is compared with
   */
  PruneScript(Path directory) {
    super(directory.resolve("backup"));
    this.directory = directory;
  }

  /**
   * A step before deletions.
   *
   * @param file end of the paths of the deleted files, "first" or "never"
   */
  private record Hook(String file, String step) {
    static Hook of(String text) {
      String[] parts = text.split(" ", 2);
      return new Hook(parts[0], parts[1]);
    }

    boolean isBefore(org.apache.hadoop.fs.Path path, boolean first) {
      return file.equals("first") ? first : path.toString().endsWith(file);
    }
  }

  /** Settings of the next run. */
  void conf(Configuration settings) {
    conf = settings;
  }

  void batches(Deletion.Batches size) {
    batches = size;
  }

  /** The report of the last run. */
  PruneReport report() {
    return report;
  }

  /** Does all steps. */
  void run(String... lines) throws IOException {
    for (String line : lines) {
      try {
        step(line);
      } catch (AssertionError e) {
        throw new AssertionError(line + ": " + e.getMessage(), e);
      }
    }
  }

  /** Fails unless prune ran after the last step of its root and settings. */
  void requireRun() {
    assertThat(report).as("the report of a run").isNotNull();
    assertThat(hooks).as("steps before a run that is missing").isEmpty();
  }

  private void step(String line) throws IOException {
    String[] parts = line.split(" ", 2);
    String rest = parts.length == 1 ? "" : parts[1];
    List<String> words = Stream.of(rest.split(" ")).filter(word -> !word.isEmpty()).toList();
    String first = words.isEmpty() ? "" : words.get(0);
    switch (parts[0]) {
      case "" -> {}
      // The root before a run.
      case "nights" -> nights(words.size() == 1 ? "2026-11-01" : words.get(1), number(first));
      case "night" -> night(first, files(words, 1));
      case "snapshot" -> snapshot(first, words.get(1), files(words, 2));
      case "manifest" ->
          manifest(path(first), at(first).getFileName().toString(), words.get(1), files(words, 2));
      case "write" ->
          write(path(first), rest.substring(Math.min(rest.length(), first.length() + 1)));
      case "cut" -> shorten(at(first), 1);
      case "halve" -> shorten(at(first), (int) Files.size(at(first)) / 2);
      case "touch" -> touch(path(first), ago(words.get(1)));
      case "delete" -> eachPath(words, this::delete);
      case "mkdir" -> eachPath(words, path -> Files.createDirectories(resolve(path)));
      case "move" -> {
        Files.createDirectories(at(words.get(1)).getParent());
        Files.move(at(first), at(words.get(1)));
      }
      // Settings of a run.
      case "tables" -> tables = words;
      case "at" -> uri = first;
      case "pages" -> pages = number(first);
      case "before" -> hooks.add(Hook.of(rest));
      // What a deletion does instead.
      case "fail" -> throw new IOException(rest);
      case "crash" -> throw new IllegalStateException(rest);
      case "skip" -> throw new HookedFileSystem.NotDeletedException();
      // Runs.
      case "plan" -> prune(false, ExitCode.DONE, words);
      case "prune" -> prune(true, ExitCode.DONE, words);
      case "fails" -> prune(true, ExitCode.valueOf(first), words.subList(1, words.size()));
      case "refused", "planrefused" -> {
        prune(parts[0].equals("refused"), ExitCode.valueOf(first), words.subList(1, words.size()));
        assertThat(report.message()).endsWith("Nothing was deleted.");
        assertThat(tree()).isEqualTo(before);
      }
      case "broken" -> broken();
      case "unfinished" -> unfinished();
      default -> expect(parts[0], rest, words);
    }
  }

  private void expect(String what, String rest, List<String> words) throws IOException {
    if (words.isEmpty() && !what.equals("same")) {
      throw new IllegalArgumentException("asserts nothing: " + what);
    }
    switch (what) {
      // The root after a run.
      case "same" -> assertThat(tree()).isEqualTo(before);
      case "only" ->
          onlyNights(number(words.get(0)), number(words.get(1)), words.subList(2, words.size()));
      case "has" -> assertThat(tree()).containsAll(paths(words));
      case "hasnot" -> assertThat(tree()).doesNotContainAnyElementsOf(paths(words));
      case "whole" -> eachPath(words, this::requireWhole);
      // The books.
      case "deleted" -> assertThat(report.books().deleted()).isEqualTo(amount(words));
      case "kept" -> assertThat(report.books().kept()).isEqualTo(amount(words));
      case "failed" -> assertThat(report.books().failed()).isEqualTo(amount(words));
      case "young" -> assertThat(report.books().young()).isEqualTo(amount(words));
      // The texts of the report.
      case "text" -> assertThat(report.report().table().toString()).contains(rest);
      case "message" -> assertThat(report.message()).isEqualTo(rest);
      case "starts" -> assertThat(report.message()).startsWith(rest);
      case "ends" -> assertThat(report.message()).endsWith(rest);
      case "says" -> assertThat(report.message()).contains(rest);
      case "saysnot" -> assertThat(report.message()).doesNotContain(rest);
      case "warns" -> assertThat(report.warnings()).anyMatch(text -> text.startsWith(rest));
      case "warning" -> assertThat(report.warnings()).contains(rest);
      case "warnings" -> assertThat(report.warnings()).hasSize(number(rest));
      case "unknown" -> assertThat(report.unknown()).isEqualTo(number(rest));
      case "sampled" -> assertThat(report.unknownSamples()).containsAll(paths(words));
      // The nights of the report, the newest first.
      case "all" ->
          assertThat(report.nights())
              .extracting(
                  night ->
                      "%d %s %s"
                          .formatted(night.date().getDayOfMonth(), night.state(), night.reason()))
              .containsExactly(rest.split("; "));
      case "reason" ->
          assertThat(report.nights().get(number(words.get(0))).reason())
              .isEqualTo(rest.split(" ", 2)[1]);
      case "count" -> assertThat(dates(words.get(0))).hasSize(number(words.get(1)));
      // What the run did, if something was before.
      case "began" -> assertThat(deletions).first().isEqualTo(rest);
      case "did" -> assertThat(deletions).containsAll(words);
      case "didnot" -> assertThat(deletions).doesNotContainAnyElementsOf(words);
      case "opened" ->
          assertThat(HookedFileSystem.opened(words.get(0))).isEqualTo(number(words.get(1)));
      default -> throw new IllegalArgumentException("no step: " + what);
    }
  }

  /** The options of a run with the rule that these days, weeks and months are. */
  PruneOptions options(boolean delete, List<String> keep) {
    assertThat(keep).as("days, weeks, months").hasSizeBetween(1, 3);
    int[] rule = Arrays.copyOf(keep.stream().mapToInt(Integer::parseInt).toArray(), 3);
    return new PruneOptions(
        uri,
        tables.stream().map(TableName::valueOf).toList(),
        SnapshotPattern.parse("{table}-{date}"),
        new KeepRule(rule[0], rule[1], rule[2]),
        Duration.ofDays(7),
        delete);
  }

  void prune(boolean delete, ExitCode code, List<String> keep) {
    PruneOptions options = options(delete, keep);
    before = tree();
    report = new PruneJob(hooked(), options, Clock.fixed(NOW, ZoneOffset.UTC), batches).run();
    assertThat(hooks)
        .filteredOn(hook -> !hook.file.equals("never") && !hooked.contains(hook))
        .as("steps before a deletion that did not happen")
        .isEmpty();
    hooks.clear();
    conf = new Configuration();
    if (report.books() != null) {
      assertThat(report.booksClose()).as(report.report().table().toString()).isTrue();
    }
    assertThat(report.exitCode()).as(report.message()).isEqualTo(code);
  }

  private Configuration hooked() {
    if (hooks.isEmpty()) {
      return conf;
    }
    deletions.clear();
    hooked.clear();
    Configuration settings =
        HookedFileSystem.with(
            path -> {
              deletions.add(path.getName());
              for (Hook hook : hooks) {
                if (hook.isBefore(path, deletions.size() == 1)) {
                  hooked.add(hook);
                  step(hook.step);
                }
              }
            });
    settings.setInt(HookedFileSystem.PAGE, pages);
    return settings;
  }

  private void broken() throws IOException {
    run(
        "refused BAD_INPUT 1",
        "starts night 2026-11-04 is to be kept, and snapshot 'tsdb-20261104' is not whole: 1",
        "says a004 is missing",
        "planrefused BAD_INPUT 1");
  }

  private void unfinished() throws IOException {
    run(
        "plan 1",
        "text planned, nothing was deleted",
        "text of the nights that stay these are not whole: 2026-11-04 (not whole yet)",
        "prune 1",
        "all 4 kept not whole yet; 3 kept day; 2 deleted no rule keeps it; 1 deleted no rule keeps"
            + " it",
        "text " + UNFINISHED);
    assertThat(report.nights())
        .extracting(PruneReport.NightResult::notWhole)
        .containsExactly(true, false, false, false);
    assertThat(report.warnings()).anyMatch(text -> text.contains("'tsdb-20261104' is not whole"));
    assertThat(report.report().table().toString()).doesNotContain("every night to keep is whole");
    run("prune 1", "text " + UNFINISHED);
  }

  /** The tree is that of a root that never had other nights, and of some other paths. */
  private void onlyNights(int first, int count, List<String> more) throws IOException {
    TestRoot other = new TestRoot(directory.resolve("expected"));
    for (int i = first; i < first + count; i++) {
      other.night("2026-11-%02d".formatted(i + 1), "a%03d".formatted(i), "a%03d".formatted(i + 1));
    }
    SortedSet<String> expected = other.tree();
    expected.addAll(paths(more));
    assertThat(tree()).isEqualTo(expected);
  }

  /** Dates of the nights with a state, the newest first. */
  List<LocalDate> dates(String state) {
    return report.nights().stream()
        .filter(night -> night.state().equals(state))
        .map(PruneReport.NightResult::date)
        .toList();
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }

  /** A number of HFiles, and their bytes if they are not ten each. */
  private static PruneBooks.Amount amount(List<String> words) {
    int files = number(words.get(0));
    return new PruneBooks.Amount(files, words.size() > 1 ? number(words.get(1)) : files * BYTES);
  }

  private static Instant ago(String age) {
    return NOW.minus(Duration.parse((age.endsWith("d") ? "P" : "PT") + age));
  }

  private static String[] files(List<String> words, int from) {
    return words.stream()
        .skip(from)
        .map(file -> file.replace("REGION", region("tsdb")))
        .toArray(String[]::new);
  }

  /** Work on a path. */
  private interface PathStep {
    void on(String path) throws IOException;
  }

  private static void eachPath(List<String> paths, PathStep step) throws IOException {
    for (String path : paths(paths)) {
      step.on(path);
    }
  }

  private static List<String> paths(List<String> texts) {
    return texts.stream().map(PruneScript::path).toList();
  }

  private Path at(String text) {
    return resolve(path(text));
  }

  private static String path(String text) {
    String name = text.split("/", 2)[0];
    String start =
        switch (name) {
          case "S" -> ".hbase-snapshot";
          case "T" -> ".hbase-snapshot/.tmp";
          case "M" -> "_EXPORTED";
          case "A" -> "archive/data/default/tsdb";
          case "R" -> "archive/data/default/tsdb/" + region("tsdb") + "/t";
          case "U" -> "archive/data/default/tsdb-uid/" + region("tsdb-uid") + "/t";
          default -> name;
        };
    return start + text.substring(name.length());
  }

  private static void shorten(Path file, int bytes) throws IOException {
    byte[] all = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(all, all.length - bytes));
  }
}
