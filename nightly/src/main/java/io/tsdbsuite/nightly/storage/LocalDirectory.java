package io.tsdbsuite.nightly.storage;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A local directory that the configuration names. */
public final class LocalDirectory {
  private LocalDirectory() {}

  /**
   * Makes a directory, if it does not exist.
   *
   * @param key the key of the configuration, for the message
   * @throws JobException usage, if it cannot be made or written
   */
  public static void make(String key, Path directory) {
    requireMakeable(key, directory);
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw JobException.usage(
          key + " " + directory + " cannot be made: " + StorageFailures.reason(e), e);
    }
  }

  /**
   * Checks that a directory can be written, or could be made; makes nothing.
   *
   * @param key the key of the configuration, for the message
   * @throws JobException usage, if not
   */
  public static void requireMakeable(String key, Path directory) {
    Path there = directory.toAbsolutePath();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    if (!Files.isDirectory(there) || !Files.isWritable(there)) {
      throw JobException.usage(
          key
              + " must be a directory that can be made and written, found: "
              + directory
              + ", but "
              + there
              + (Files.isDirectory(there) ? " cannot be written" : " is no directory"));
    }
  }
}
