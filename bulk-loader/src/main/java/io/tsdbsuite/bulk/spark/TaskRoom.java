package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.group.Grouping;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/** Memory and disk of a task. */
final class TaskRoom {
  /** Memory that Spark reserves for itself, bytes. */
  private static final long RESERVED = 300L << 20;

  /** The rest is for UIDs and small objects. */
  private static final double FOR_POINTS = 0.75;

  private TaskRoom() {}

  /**
   * A share of the heap that Spark leaves alone ({@code 1 - spark.memory.fraction}), bytes.
   *
   * @param slots tasks at the same time, 0 for one on each processor
   */
  static long memory(int slots) {
    double fraction = SparkEnv.get().conf().getDouble("spark.memory.fraction", 0.6);
    int tasks = slots > 0 ? slots : Runtime.getRuntime().availableProcessors();
    double left = (Runtime.getRuntime().maxMemory() - RESERVED) * (1 - fraction) * FOR_POINTS;
    return Math.max(Grouping.MIN_MEMORY, (long) (left / tasks));
  }

  /** A directory on one of Spark's local disks, deleted at the end of the task. */
  static Path directory(TaskContext context, int unit) {
    File[] disks = SparkEnv.get().blockManager().diskBlockManager().localDirs();
    Path disk = disks[unit % disks.length].toPath();
    try {
      Path directory = Files.createTempDirectory(disk, "bulk-load-");
      atEnd(context, () -> delete(directory));
      return directory;
    } catch (IOException e) {
      throw JobException.outside(
          "Spark's local directory " + disk + ": " + StorageFailures.reason(e), e);
    }
  }

  /** Runs something when the task has ended, however it did. */
  static void atEnd(TaskContext context, Runnable action) {
    TaskContext unused =
        context.addTaskCompletionListener((TaskCompletionListener) ended -> action.run());
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // Spark removes its local directories with all that is in them when the application ends.
    }
  }
}
