package io.tsdbsuite.rollup.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.TaskFailures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.collection.immutable.List$;

/** What a job of Spark that failed means to the caller. */
class TaskFailuresTest {
  private static JavaSparkContext spark;

  @BeforeAll
  static void start() {
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[1,2]")
                .setAppName("task failures")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static int run(Function<Integer, Integer> task) {
    return spark.parallelize(List.of(1), 1).map(task).collect().get(0);
  }

  private static void requireFailure(Runnable jobs, ExitCode exitCode, String message) {
    assertThatThrownBy(() -> TaskFailures.watch(spark, SparkFailures.RULES, jobs, () -> false))
        .asInstanceOf(type(JobException.class))
        .satisfies(failure -> assertThat(failure.exitCode()).isEqualTo(exitCode))
        .satisfies(failure -> assertThat(failure).hasMessageContaining(message));
  }

  @Test
  void whatATaskThrowsIsTheVerdict() {
    requireFailure(
        () ->
            run(
                x -> {
                  throw JobException.usage("the topic is gone");
                }),
        ExitCode.USAGE,
        "the topic is gone");
  }

  /** Of an executor in a JVM of its own, which ends then. */
  @Test
  void aTaskWithoutMemoryIsToldSo() {
    JobException failure =
        SparkFailures.RULES.ofTask(
            new ExceptionFailure(
                "java.lang.OutOfMemoryError",
                "Java heap space",
                new StackTraceElement[0],
                "",
                Option.empty(),
                List$.MODULE$.empty(),
                List$.MODULE$.empty(),
                List$.MODULE$.empty()));
    assertThat(failure.exitCode()).isEqualTo(ExitCode.DEFECT);
    assertThat(failure)
        .hasMessageStartingWith(
            "a task's memory did not suffice (Java heap space): give executors more");
  }

  /** Another job fails later, for a reason of Spark's own. */
  @Test
  void anAttemptThatWasRepeatedWellIsForgotten() {
    requireFailure(
        () -> {
          run(
              x -> {
                if (TaskContext.get().attemptNumber() == 0) {
                  throw JobException.usage("the topic is gone");
                }
                return x;
              });
          spark.sc().clearJobGroup();
          throw new IllegalStateException("cannot tell");
        },
        ExitCode.DEFECT,
        "cannot tell");
  }

  @Test
  void anExceptionOfOurOwnCodeIsADefect() {
    requireFailure(
        () ->
            run(
                x -> {
                  throw new IllegalStateException("two rows of one key");
                }),
        ExitCode.DEFECT,
        "java.lang.IllegalStateException: two rows of one key");
  }

  /** Spark repeats the stack traces of the task and of the driver. */
  @Test
  void aFailureIsOneLineWithoutNamesOfClasses() {
    String text =
        "Job aborted due to stage failure: Lost task 0.0: java.io.IOException: No space left on"
            + " device\n\tat java.base/sun.nio.ch.FileDispatcherImpl.write0\nDriver stacktrace:\n";
    assertThat(SparkFailures.RULES.ofDriver(new SparkException(text), false))
        .hasMessage(
            "Spark failed: Job aborted due to stage failure: Lost task 0.0: No space left on"
                + " device");
    assertThatThrownBy(
            () ->
                TaskFailures.watch(
                    spark,
                    SparkFailures.RULES,
                    () ->
                        run(
                            x -> {
                              throw new java.io.IOException("No space left on device\n\tat x.y");
                            }),
                    () -> false))
        .hasMessageStartingWith("a task failed: No space left on device; look at the disks of");
  }

  /** In the log of the driver, where Spark repeats each stack trace four times. */
  @Test
  void aFullDiskIsOneLine() {
    FullDiskLog.shorten();
    LoggerContext context = (LoggerContext) LogManager.getContext(false);
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    AbstractAppender appender =
        new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
          }
        };
    appender.start();
    context.getConfiguration().getRootLogger().addAppender(appender, Level.INFO, null);
    try {
      for (String reason : List.of("No space left on device", "Disk quota exceeded", "other")) {
        requireFailure(
            () ->
                run(
                    x -> {
                      throw new java.io.IOException(reason);
                    }),
            ExitCode.OUTSIDE,
            reason);
      }
    } finally {
      context.getConfiguration().getRootLogger().removeAppender("lines");
    }
    for (String reason : List.of("No space left on device", "Disk quota exceeded")) {
      assertThat(lines)
          .filteredOn(line -> line.contains(reason))
          .hasSize(1)
          .allMatch(line -> line.startsWith("WARN Lost task") && !line.contains("\tat "));
    }
    assertThat(lines).anyMatch(line -> line.contains("other") && line.contains("\tat "));
  }

  @Test
  void aMachineThatFailsIsNoDefect() {
    requireFailure(
        () ->
            run(
                x -> {
                  throw new java.nio.file.FileSystemException("/tmp", null, "No space left");
                }),
        ExitCode.OUTSIDE,
        "No space left");
  }
}
