package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code kill -9} at random moments, resume, verify: nothing lost, nothing double. The commands are
 * those of the pages, in a directory with the files that they name.
 */
class KillIT {
  /** Twenty with {@code -Dbulk.kills=20}. */
  private static final int KILLS = Integer.getInteger("bulk.kills", Seed.times(1, 2));

  private static final int POINTS = Integer.getInteger("bulk.kill.points", 20_000);

  /** Loads that may end before a kill hits them, or their resume. */
  private static final int MOST_MISSES = 10;

  /** Exit code after {@code kill -9}. */
  private static final int KILLED = 128 + 9;

  /** Looks at the journal from one entry to another, about. */
  private static final int LOOKS = 120;

  /** Between two looks, so that looking takes no core from the load. */
  private static final long PAUSE_NANOS = 100_000;

  private static final long SEED = Seed.VALUE;

  private static final Path PAGE = Path.of("../docs/bulk-loader.md");

  @ParameterizedTest
  @ValueSource(strings = {"put", "hfile"})
  void nothingIsLostAndNothingDouble(String mode) throws Exception {
    String test = "kill-" + mode;
    Map<String, String> conf = LoaderStack.conf(test);
    TsdServer tsd = LoaderStack.tsd(test, conf);
    Path dir = WorkDirs.fresh(test);
    Random random = new Random(SEED);
    int killed = 0;
    boolean resumeKilled = false;
    // Journal entries and files of a whole load, from one that is not killed.
    long whole = 0;
    for (int round = 0; killed < KILLS || !resumeKilled; round++) {
      assertThat(round)
          .as("loads, of which %d were killed, a resume: %s", killed, resumeKilled)
          .isLessThanOrEqualTo(KILLS + MOST_MISSES);
      RandomPoints points = new RandomPoints(test + "." + round, POINTS, random.nextLong());
      Path roundDir = Files.createDirectories(dir.resolve("round-" + round));
      Files.copy(tsd.configFile(), roundDir.resolve("opentsdb.conf"));
      Path history = Files.createDirectories(roundDir.resolve("history"));
      List<String> files = new ArrayList<>();
      for (String file : points.write(history, 4)) {
        files.add(gzip(Path.of(file)).toString());
      }
      Path log = roundDir.resolve("log");
      List<String> documented = load(mode, roundDir);
      LoaderProcess load = LoaderProcess.start(roundDir, log, documented);
      long moment = (long) (random.nextDouble() * whole);
      if (round > 0 && isKilledAt(load, roundDir, moment, random.nextInt(LOOKS))) {
        killed++;
        long before = events(roundDir);
        LoaderProcess resumed = resume(mode, dir, roundDir, documented);
        // A resume that has gone on can be killed, too.
        if (killed >= KILLS
            && !resumeKilled
            && isKilledAt(resumed, roundDir, before + 1, random.nextInt(LOOKS))) {
          resumeKilled = true;
          resumed = resume(mode, dir, roundDir, documented);
        }
        requireDone(resumed, roundDir);
      } else {
        requireDone(load, roundDir);
      }
      whole = round == 0 ? events(roundDir) : whole;
      Path work = work(roundDir);
      JsonNode report = new ObjectMapper().readTree(work.resolve("report.json").toFile());
      assertThat(report.path("booksClose").asBoolean()).as(report.toString()).isTrue();
      assertThat(report.path("counts").path("pointsRead").asLong()).isEqualTo(points.lines());
      assertThat(report.path("counts").path("pointsWritten").asLong()).isEqualTo(POINTS);
      ReportedPoints.check(work.resolve("report.json"), points.metrics());
      Loader.Outcome verified =
          Loader.run(verify(tsd, roundDir.resolve("verify"), files).toArray(String[]::new));
      assertThat(verified.code()).as(verified.err()).isEqualTo(ExitCode.DONE);
      long found = 0;
      for (String metric : points.metrics()) {
        found += Answers.of(tsd, metric).values().stream().mapToLong(Map::size).sum();
      }
      assertThat(found).isEqualTo(POINTS);
    }
  }

  /**
   * Watches the journal, and kills the load a few looks after it has so many bytes; false if it was
   * done before.
   */
  private static boolean isKilledAt(LoaderProcess load, Path roundDir, long moment, int looks)
      throws IOException, InterruptedException {
    int left = looks;
    while (load.isAlive()) {
      if (events(roundDir) >= moment && left-- == 0) {
        load.kill();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return load.exitCode() == KILLED && !isFinished(roundDir);
  }

  /** It has ended by itself, or was killed when nothing was left to do. */
  private static void requireDone(LoaderProcess load, Path roundDir) throws Exception {
    if (load.exitCode() != KILLED || !isFinished(roundDir)) {
      assertThat(load.exitCode()).as(load.log()).isZero();
    }
  }

  private static boolean isFinished(Path roundDir) throws IOException {
    Path journal = work(roundDir).resolve("journal");
    return Files.exists(journal) && Files.readString(journal).contains("\"event\":\"Finished\"");
  }

  /** The work directory of a load, which names it itself. */
  private static Path work(Path roundDir) throws IOException {
    try (Stream<Path> files = Files.list(roundDir)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("bulk-load-"))
          .findFirst()
          .orElse(roundDir.resolve("none"));
    }
  }

  /** Bytes of the journal. */
  private static long events(Path roundDir) throws IOException {
    Path journal = work(roundDir).resolve("journal");
    return Files.exists(journal) ? Files.size(journal) : 0;
  }

  private static Path gzip(Path file) throws IOException {
    Path zipped = file.resolveSibling(file.getFileName() + ".gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
      Files.copy(file, out);
    }
    Files.delete(file);
    return zipped;
  }

  /** The words behind the program of a page's command, as the shell hands them over. */
  private static List<String> command(Path page, String begin, Path directory) throws IOException {
    String line =
        Files.readAllLines(page).stream()
            .filter(text -> text.startsWith(begin))
            .findFirst()
            .orElseThrow()
            .replaceAll(" +#.*", "");
    List<String> words = new ArrayList<>();
    for (String word : List.of(line.split(" +"))) {
      if (!word.equals("history/*.gz")) {
        words.add(word);
        continue;
      }
      try (Stream<Path> files = Files.list(directory.resolve("history"))) {
        files.sorted().forEach(file -> words.add(directory.relativize(file).toString()));
      }
    }
    return words.subList(1, words.size());
  }

  /** By puts as on the page, by HFiles with the other mode. */
  private static List<String> load(String mode, Path directory) throws IOException {
    List<String> arguments = command(PAGE, "bulk-loader load", directory);
    assertThat(arguments).containsSequence("--mode", "put").contains("history/part-0.txt.gz");
    arguments = new ArrayList<>(arguments);
    arguments.addAll(1, List.of("--progress=none", "--keep-work"));
    if (mode.equals("hfile")) {
      arguments.set(arguments.indexOf("put"), mode);
      arguments.add(1, "--hfile-dir=" + LoaderStack.hfileDir(directory));
    }
    return arguments;
  }

  /**
   * Resumes a load that was killed, or begins it if it had no work directory yet: a load by puts in
   * the directory of the load, as on the page, and one by HFiles elsewhere.
   */
  private static LoaderProcess resume(
      String mode, Path elsewhere, Path roundDir, List<String> documented) throws IOException {
    Path log = roundDir.resolve("log");
    Path work = work(roundDir);
    if (!Files.exists(work)) {
      return LoaderProcess.start(roundDir, log, documented);
    }
    List<String> arguments = new ArrayList<>(command(PAGE, "bulk-loader resume", roundDir));
    boolean there = mode.equals("put");
    assertThat(arguments).hasSize(3).last().asString().startsWith("bulk-load-");
    arguments.set(2, there ? roundDir.relativize(work).toString() : work.toString());
    return LoaderProcess.start(there ? roundDir : elsewhere, log, arguments);
  }

  private static List<String> verify(TsdServer tsd, Path work, List<String> files) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "verify",
                "--tsd-config=" + tsd.configFile(),
                "--work-dir=" + work,
                "--progress=none",
                "--input"));
    arguments.addAll(files);
    return arguments;
  }
}
