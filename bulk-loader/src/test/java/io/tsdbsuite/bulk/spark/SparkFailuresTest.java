package io.tsdbsuite.bulk.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.collection.immutable.List$;

/** What a failure on the driver means for the load. */
class SparkFailuresTest {
  private static ExitCode verdict(Throwable failure) {
    return SparkFailures.RULES.ofDriver(failure, false).exitCode();
  }

  static List<Throwable> surprisesAreDefects() {
    return List.of(
        new IllegalStateException("a surprise"),
        new NullPointerException(),
        new StackOverflowError(),
        new SparkException("Task not serializable", new NotSerializableException("a.Class")));
  }

  @ParameterizedTest
  @MethodSource
  void surprisesAreDefects(Throwable surprise) {
    assertThat(verdict(surprise)).isEqualTo(ExitCode.DEFECT);
    assertThat(SparkFailures.RULES.ofDriver(surprise, false))
        .hasMessageContaining("please report it")
        .hasMessageNotContaining("again");
  }

  @Test
  void memoryIsThatOfTheDriver() {
    JobException judged =
        SparkFailures.RULES.ofDriver(new OutOfMemoryError("Java heap space"), false);
    assertThat(judged.exitCode()).isEqualTo(ExitCode.DEFECT);
    assertThat(judged).hasMessageContaining("--driver-memory");
  }

  static List<Throwable> disksNetworksAndSparkAreOutside() {
    return List.of(
        new IOException("no space left"),
        new UncheckedIOException(new IOException("no space left")),
        new TimeoutException("no answer"),
        new InterruptedException(),
        new SparkException("Job aborted", new IllegalStateException("of a task")));
  }

  @ParameterizedTest
  @MethodSource
  void disksNetworksAndSparkAreOutside(Throwable failure) {
    assertThat(verdict(failure)).isEqualTo(ExitCode.OUTSIDE);
    assertThat(SparkFailures.RULES.ofDriver(failure, false)).hasMessageNotContaining("java.");
  }

  @Test
  void aTaskThatADiskHasFailedNamesNoClass() {
    IOException full = new IOException("/data/spill-7: No space left on device");
    ExceptionFailure failure = new ExceptionFailure(new IOException(full), List$.MODULE$.empty());
    JobException judged = SparkFailures.RULES.ofTask(failure);
    assertThat(judged.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(judged).hasMessage("a task failed: /data/spill-7: No space left on device");
  }

  @Test
  void anApplicationThatWasStoppedIsOutside() {
    IllegalStateException stopped =
        new IllegalStateException("Cannot call methods on a stopped SparkContext");
    assertThat(SparkFailures.RULES.ofDriver(stopped, true).exitCode()).isEqualTo(ExitCode.OUTSIDE);
  }

  @Test
  void whatIsKnownStaysAsItIs() {
    JobException known = JobException.badInput("a conflict");
    assertThat(SparkFailures.RULES.ofDriver(known, false)).isSameAs(known);
  }
}
