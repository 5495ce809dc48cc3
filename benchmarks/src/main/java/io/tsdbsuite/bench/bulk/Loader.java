package io.tsdbsuite.bench.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bench.measure.Child;
import io.tsdbsuite.bench.measure.CpuClock;
import io.tsdbsuite.bench.measure.KernelRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs bin/bulk-loader as a user does, and single parts in a JVM with the same flags. */
final class Loader {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path jar;
  private final Path script;
  private final Path dir;
  private int runs;

  /**
   * @param jar the shaded jar
   * @param dir for work directories, reports and logs
   */
  Loader(Path jar, Path dir) throws IOException {
    this.jar = jar.toAbsolutePath().normalize();
    this.script = this.jar.resolve("../../bin/bulk-loader").normalize();
    this.dir = Files.createDirectories(dir.toAbsolutePath());
  }

  /**
   * Runs a command that writes into an installation.
   *
   * @param expected number of points that its report must show as written
   * @throws IllegalStateException when the run fails, its books do not close, or points are missing
   */
  LoaderRun run(Installation to, long expected, String command, List<String> options)
      throws IOException, InterruptedException {
    String name = command + "-" + runs++;
    Path report = dir.resolve(name + ".json");
    List<String> line = new ArrayList<>(List.of(script.toString(), command));
    line.add("--tsd-config=" + to.tsd().configFile());
    line.add("--work-dir=" + dir.resolve(name));
    line.add("--report=" + report);
    line.add("--progress=none");
    line.addAll(options);
    sync();
    CpuClock hbase = CpuClock.of(to.hbasePid());
    Child process =
        Child.run(line, Map.of("BULK_LOADER_JAR", jar.toString()), dir.resolve(name + ".log"));
    double hbaseCpu = hbase.seconds();
    JsonNode json = MAPPER.readTree(report.toFile());
    LoaderRun run = new LoaderRun(process, json, hbaseCpu);
    if (run.points() != expected || !json.path("booksClose").asBoolean()) {
      throw new IllegalStateException(
          line + " must write " + expected + " points and close its books, found:\n" + json);
    }
    return run;
  }

  /** Runs {@link BulkKernel} in a separate JVM with the loader's class path and flags. */
  KernelRun kernel(String... arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-Xmx4g",
            "-XX:+UseParallelGC",
            "-XX:-UsePerfData",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Dlog4j2.configurationFile=bulk-loader-log4j2.properties",
            "-cp",
            Path.of("target", "classes").toAbsolutePath() + ":" + jar,
            BulkKernel.class.getName()));
    line.addAll(List.of(arguments));
    sync();
    Child process = Child.run(line, Map.of(), dir.resolve("kernel-" + runs++ + ".log"));
    return KernelRun.parse(process);
  }

  /** Syncs the disk, so that earlier writes do not slow down the next measurement. */
  private void sync() throws IOException, InterruptedException {
    Child.run(List.of("sync"), Map.of(), dir.resolve("sync.log"));
  }
}
