package io.tsdbsuite.bulk.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Jobs of a real Spark whose executors are threads of this JVM. */
class SparkJobsTest {
  private static JavaSparkContext spark;

  @BeforeAll
  static void start() {
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[2]")
                .setAppName("jobs")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.driver.host", "127.0.0.1"));
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  /** Says the number of its partition, or fails. */
  private record Numbered(RuntimeException failure) implements PartitionTask {
    @Override
    public byte[] run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
      if (failure != null) {
        throw failure;
      }
      return new byte[] {(byte) context.partitionId()};
    }
  }

  private static void run(List<Integer> partitions, PartitionTask task, Predicate<byte[]> results) {
    List<Tuple2<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      records.add(new Tuple2<>(new byte[0], new byte[0]));
    }
    new SparkJobs(spark, spark.parallelizePairs(records, records.size()), "test")
        .run(partitions, "test", task, results);
  }

  @Test
  void onlyThePartitionsThatAreAskedForRun() {
    List<Integer> ran = new ArrayList<>();
    run(List.of(1, 4), new Numbered(null), bytes -> ran.add((int) bytes[0]));
    assertThat(ran).containsExactlyInAnyOrder(1, 4);
  }

  @Test
  void aSurpriseOnTheDriverIsADefect() {
    assertThatThrownBy(
            () ->
                run(
                    List.of(0),
                    new Numbered(null),
                    bytes -> {
                      throw new IllegalStateException("a surprise");
                    }))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.DEFECT))
        .hasMessageContaining("please report it")
        .hasMessageContaining("a surprise")
        .hasMessageNotContaining("again");
  }

  /** It holds something that Spark cannot send. */
  @SuppressWarnings("serial")
  private record Unsendable(Object what) implements PartitionTask {
    @Override
    public byte[] run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
      return new byte[0];
    }
  }

  @Test
  void aTaskThatCannotBeSentIsADefect() {
    assertThatThrownBy(() -> run(List.of(0), new Unsendable(new Object()), bytes -> true))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.DEFECT))
        .hasMessageContaining("please report it");
  }

  @Test
  void whatATaskThrewIsTheVerdictOfItsJob() {
    JobException outside = JobException.outside("HBase is away", new IOException("away"));
    assertThatThrownBy(() -> run(List.of(0), new Numbered(outside), bytes -> true))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE))
        .hasMessage("HBase is away");
  }
}
