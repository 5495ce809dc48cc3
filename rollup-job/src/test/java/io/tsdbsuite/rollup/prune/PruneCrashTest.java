package io.tsdbsuite.rollup.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that ends at any deletion leaves kept nights whole and other nights visibly gone. */
class PruneCrashTest {
  /** Not an exception of storage, so that the job does not go on. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  @TempDir Path directory;

  private static PruneJob job(TestRoot root, Configuration conf) {
    return new PruneJob(
        conf,
        new PruneOptions(
            root.uri(),
            List.of(TableName.valueOf("tsdb"), TableName.valueOf("tsdb-uid")),
            SnapshotPattern.parse("{table}-{date}"),
            new KeepRule(2, 2, 0),
            Duration.ofDays(7),
            true),
        Clock.systemUTC());
  }

  private static TestRoot root(Path path) throws IOException {
    TestRoot root = new TestRoot(path);
    root.nights("2026-01-01", 6);
    root.snapshot("tsdb-by-hand", "tsdb", "a001");
    return root;
  }

  @Test
  void everyMoment() throws IOException {
    TestRoot never = root(directory.resolve("never"));
    AtomicInteger all = new AtomicInteger();
    assertThat(job(never, HookedFileSystem.with(path -> all.incrementAndGet())).run().exitCode())
        .isEqualTo(ExitCode.DONE);
    SortedSet<String> expected = never.tree();
    // Three nights: markers, four files and two directories each; two HFiles.
    assertThat(all.get()).isEqualTo(3 * 7 + 2);
    for (int moment = 1; moment <= all.get(); moment++) {
      TestRoot root = root(directory.resolve("killed-" + moment));
      AtomicInteger left = new AtomicInteger(moment);
      Configuration dying =
          HookedFileSystem.with(
              path -> {
                if (left.decrementAndGet() <= 0) {
                  throw new Killed();
                }
              });
      assertThatThrownBy(() -> job(root, dying).run()).isInstanceOf(Killed.class);
      requireState(root);
      PruneReport report = job(root, new Configuration()).run();
      assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DONE);
      assertThat(root.tree()).as("killed at deletion %d", moment).isEqualTo(expected);
    }
  }

  private static void requireState(TestRoot root) throws IOException {
    for (int day = 1; day <= 6; day++) {
      String date = "2026-01-%02d".formatted(day);
      for (String table : List.of(TestRoot.DATA, TestRoot.UID)) {
        String name = TestRoot.name(table, date);
        // The fourth is the last of its week, a Sunday.
        if (day >= 4 || root.isSnapshot(name)) {
          root.requireWhole(name);
        }
      }
    }
    root.requireWhole("tsdb-by-hand");
  }
}
