package io.tsdbsuite.bulk.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.TaskFailures;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkException;
import org.apache.spark.Success$;
import org.apache.spark.TaskEndReason;
import org.apache.spark.executor.ExecutorMetrics;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskLocality;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

/** What the failure of a task means for the load. */
class TaskFailuresTest {
  private final TaskFailures failures = new TaskFailures(SparkFailures.RULES);

  private static TaskEndReason failed(Throwable failure) {
    return new ExceptionFailure(failure, List$.MODULE$.empty());
  }

  private void ends(int index, int attempt, TaskEndReason reason) {
    TaskInfo info =
        new TaskInfo(
            index * 10L + attempt,
            index,
            attempt,
            index,
            0,
            "1",
            "host",
            TaskLocality.ANY(),
            false);
    failures.onTaskEnd(
        new SparkListenerTaskEnd(0, 0, "", reason, info, new ExecutorMetrics(), null));
  }

  private ExitCode verdict(Throwable failure) {
    ends(0, 0, failed(failure));
    return failures.cause(String.valueOf(failure.getMessage())).exitCode();
  }

  @Test
  void aSurpriseIsADefect() {
    assertThat(verdict(new IllegalStateException("a surprise"))).isEqualTo(ExitCode.DEFECT);
    assertThat(failures.cause("a surprise"))
        .hasMessageContaining("a surprise")
        .hasMessageContaining("defect");
    assertThat(verdict(new OutOfMemoryError("Java heap space"))).isEqualTo(ExitCode.DEFECT);
  }

  @Test
  void disksNetworksAndSparkAreOutside() {
    assertThat(verdict(new IOException("no space left"))).isEqualTo(ExitCode.OUTSIDE);
    assertThat(verdict(new UncheckedIOException(new IOException("no space left"))))
        .isEqualTo(ExitCode.OUTSIDE);
    assertThat(verdict(new SparkException("away"))).isEqualTo(ExitCode.OUTSIDE);
    assertThat(verdict(JobException.outside("HBase is away", null))).isEqualTo(ExitCode.OUTSIDE);
  }

  @Test
  void aTaskThatWentWellInTheEndIsForgotten() {
    ends(1, 0, failed(JobException.outside("the one that ended the job", null)));
    ends(0, 0, failed(new IllegalStateException("repeated")));
    ends(0, 1, Success$.MODULE$);
    assertThat(failures.cause("the one that ended the job, repeated"))
        .hasMessage("the one that ended the job");
  }
}
