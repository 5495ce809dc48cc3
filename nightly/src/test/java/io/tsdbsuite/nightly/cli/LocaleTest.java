package io.tsdbsuite.nightly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.nightly.config.JobJar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes in the locale of cron and systemd: a {@code ?} in a pattern of metrics fits others. */
class LocaleTest {
  @TempDir private Path dir;

  private String run(int exitCode, String locale, String config, String option) throws Exception {
    ProcessBuilder nightly =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            NightlyMain.class.getName(),
            "--config",
            config,
            option);
    nightly.environment().put("LC_ALL", locale);
    Process process = nightly.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isEqualTo(exitCode);
    return out;
  }

  private String config(String more) throws IOException {
    Files.writeString(dir.resolve("opentsdb.conf"), "");
    List<String> lines =
        List.of(
            "tsd-config = opentsdb.conf",
            "first-day = 2026-11-01",
            "state-dir = state",
            "reports = reports",
            "snapshots.take = false",
            "hbase-root = " + Files.createDirectories(dir.resolve("hbase")).toUri(),
            "job.jar = " + JobJar.write(dir.resolve("job.jar"), "rollup-job"),
            "kafka.bootstrap = localhost:9092",
            "kafka.topic = rollups",
            "spark.command = true",
            more);
    return Files.write(dir.resolve("nightly.conf"), lines).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "job.options,--metrics adv.gén*",
    "verify.metrics,adv.gén*",
    "state-dir,état",
  })
  void valuesThatCannotBePassedOn(String key, String value) throws Exception {
    String config = config("");
    List<String> lines = Files.readAllLines(Path.of(config));
    Files.write(
        Path.of(config),
        Stream.concat(
                lines.stream().filter(line -> !line.startsWith(key + " ")),
                Stream.of(key + " = " + value))
            .toList());
    assertThat(run(2, "C", config, "--dry-run"))
        .isEqualTo(
            "rollup-nightly: "
                + key
                + " must have only characters of the locale's character set, US-ASCII: set LC_ALL"
                + " to a UTF-8 locale such as C.UTF-8, found: '"
                + value
                + "'\n");
  }

  @Test
  void inUtf8TheyArePassedOn() throws Exception {
    String config = config("job.options = --metrics adv.gén*");
    // Days of this configuration have waited for a snapshot for more than a day.
    assertThat(run(3, "C.UTF-8", config, "--dry-run")).contains("no snapshot has been taken since");
  }

  @Test
  void aCommandLineThatCannotBeRead() throws Exception {
    assertThat(run(2, "C", "/étc/nightly.conf", "--dry-run"))
        .contains("the command line must have only characters of the locale's character set");
  }
}
