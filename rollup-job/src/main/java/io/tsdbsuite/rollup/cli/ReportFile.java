package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.rollup.error.RollupException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Where the report goes: nowhere, a local file, or any file system that Hadoop knows. */
abstract class ReportFile {
  /** Writes the report whole or not at all. */
  abstract void write(String json);

  /**
   * Picks by the form of the name, and makes sure of a local directory now rather than after hours.
   *
   * @param name null for no report
   * @throws RollupException usage, when the directory is not there
   */
  static ReportFile of(String name, Configuration hadoop) {
    if (name == null) {
      return new None();
    }
    if (name.contains("://") || name.startsWith("file:")) {
      return new Remote(new org.apache.hadoop.fs.Path(name), hadoop);
    }
    Path file = Path.of(name).toAbsolutePath();
    if (!Files.isDirectory(file.getParent()) || Files.isDirectory(file)) {
      throw RollupException.usage(
          "--report must be a file in a directory that exists, found: " + name);
    }
    return new Local(file);
  }

  private static final class None extends ReportFile {
    @Override
    void write(String json) {
      // Nobody asked for a report.
    }
  }

  private static final class Local extends ReportFile {
    private final Path file;

    private Local(Path file) {
      this.file = file;
    }

    @Override
    void write(String json) {
      try {
        Path part = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".part");
        Files.writeString(part, json, StandardCharsets.UTF_8);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw RollupException.outside("the report " + file + " cannot be written: " + e, e);
      }
    }
  }

  private static final class Remote extends ReportFile {
    private final org.apache.hadoop.fs.Path file;
    private final Configuration hadoop;

    private Remote(org.apache.hadoop.fs.Path file, Configuration hadoop) {
      this.file = file;
      this.hadoop = hadoop;
    }

    @Override
    void write(String json) {
      try {
        FileSystem fs = file.getFileSystem(hadoop);
        try (OutputStream stream = fs.create(file, true)) {
          stream.write(json.getBytes(StandardCharsets.UTF_8));
        }
      } catch (IOException e) {
        throw RollupException.outside("the report " + file + " cannot be written: " + e, e);
      }
    }
  }
}
