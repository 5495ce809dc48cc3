package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An executor dies amid a stage: Spark repeats what it had, and the books close all the same. */
@Tag("slow")
class SparkKillIT {
  private static final int POINTS = Integer.getInteger("bulk.kill.points", 150_000);
  private static final long SEED = Seed.VALUE;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Sixteen salts, a region for each: tasks enough for the write stage to have a middle. */
  private static final List<byte[]> SPLITS =
      Stream.iterate(1, i -> i + 1).limit(15).map(i -> new byte[] {i.byteValue()}).toList();

  @ParameterizedTest
  @ValueSource(strings = {"read", "write"})
  void nothingIsLostAndNothingDouble(String stage) throws Exception {
    String test = "spark-kill-" + stage;
    Map<String, String> conf =
        LoaderStack.conf(test, "tsd.storage.salt.width", "1", "tsd.storage.salt.buckets", "16");
    TsdServer tsd = LoaderStack.tsd(test, conf, SPLITS);
    Path dir = WorkDirs.fresh(test);
    RandomPoints points = new RandomPoints(test, POINTS, SEED);
    List<String> files = points.write(dir, 4);
    SparkSubmit load =
        SparkSubmit.start(
            dir,
            "local-cluster[2,1,1024]",
            SparkLoadIT.arguments(dir, tsd.configFile(), files, "--unit-size=64k"));
    Path hfiles = Path.of(URI.create(LoaderStack.hfileDir(dir.resolve("spark"))));
    // Two executors, of which one has something to lose.
    Await.until(
        "the load is amid the " + stage + " stage",
        LIMIT,
        () -> !load.isAlive() || isAmid(stage, load.local(), hfiles));
    List<ProcessHandle> executors = load.executors();
    assertThat(executors).as("executors").hasSize(2);
    executors.get(0).destroyForcibly();
    SparkSubmit.Outcome outcome = load.await();
    assertThat(outcome.code()).as(outcome.log()).isZero();
    assertThat(outcome.log()).contains("Lost executor");
    JsonNode report = new ObjectMapper().readTree(dir.resolve("report.json").toFile());
    assertThat(report.path("booksClose").asBoolean()).as(report.toString()).isTrue();
    assertThat(report.path("counts").path("pointsRead").asLong()).isEqualTo(points.lines());
    assertThat(report.path("counts").path("pointsWritten").asLong()).isEqualTo(POINTS);
    // Which salt a series has depends on its UIDs, which tasks assign in any order: a region may
    // have
    // no series.
    assertThat(LoaderStack.storeFiles(conf.get("tsd.storage.hbase.data_table")))
        .hasSize(16)
        .contains(1)
        .allMatch(count -> count <= 1);
    assertThat(Files.exists(hfiles)).isFalse();
    List<String> verify =
        new ArrayList<>(
            List.of(
                "verify",
                "--tsd-config=" + tsd.configFile(),
                "--work-dir=" + dir.resolve("verify"),
                "--progress=none",
                "--input"));
    verify.addAll(files);
    Loader.Outcome verified = Loader.run(verify.toArray(String[]::new));
    assertThat(verified.code().code()).as(verified.err() + verified.out()).isZero();
    long found = 0;
    for (String metric : points.metrics()) {
      found += Answers.of(tsd, metric).values().stream().mapToLong(Map::size).sum();
    }
    assertThat(found).isEqualTo(POINTS);
  }

  private static boolean isAmid(String stage, Path local, Path hfiles) {
    return stage.equals("read")
        ? count(local, "shuffle_", ".index") >= 6
        : count(hfiles.resolve("t"), "load", "") >= 2;
  }

  private static long count(Path root, String start, String end) {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(start) && name.endsWith(end))
          .count();
    } catch (IOException | UncheckedIOException e) {
      // Files come and go.
      return 0;
    }
  }
}
