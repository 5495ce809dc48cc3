package io.tsdbsuite.rollup.cli;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.rollup.error.JsonFailures;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.error.StorageFailures;
import io.tsdbsuite.rollup.report.ReportJson;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.resume.EarlierRun;
import io.tsdbsuite.rollup.resume.EarlierRunReader;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/** Where a report is: a local file, or a file of any file system that Hadoop knows. */
abstract class ReportFile {
  private static final int BUFFER_BYTES = 64 << 10;

  /** What is in the file. */
  @FunctionalInterface
  interface Content {
    /** Writes it; the stream stays open. */
    void writeTo(OutputStream stream) throws IOException;
  }

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String name;

  private ReportFile(String name) {
    this.name = name;
  }

  /**
   * Picks by the form of the name.
   *
   * @param hadoop how to reach a file system; not needed for a local file
   */
  static ReportFile of(String name, Configuration hadoop) {
    return isLocal(name)
        ? new Local(name, Path.of(name).toAbsolutePath())
        : new Remote(name, new org.apache.hadoop.fs.Path(name), hadoop);
  }

  /** Whether the name is a plain path, without a scheme. */
  static boolean isLocal(String name) {
    return !name.contains("://") && !name.startsWith("file:");
  }

  /**
   * Makes sure of a local directory now rather than after hours.
   *
   * @throws RollupException usage, when the directory is not there
   */
  void check() {}

  /**
   * Writes the report whole or not at all: whoever reads it meanwhile, or after the writer was
   * killed, finds the one before. One thread at a time.
   *
   * @throws RollupException outside, when that fails
   */
  final void write(RollupReport report) {
    write(stream -> ReportJson.write(report, stream));
  }

  /**
   * The same for a report of another kind.
   *
   * @throws RollupException outside, when that fails
   */
  final void write(Content report) {
    try {
      replace(report);
    } catch (IOException e) {
      throw RollupException.outside("the report " + name + " cannot be written: " + e, e);
    }
  }

  /**
   * Reads the report of an earlier run.
   *
   * @throws RollupException usage, when it is not there or cannot be resumed; outside, when storage
   *     fails
   */
  final EarlierRun read() {
    try (InputStream stream = new BufferedInputStream(open(), BUFFER_BYTES)) {
      return EarlierRunReader.read(name, stream);
    } catch (NoSuchFileException | FileNotFoundException e) {
      throw RollupException.usage("--resume " + name + ": there is no such file", e);
    } catch (IOException e) {
      throw StorageFailures.of("--resume " + name, e);
    }
  }

  /**
   * Reads any report.
   *
   * @param option for messages
   * @throws RollupException usage, when it is not there or no JSON; outside, when storage fails
   */
  final JsonNode tree(String option) {
    try (InputStream stream = new BufferedInputStream(open(), BUFFER_BYTES)) {
      return MAPPER.readTree(stream);
    } catch (NoSuchFileException | FileNotFoundException e) {
      throw RollupException.usage(option + " " + name + ": there is no such file", e);
    } catch (JacksonException e) {
      throw RollupException.usage(
          option + " " + name + " is no report: " + JsonFailures.describe(e), e);
    } catch (IOException e) {
      throw StorageFailures.of(option + " " + name, e);
    }
  }

  abstract void replace(Content report) throws IOException;

  abstract InputStream open() throws IOException;

  @Override
  public final String toString() {
    return name;
  }

  private static void writeTo(OutputStream file, Content report) throws IOException {
    try (OutputStream stream = new BufferedOutputStream(file, BUFFER_BYTES)) {
      report.writeTo(stream);
    }
  }

  private static final class Local extends ReportFile {
    private final Path file;

    private Local(String name, Path file) {
      super(name);
      this.file = file;
    }

    @Override
    void check() {
      if (!Files.isDirectory(file.getParent()) || Files.isDirectory(file)) {
        throw RollupException.usage(
            "--report must be a file in a directory that exists, found: " + this);
      }
    }

    @Override
    void replace(Content report) throws IOException {
      // The same name each time: a run that is killed leaves one file of this kind, not many.
      Path part = file.resolveSibling(file.getFileName() + ".part");
      writeTo(Files.newOutputStream(part), report);
      try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
        // Else the new name could be on the disk before the bytes are.
        channel.force(true);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    InputStream open() throws IOException {
      return Files.newInputStream(file);
    }
  }

  private static final class Remote extends ReportFile {
    private final org.apache.hadoop.fs.Path file;
    private final Configuration hadoop;

    private Remote(String name, org.apache.hadoop.fs.Path file, Configuration hadoop) {
      super(name);
      this.file = file;
      this.hadoop = hadoop;
    }

    @Override
    void replace(Content report) throws IOException {
      FileSystem fs = file.getFileSystem(hadoop);
      if (appearsWhenClosed(fs)) {
        writeTo(fs.create(file, true), report);
        return;
      }
      org.apache.hadoop.fs.Path part = file.suffix(".part");
      FileContext context;
      try {
        context = FileContext.getFileContext(fs.makeQualified(file).toUri(), hadoop);
      } catch (UnsupportedFileSystemException e) {
        throw new IOException(
            "file system " + fs.getScheme() + " cannot replace a file in one step", e);
      }
      writeTo(context.create(part, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE)), report);
      context.rename(part, file, Options.Rename.OVERWRITE);
    }

    /** Object stores show an object when its last byte is there, and have no rename in one step. */
    private boolean appearsWhenClosed(FileSystem fs) throws IOException {
      return fs.hasPathCapability(file, CommonPathCapabilities.ABORTABLE_STREAM)
          || fs.getUri().getScheme().toLowerCase(Locale.ROOT).startsWith("s3");
    }

    @Override
    InputStream open() throws IOException {
      return file.getFileSystem(hadoop).open(file);
    }
  }
}
