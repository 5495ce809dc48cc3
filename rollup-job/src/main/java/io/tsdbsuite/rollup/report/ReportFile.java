package io.tsdbsuite.rollup.report;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.FileReplacement;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.report.Report;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A report file: local, or on any Hadoop file system. */
public abstract class ReportFile {
  private static final Logger LOG = LoggerFactory.getLogger(ReportFile.class);
  private static final int BUFFER_BYTES = 64 << 10;
  private static final String SUFFIX = ".json";
  private static final int BESIDE = 200;

  /** The content of the file. */
  @FunctionalInterface
  public interface Content {
    /** Writes the content; the stream stays open. */
    void writeTo(OutputStream stream) throws IOException;
  }

  /** Reads the content. */
  @FunctionalInterface
  public interface Reading<T> {
    /** Reads; the stream stays open. */
    T of(InputStream stream) throws IOException;
  }

  private final String name;

  private ReportFile(String name) {
    this.name = name;
  }

  /**
   * Creates a report file by the form of the name.
   *
   * @param hadoop configuration of the file system; not needed for a local file
   */
  public static ReportFile of(String name, @Nullable Configuration hadoop) {
    return isLocal(name)
        ? new Local(name, Path.of(name).toAbsolutePath())
        : new Remote(name, new org.apache.hadoop.fs.Path(name), Objects.requireNonNull(hadoop));
  }

  /** As {@link #checked(String, String, Configuration)}, of {@code --report}. */
  public static @Nullable ReportFile checked(@Nullable String name, Configuration hadoop) {
    return checked("--report", name, hadoop);
  }

  /**
   * Creates the file of an option and checks it.
   *
   * @return null if no report is wanted
   * @throws JobException usage, when a local directory does not exist
   */
  public static @Nullable ReportFile checked(
      String option, @Nullable String name, Configuration hadoop) {
    if (name == null) {
      return null;
    }
    ReportFile file = of(name, hadoop);
    file.check(option);
    return file;
  }

  /** Whether the name is a plain path, without a scheme. */
  public static boolean isLocal(String name) {
    return !name.contains("://") && !name.startsWith("file:");
  }

  /**
   * Checks at the start that a local directory exists, not hours later at the first write.
   *
   * @throws JobException usage, when the directory does not exist
   */
  void check(String option) {}

  /**
   * Writes the report atomically: a concurrent reader, or a reader after the writer was killed,
   * finds the previous report. For one thread at a time.
   *
   * @throws JobException outside, when that fails
   */
  public final void write(RollupReport report) {
    write(stream -> ReportJson.write(report, stream));
  }

  /**
   * Writes a report of another kind, likewise.
   *
   * @throws JobException outside, when that fails
   */
  public final void write(Report report) {
    write(stream -> stream.write(report.jsonText().getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Writes content, likewise. The content is complete before the file is opened, so an exception
   * while it is created does not replace a valid report.
   *
   * @throws JobException outside, when that fails
   */
  public final void write(Content report) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER_BYTES);
      report.writeTo(bytes);
      replace(bytes);
    } catch (IOException e) {
      throw JobException.outside(
          "the report " + name + " cannot be written: " + StorageFailures.reason(e), e);
    }
  }

  /**
   * Reads the file.
   *
   * @param option for messages
   * @throws JobException usage, when it does not exist; outside, when storage fails
   */
  public final <T> T read(String option, Reading<T> reading) {
    try (InputStream stream = new BufferedInputStream(open(), BUFFER_BYTES)) {
      return reading.of(stream);
    } catch (NoSuchFileException | FileNotFoundException e) {
      throw JobException.usage(option + " " + name + ": there is no such file", e);
    } catch (IOException e) {
      throw JobException.of(StorageFailures.of(option + " " + name, e));
    }
  }

  /** Reads all bytes, as {@link #read}. */
  public final byte[] bytes(String option) {
    return read(option, InputStream::readAllBytes);
  }

  /**
   * Returns the files in this file's directory whose names match reports, this one included: the
   * newest {@value #BESIDE}. Empty if the directory cannot be listed.
   */
  public final List<ReportFile> beside() {
    try {
      return list();
    } catch (IOException e) {
      LOG.info("reports beside {} are not known: {}", name, e.toString());
      return List.of();
    }
  }

  /** Reads what may be no report; empty if it is none or cannot be read. */
  public final <T> Optional<T> look(Reading<Optional<T>> reading) {
    try (InputStream stream = new BufferedInputStream(open(), BUFFER_BYTES)) {
      return reading.of(stream);
    } catch (IOException e) {
      LOG.info("{} cannot be read: {}", name, e.toString());
      return Optional.empty();
    }
  }

  abstract List<ReportFile> list() throws IOException;

  abstract void replace(ByteArrayOutputStream report) throws IOException;

  abstract InputStream open() throws IOException;

  @Override
  public final String toString() {
    return name;
  }

  private static void writeTo(OutputStream file, ByteArrayOutputStream report) throws IOException {
    try (OutputStream stream = file) {
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
    void check(String option) {
      Path parent = file.getParent();
      if (parent == null || !Files.isDirectory(parent) || Files.isDirectory(file)) {
        throw JobException.usage(
            option + " must be a file in a directory that exists, found: " + this);
      }
    }

    @Override
    void replace(ByteArrayOutputStream report) throws IOException {
      FileReplacement.write(file, report.toByteArray());
    }

    @Override
    List<ReportFile> list() throws IOException {
      try (Stream<Path> files = Files.list(file.getParent())) {
        return files
            .filter(path -> path.toString().endsWith(SUFFIX) && Files.isRegularFile(path))
            .sorted(Comparator.comparing((Path path) -> path.toFile().lastModified()).reversed())
            .limit(BESIDE)
            .map(path -> (ReportFile) new Local(path.toString(), path))
            .toList();
      }
    }

    @Override
    InputStream open() throws IOException {
      return Files.newInputStream(file);
    }
  }

  private static final class Remote extends ReportFile {
    private final org.apache.hadoop.fs.Path file;
    private final Configuration hadoop;

    private Remote(org.apache.hadoop.fs.Path file, Configuration hadoop) {
      this(file.toString(), file, hadoop);
    }

    private Remote(String name, org.apache.hadoop.fs.Path file, Configuration hadoop) {
      super(name);
      this.file = file;
      this.hadoop = hadoop;
    }

    @Override
    void replace(ByteArrayOutputStream report) throws IOException {
      FileSystem fs = file.getFileSystem(hadoop);
      if (appearsWhenClosed(fs)) {
        publish(fs.create(file, true), report);
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
      writeTo(
          context.create(
              part,
              EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
              Options.CreateOpts.createParent()),
          report);
      context.rename(part, file, Options.Rename.OVERWRITE);
    }

    /** Closing the stream publishes the object, so a failed stream must not be closed. */
    private static void publish(FSDataOutputStream stream, ByteArrayOutputStream report)
        throws IOException {
      try {
        report.writeTo(stream);
      } catch (Throwable e) {
        if (stream.hasCapability(CommonPathCapabilities.ABORTABLE_STREAM)) {
          stream.abort();
        }
        throw e;
      }
      stream.close();
    }

    /**
     * Whether the file appears only when closed: object stores publish an object on close and have
     * no atomic rename.
     */
    private boolean appearsWhenClosed(FileSystem fs) throws IOException {
      return fs.hasPathCapability(file, CommonPathCapabilities.ABORTABLE_STREAM)
          || fs.getUri().getScheme().toLowerCase(Locale.ROOT).startsWith("s3");
    }

    @Override
    List<ReportFile> list() throws IOException {
      return Arrays.stream(file.getFileSystem(hadoop).listStatus(file.getParent()))
          .filter(status -> status.isFile() && status.getPath().getName().endsWith(SUFFIX))
          .sorted(Comparator.comparing(FileStatus::getModificationTime).reversed())
          .limit(BESIDE)
          .map(status -> (ReportFile) new Remote(status.getPath(), hadoop))
          .toList();
    }

    @Override
    InputStream open() throws IOException {
      return file.getFileSystem(hadoop).open(file);
    }
  }
}
