package io.tsdbsuite.nightly.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.ShippedJar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The jar that users get. */
class ShippedJarIT {
  @TempDir private Path dir;

  private String run(int exitCode, String... args) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                System.getProperty("nightly.jar")));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isEqualTo(exitCode);
    return out;
  }

  @Test
  void versionAndHelp() throws Exception {
    assertThat(run(0, "--version")).startsWith("rollup-nightly 0.");
    try (JarFile jar = new JarFile(System.getProperty("nightly.jar"))) {
      assertThat(jar.getManifest().getMainAttributes().getValue("Implementation-Build"))
          .isNotEmpty();
    }
    assertThat(run(0, "--help").lines().limit(8)).anyMatch(line -> line.contains("Example"));
  }

  /** A directory without snapshots, and no HBase: all days wait, as a run would say. */
  @Test
  void dryRunWithoutHBase() throws Exception {
    Path conf = dir.resolve("nightly.conf");
    Files.writeString(dir.resolve("opentsdb.conf"), "tsd.storage.hbase.zk_quorum = localhost\n");
    Files.writeString(
        conf,
        """
        tsd-config = opentsdb.conf
        first-day = 2026-11-01
        state-dir = state
        reports = reports
        snapshots.take = false
        hbase-root = %s
        job.jar = %s
        kafka.bootstrap = localhost:9092
        kafka.topic = rollups
        spark.command = true
        """
            .formatted(dir.toUri(), System.getProperty("spark.jar")));
    assertThat(run(3, "--config", conf.toString(), "--dry-run"))
        .contains("2026-11-01: no snapshot has been taken since 2026-11-02T01:00:00Z");
    assertThat(Files.exists(dir.resolve("state"))).isFalse();
    assertThat(run(2, "--config", dir.resolve("none").toString()))
        .isEqualTo(
            "rollup-nightly: --config "
                + dir.resolve("none")
                + " cannot be read: there is no such file\n");
  }

  /** The port has no listener. */
  @Test
  void hbaseThatDoesNotAnswer() throws Exception {
    Files.writeString(dir.resolve("opentsdb.conf"), "tsd.storage.hbase.zk_quorum = 127.0.0.1:1\n");
    Path conf = dir.resolve("nightly.conf");
    Files.writeString(
        conf,
        """
        tsd-config = opentsdb.conf
        first-day = 2026-11-01
        state-dir = state
        reports = reports
        hbase-root = %s
        job.jar = %s
        kafka.bootstrap = localhost:9092
        kafka.topic = rollups
        spark.command = true
        """
            .formatted(dir.toUri(), System.getProperty("spark.jar")));
    assertThat(run(3, "--config", conf.toString(), "--dry-run"))
        .contains("HBase at ZooKeeper 127.0.0.1:1, port ", ", znode /hbase must answer within 30 s")
        .doesNotContain("\tat ");
  }

  @Test
  @EnabledIfSystemProperty(named = ShippedJar.WITH_BILL, matches = "true")
  void whatIsInsideIsListedAndItsLicencesAreThere() throws IOException {
    assertThat(ShippedJar.problems("nightly.jar", "nightly")).isEmpty();
  }
}
