package io.tsdbsuite.nightly.process;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.FileReplacement;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;

/** The files of a state directory, which an earlier run has left. */
public final class StateDirectory {
  private static final int OWNER_LENGTH = 8;
  private static final Path KERNEL_HOST = Path.of("/proc/sys/kernel/hostname");

  private StateDirectory() {}

  /** Name of this machine, by Linux's kernel; elsewhere empty. */
  static String host() {
    try {
      return Files.isReadable(KERNEL_HOST) ? Files.readString(KERNEL_HOST).strip() : "";
    } catch (IOException e) {
      throw JobException.outside(
          "the name of the host cannot be read: " + StorageFailures.reason(e), e);
    }
  }

  /**
   * A random number that marks what the directory's runs have made, in the file {@code owner}: it
   * stays when the directory is moved. On another machine the directory is a copy and gets a new
   * number, so that two machines with one HBase do not take each other's snapshots for their own.
   *
   * @param stateDir exists
   * @param host name of this machine
   * @throws JobException usage, if the file has something else; outside, if the disk fails
   */
  public static String owner(Path stateDir, String host) {
    Path file = stateDir.resolve("owner");
    try {
      String found = Files.exists(file) ? Files.readString(file).strip() : "";
      int end = found.indexOf(' ');
      boolean isOfOther = end >= 0 && !found.substring(end + 1).equals(host);
      String owner =
          isOfOther || !Files.exists(file)
              ? UUID.randomUUID().toString().substring(0, OWNER_LENGTH)
              : found.replaceFirst(" .*", "");
      if (!owner.matches("[0-9a-f]{%d}".formatted(OWNER_LENGTH))) {
        throw JobException.usage(
            ("%s must have %s hexadecimal digits, found: '%s'; delete it, and the snapshots"
                    + " of that owner on HBase")
                .formatted(file, OWNER_LENGTH, owner));
      }
      String line = owner + " " + host;
      if (!line.strip().equals(found)) {
        FileReplacement.write(file, line + "\n");
      }
      return owner;
    } catch (IOException e) {
      throw JobException.outside(
          file + " cannot be read or written: " + StorageFailures.reason(e), e);
    }
  }

  /**
   * Checks that this user can write what an earlier run has left: it may have been another user's.
   *
   * @param stateDir need not exist
   * @throws JobException usage, with the file, if not
   */
  public static void requireWritable(Path stateDir) {
    for (String name : new String[] {"lock", "owner"}) {
      requireFile(stateDir.resolve(name));
    }
    Path logs = stateDir.resolve("logs");
    if (!Files.exists(logs)) {
      return;
    }
    if (!Files.isDirectory(logs) || !Files.isWritable(logs)) {
      throw refused(logs, Files.isDirectory(logs) ? "cannot be written" : "is no directory");
    }
    try (Stream<Path> files = Files.list(logs)) {
      files.forEach(StateDirectory::requireFile);
    } catch (IOException e) {
      throw refused(logs, "cannot be read");
    }
  }

  private static void requireFile(Path file) {
    if (Files.exists(file) && (!Files.isRegularFile(file) || !Files.isWritable(file))) {
      throw refused(file, Files.isRegularFile(file) ? "cannot be written" : "is no file");
    }
  }

  private static JobException refused(Path file, String what) {
    return JobException.usage(
        ("state-dir must have files that user %s can write, but %s %s: a run of another"
                + " user may have left it; change its owner, or delete it")
            .formatted(System.getProperty("user.name"), file, what));
  }
}
