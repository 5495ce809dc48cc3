package io.tsdbsuite.rollup.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many HFiles; writes the time to {@code target/prune-scale.txt}. For the figure in docs/prune.md:
 * {@code -Dprune.files=100000}.
 */
class PruneScaleTest {
  private static final int FILES = Integer.getInteger("prune.files", 1000);
  private static final int NIGHTS = 20;
  private static final int KEPT = 10;

  /** Each night names the files of five generations, of which the next night has four. */
  private static final int GENERATIONS = NIGHTS + 4;

  private static final int PER_REGION = 240;

  @TempDir Path directory;

  private static List<String> files(int generation) {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < PER_REGION / GENERATIONS; i++) {
      files.add("%016x%016x".formatted(generation + 1, i));
    }
    return files;
  }

  private int write(TestRoot root) throws IOException {
    int regions = Math.max(1, FILES / PER_REGION);
    for (int region = 0; region < regions; region++) {
      String path =
          "archive/data/default/tsdb/"
              + TestRoot.info("tsdb", region, regions).getEncodedName()
              + "/t/";
      for (int generation = 0; generation < GENERATIONS; generation++) {
        for (String file : files(generation)) {
          root.write(path + file, "0123456789");
        }
      }
    }
    for (int night = 0; night < NIGHTS; night++) {
      String name = TestRoot.name("tsdb", LocalDate.of(2026, 1, 1).plusDays(night).toString());
      List<String> files = new ArrayList<>();
      for (int generation = night; generation < night + 5; generation++) {
        files.addAll(files(generation));
      }
      root.manifest(".hbase-snapshot/" + name, name, "tsdb", regions, region -> files);
    }
    return regions * PER_REGION;
  }

  private static PruneReport run(TestRoot root, boolean delete) {
    PruneReport report =
        new PruneJob(
                new Configuration(),
                new PruneOptions(
                    root.uri(),
                    List.of(TableName.valueOf("tsdb")),
                    SnapshotPattern.parse("{table}-{date}"),
                    new KeepRule(KEPT, 0, 0),
                    Duration.ofDays(7),
                    delete),
                Clock.systemUTC())
            .run();
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
    assertThat(report.booksClose()).isTrue();
    return report;
  }

  @Test
  void manyFiles() throws IOException {
    TestRoot root = new TestRoot(directory);
    int files = write(root);
    PruneReport plan = run(root, false);
    long garbage = (long) files / GENERATIONS * KEPT;
    assertThat(plan.books().found().files()).isEqualTo(files);
    assertThat(plan.books().deleted().files()).isEqualTo(garbage);
    PruneReport sweep = run(root, true);
    assertThat(sweep.books().deleted().files()).isEqualTo(garbage);
    Files.writeString(
        Path.of("target", "prune-scale.txt"),
        String.format(
            Locale.ROOT,
            "%d HFiles, %d nights: planned in %.1f s; with %d HFiles deleted in %.1f s%n",
            files,
            NIGHTS,
            seconds(plan),
            garbage,
            seconds(sweep)));
  }

  private static double seconds(PruneReport report) {
    return report.report().json().path("seconds").asDouble();
  }
}
