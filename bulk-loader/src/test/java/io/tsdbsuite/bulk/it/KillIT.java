package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code kill -9} at random moments, resume, verify: nothing lost, nothing double. */
class KillIT {
  /** Twenty with {@code -Dbulk.kills=20}. */
  private static final int KILLS = Integer.getInteger("bulk.kills", 2);

  private static final int POINTS = Integer.getInteger("bulk.kill.points", 20_000);

  /** Looks at the journal from one entry to another, about. */
  private static final int LOOKS = 120;

  /** Between two looks, so that looking takes no core from the load. */
  private static final long PAUSE_NANOS = 100_000;

  private static final long SEED = Seed.VALUE;

  @ParameterizedTest
  @ValueSource(strings = {"put", "hfile"})
  void nothingIsLostAndNothingDouble(String mode) throws Exception {
    String test = "kill-" + mode;
    Map<String, String> conf = LoaderStack.conf(test);
    TsdServer tsd = LoaderStack.tsd(test, conf);
    Path dir = WorkDirs.fresh(test);
    Random random = new Random(SEED);
    int killed = 0;
    // Journal entries and files of a whole load, from one that is not killed.
    long whole = 0;
    for (int round = 0; round <= KILLS; round++) {
      RandomPoints points = new RandomPoints(test + "." + round, POINTS, random.nextLong());
      Path roundDir = Files.createDirectories(dir.resolve("round-" + round));
      List<String> files = points.write(roundDir, 4);
      Path work = roundDir.resolve("work");
      Path log = roundDir.resolve("log");
      // As the documents have it; the resume runs elsewhere.
      List<String> documented = arguments(mode, tsd, work, List.of("part-*.txt"));
      LoaderProcess load = LoaderProcess.start(roundDir, log, documented);
      if (round > 0) {
        long moment = (long) (random.nextDouble() * whole);
        killed += killAt(load, work, moment, random.nextInt(LOOKS)) ? 1 : 0;
      } else {
        assertThat(load.exitCode()).as(load.log()).isZero();
        whole = events(work);
      }
      if (load.exitCode() != 0) {
        LoaderProcess resumed =
            Files.exists(work)
                ? LoaderProcess.start(dir, log, List.of("resume", "--work-dir=" + work))
                : LoaderProcess.start(roundDir, log, documented);
        assertThat(resumed.exitCode()).as(resumed.log()).isZero();
      }
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
    System.out.println(mode + ": " + killed + " of " + KILLS + " loads died before their end");
  }

  /**
   * Watches the journal, and kills the load a few looks after it has so many bytes; false if it
   * ended before.
   */
  private static boolean killAt(LoaderProcess load, Path work, long moment, int looks)
      throws IOException, InterruptedException {
    int left = looks;
    while (load.isAlive()) {
      if (events(work) >= moment && left-- == 0) {
        load.kill();
        return true;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return false;
  }

  /** Bytes of the journal. */
  private static long events(Path work) throws IOException {
    Path journal = work.resolve("journal");
    return Files.exists(journal) ? Files.size(journal) : 0;
  }

  private static List<String> arguments(String mode, TsdServer tsd, Path work, List<String> files) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "load",
                "--tsd-config=" + tsd.configFile(),
                "--work-dir=" + work,
                "--progress=none",
                "--keep-work",
                "--mode=" + mode));
    if (mode.equals("hfile")) {
      arguments.add("--hfile-dir=" + LoaderStack.hfileDir(work));
    }
    arguments.add("--input");
    arguments.addAll(files);
    return arguments;
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
