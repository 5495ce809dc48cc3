package io.tsdbsuite.nightly.report;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.storage.FileSystems;
import io.tsdbsuite.nightly.storage.LocalDirectory;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportReader;
import io.tsdbsuite.planner.report.ReportStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDate;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * The reports in a directory, local or on a file system of Hadoop: {@code <day>.json} of the job,
 * {@code verify-<day>.json} of its verification, {@code load-<day>.json} of the load of its HFiles,
 * {@code coverage-<day>.json} of the look at its rollups in HBase, {@code prune.json} of the last
 * prune, {@code tiers-prove.json} of the last proof of data that may go, {@code
 * tiers-apply-<entry>-<first day>.json} of the deletion of raw data, {@code
 * tiers-apply-<interval>-<entry>-<first day>.json} of that of a rollup table.
 *
 * @param directory a local path, or a URI with its scheme
 */
public record ReportDirectory(String directory, Configuration hadoop) implements ReportStore {
  /**
   * Creates a local directory; other file systems do so with the first file.
   *
   * @throws JobException usage, when it cannot be created
   */
  public void create() {
    if (isLocal()) {
      LocalDirectory.make("reports", Path.of(directory));
    }
  }

  /**
   * Checks that a local directory could be created.
   *
   * @throws JobException usage, when it cannot
   */
  public void requireMakeable() {
    if (isLocal()) {
      LocalDirectory.requireMakeable("reports", Path.of(directory));
    }
  }

  private boolean isLocal() {
    return !directory.contains(":/");
  }

  @Override
  public String location(LocalDate day) {
    return location(day.toString());
  }

  /** The location of the report of a command of the job; it need not exist. */
  public String location(String command, LocalDate day) {
    return location(command + "-" + day);
  }

  /** The location of the newest report of a command that concerns no day. */
  public String location(String command) {
    return directory + "/" + command + ".json";
  }

  @Override
  public Optional<JobReport> find(LocalDate day) {
    return at(location(day));
  }

  /**
   * The report of a command of the job; empty when it does not exist or is not JSON.
   *
   * @throws JobException when it cannot be read, see {@link #failed}
   */
  public Optional<JobReport> find(String command, LocalDate day) {
    return at(location(command, day));
  }

  /** The same of a location. */
  public Optional<JobReport> at(String location) {
    try (InputStream stream = open(location)) {
      return ReportReader.read(stream);
    } catch (FileNotFoundException | NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private InputStream open(String location) throws IOException {
    if (isLocal()) {
      return Files.newInputStream(Path.of(location));
    }
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(location);
    return FileSystems.of(path, hadoop).open(path);
  }

  /**
   * Copies a report to a local file.
   *
   * @throws IOException when it does not exist, or the storage fails
   */
  public void copy(String location, Path target) throws IOException {
    try (InputStream stream = open(location)) {
      Files.copy(stream, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** A failure to read the reports: usage if a right is missing, otherwise outside. */
  public JobException failed(IOException e) {
    return FileSystems.failed("the reports in " + directory + " cannot be read", e);
  }
}
