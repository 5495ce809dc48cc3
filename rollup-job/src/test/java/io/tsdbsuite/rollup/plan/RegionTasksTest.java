package io.tsdbsuite.rollup.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.threads.Workers;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegionTasksTest {
  private static final List<SnapshotRegion> REGIONS =
      List.of(new SnapshotRegion("0", new byte[0], new byte[0], List.of()));

  private static JobException failure(Workers.Work<SnapshotRegion, String> task) {
    return catchThrowableOfType(JobException.class, () -> RegionTasks.run("data", REGIONS, task));
  }

  @Test
  void aRegionThatCannotBeReadIsAnOutage() {
    JobException failure =
        failure(
            region -> {
              throw new IOException("connection reset");
            });
    assertThat(failure.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(failure).hasMessageContaining("snapshot 'data' could not be read: connection reset");
  }

  /** Some file systems have a RuntimeException for an outage. */
  @Test
  void aFileSystemThatIsClosedIsAnOutage() {
    JobException failure =
        failure(
            region -> {
              throw new IllegalStateException("Connection pool shut down");
            });
    assertThat(failure.exitCode()).isEqualTo(ExitCode.OUTSIDE);
  }

  /** Otherwise the message would name the driver's memory, also on an executor. */
  @Test
  void exhaustedMemoryKeepsItsError() {
    OutOfMemoryError exhausted = new OutOfMemoryError("Java heap space");
    assertThatThrownBy(
            () ->
                RegionTasks.run(
                    "data",
                    REGIONS,
                    region -> {
                      throw exhausted;
                    }))
        .isSameAs(exhausted);
  }

  @Test
  void anExceptionThatOnlyWrongCodeThrowsIsADefect() {
    JobException failure =
        failure(region -> Integer.toString(region.startKey()[region.startKey().length]));
    assertThat(failure.exitCode()).isEqualTo(ExitCode.DEFECT);
    assertThat(failure).hasMessageContaining("a defect of rollup-job, please report it");
  }
}
