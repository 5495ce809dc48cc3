package io.tsdbsuite.stream.cli;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.UUID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/** Checks the directories of the state before the job starts: Flink would fail in a loop. */
final class CheckpointDirectory {
  /**
   * Simple names, because a file system that is a plugin has a class loader of its own: HDFS
   * between two name nodes or in safe mode, and S3 that fails or slows down.
   */
  private static final Set<String> OUTAGES =
      Set.of(
          "StandbyException",
          "SafeModeException",
          "RetriableException",
          "AWSServiceThrottledException",
          "AWSStatus500Exception",
          "ConnectTimeoutException");

  private CheckpointDirectory() {}

  /**
   * Writes and removes a file in the checkpoint directory, and looks for the checkpoint to start
   * from.
   *
   * @param write false: asks only whether the storage of the checkpoint directory answers
   * @param problems receives what fails
   * @throws JobException outside, when the storage does not answer
   */
  static void check(Configuration settings, boolean write, Problems problems) {
    String directory = settings.getString("execution.checkpointing.dir", "");
    try {
      Path probe = new Path(directory, ".stream-rollup-" + UUID.randomUUID());
      FileSystem files = probe.getFileSystem();
      if (write) {
        try (OutputStream out = files.create(probe, FileSystem.WriteMode.NO_OVERWRITE)) {
          out.write(1);
        }
        files.delete(probe, false);
      } else {
        files.exists(probe);
      }
    } catch (IOException | IllegalArgumentException e) {
      refuseOutage("--checkpoint-dir", directory, e);
      problems.add("--checkpoint-dir must be a directory that can be written, found: " + e);
    }
    String before = settings.getString("execution.state-recovery.path", "");
    if (!before.isEmpty()) {
      try {
        Path path = new Path(before);
        Path metadata = "_metadata".equals(path.getName()) ? path : new Path(path, "_metadata");
        FileSystem files = metadata.getFileSystem();
        if (!files.exists(metadata)) {
          problems.add(
              "--from-checkpoint must be a directory with the file _metadata, found: " + before);
          return;
        }
        try (InputStream in = files.open(metadata)) {
          CheckpointFormat format = CheckpointFormat.read(in, before);
          String backend = settings.getString("state.backend.type", "");
          if (!format.isReadBy(backend)) {
            problems.add(
                ("--from-checkpoint must be a savepoint if --state changes, found a checkpoint of"
                        + " --state %s with %s")
                    .formatted(format, backend));
          }
        }
      } catch (IOException | IllegalArgumentException e) {
        refuseOutage("--from-checkpoint", before, e);
        problems.add("--from-checkpoint cannot be read: " + e);
      }
    }
  }

  /** A later start may succeed; a name that has no address stays a wrong configuration. */
  private static void refuseOutage(String option, String directory, Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketException
          || cause instanceof SocketTimeoutException
          || OUTAGES.contains(cause.getClass().getSimpleName())) {
        throw JobException.outside(
            option + " " + directory + " does not answer: " + cause, failure);
      }
    }
  }
}
