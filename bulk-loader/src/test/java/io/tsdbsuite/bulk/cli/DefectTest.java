package io.tsdbsuite.bulk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An unexpected failure ends with 4, and the JVM's own exit codes do not reach the caller. */
class DefectTest {
  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** A clock that fails, from the first reading on or at one later reading. */
  private static final class Broken extends Clock {
    private final Throwable failure;
    private final int onlyReading;
    private int readings;

    private Broken(Throwable failure, int onlyReading) {
      this.failure = failure;
      this.onlyReading = onlyReading;
    }

    @Override
    public Instant instant() {
      if (onlyReading > 0 && ++readings != onlyReading) {
        return Instant.EPOCH;
      }
      if (failure instanceof Error e) {
        throw e;
      }
      throw (RuntimeException) failure;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private ExitCode run(Throwable failure, String command) throws IOException {
    Path config = Files.writeString(dir.resolve("o.conf"), "");
    Path input = Files.writeString(dir.resolve("in"), "m 1 1 a=b\n");
    return new BulkLoaderMain(
            new PrintWriter(out, true), new PrintWriter(err, true), new Broken(failure, 0))
        .run(command, "--tsd-config=" + config, "--input", input.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"load", "verify"})
  void anUnexpectedExceptionIsADefect(String command) throws IOException {
    assertThat(run(new IllegalStateException("a surprise"), command)).isEqualTo(ExitCode.DEFECT);
    assertThat(ExitCode.DEFECT.code()).isEqualTo(4);
    assertThat(err.toString())
        .contains("a defect of bulk-loader, please report it")
        .contains("a surprise")
        .contains("at io.tsdbsuite.bulk.cli")
        .doesNotContain("again")
        .doesNotContain("resume")
        .doesNotContain("bad input");
  }

  @Test
  void aReportThatCannotBeWrittenDoesNotHideTheFailure() throws IOException {
    Path config = Files.writeString(dir.resolve("o.conf"), "");
    Path input = Files.writeString(dir.resolve("in"), "m 1 1 a=b\n");
    // In the place of the file that the report is written to first.
    Files.createDirectories(dir.resolve("report.json.part"));
    // After the settings and the beginning: in the comparison.
    Clock clock = new Broken(new IllegalStateException("a surprise"), 3);
    ExitCode code =
        new BulkLoaderMain(new PrintWriter(out, true), new PrintWriter(err, true), clock)
            .run(
                "verify",
                "--tsd-config=" + config,
                "--input=" + input,
                "--report=" + dir.resolve("report.json"));
    assertThat(code).as(err.toString()).isEqualTo(ExitCode.DEFECT);
    assertThat(err.toString()).contains("a surprise").contains("cannot be written");
  }

  @Test
  void soIsAnErrorOfTheJvm() throws IOException {
    assertThat(run(new OutOfMemoryError("Java heap space"), "load")).isEqualTo(ExitCode.DEFECT);
    assertThat(err.toString()).contains("Java heap space").contains("--memory");
  }

  @Test
  void nothingLeavesMain() throws Exception {
    Process process =
        java(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            classes(BulkLoaderMain.class) + File.pathSeparator + classes(ExitCode.class),
            BulkLoaderMain.class.getName(),
            "load");
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isEqualTo(ExitCode.DEFECT.code());
    assertThat(text).contains("NoClassDefFoundError").contains("please report it");
  }

  @Test
  void aJvmThatDoesNotStartIsNoBadInput() throws Exception {
    Path noJar = Files.writeString(dir.resolve("bulk-loader-all.jar"), "no jar");
    ProcessBuilder script = new ProcessBuilder("bash", "bin/bulk-loader", "load");
    script.redirectErrorStream(true);
    Map<String, String> environment = script.environment();
    environment.put("BULK_LOADER_JAR", noJar.toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    Process process = script.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isEqualTo(ExitCode.USAGE.code());
    assertThat(text).contains("Java 17 must start");
  }

  /** Spark's constructor throws a checked exception that no signature tells of. */
  @Test
  void aSparkThatDoesNotStartIsNoBadInput() throws IOException {
    Path config = Files.writeString(dir.resolve("o.conf"), "");
    System.setProperty("spark.master", "local[1]");
    System.setProperty("spark.executor.extraJavaOptions", "-Xmx1g");
    try {
      ExitCode code =
          new BulkLoaderMain(
                  new PrintWriter(out, true), new PrintWriter(err, true), Clock.systemUTC())
              .run(
                  "spark-load",
                  "--tsd-config=" + config,
                  "--hfile-dir=" + dir,
                  "--input",
                  config.toString());
      assertThat(code).as(err.toString()).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString()).contains("extraJavaOptions");
    } finally {
      System.clearProperty("spark.master");
      System.clearProperty("spark.executor.extraJavaOptions");
    }
  }

  private static Process java(String... command) throws IOException {
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static Path classes(Class<?> owner) throws URISyntaxException {
    return Path.of(owner.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
