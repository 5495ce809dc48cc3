package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.input.Formats;
import io.tsdbsuite.bulk.input.InputFile;
import io.tsdbsuite.bulk.input.InputFiles;
import io.tsdbsuite.bulk.input.InputUnit;
import io.tsdbsuite.bulk.input.InputUnits;
import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.report.RejectLimits;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The files of a load, and their division among threads.
 *
 * @param files in the order of the input
 * @param leftOut names of files that {@code --include} and {@code --exclude} leave out, and of
 *     files and directories whose names begin with {@code .} or {@code _}
 * @param formats of the files
 * @param units in the order of the input
 */
public record LoadInput(
    List<InputFile> files, List<String> leftOut, Formats formats, List<InputUnit> units) {
  private static final int LOOKS = 16;
  private static final int FOREIGN_SHOWN = 20;

  /**
   * Finds the files.
   *
   * @param threads number of readers; the division into units depends on it
   * @throws JobException when an argument names nothing, or the format of a file is unclear
   */
  public static LoadInput find(
      InputSettings settings, int threads, Configuration conf, InputStream stdin) {
    return find(
        settings, conf, stdin, (files, ofLines) -> InputUnits.plan(files, ofLines, threads));
  }

  /** The same of a load on this machine. */
  static LoadInput find(LoadSettings settings, Requirements requirements, InputStream stdin) {
    return find(settings.input(), settings.run().threads(), requirements.configuration(), stdin);
  }

  /**
   * The same, divided in another way.
   *
   * @param division of the files, given those that can be read from any line on
   */
  public static LoadInput find(
      InputSettings settings,
      Configuration conf,
      InputStream stdin,
      BiFunction<List<InputFile>, Predicate<InputFile>, List<InputUnit>> division) {
    InputFiles.Found found =
        InputFiles.find(
            settings.inputs(), Path.of(settings.base()), settings.patterns(), conf, stdin);
    List<InputFile> files = found.files();
    Formats formats =
        Formats.of(
            settings.format(), settings.options(), new InfluxContexts(settings.influxChoice()));
    // Detected now: a failure after hours would be late.
    detect(files, formats);
    checkLimits(settings.limits(), files, formats);
    if (!settings.influxChoice().isNone()
        && files.stream().allMatch(file -> formats.of(file) != Format.INFLUX)) {
      throw JobException.usage(
          settings.influxChoice() + " is for InfluxDB line protocol, found no such file");
    }
    List<InputUnit> units = division.apply(files, formats::anyLine);
    formats.contexts().requireOne();
    return new LoadInput(files, found.leftOut(), formats, units);
  }

  /** Detects the format of each file; all files that have none are listed at once. */
  private static void detect(List<InputFile> files, Formats formats) {
    Map<InputFile, JobException> bad = new ConcurrentHashMap<>();
    lookAt(
        files,
        file -> {
          try {
            formats.of(file);
          } catch (JobException e) {
            if (e.exitCode() != ExitCode.USAGE && e.exitCode() != ExitCode.BAD_INPUT) {
              throw e;
            }
            bad.put(file, e);
          }
        });
    List<JobException> problems = files.stream().map(bad::get).filter(Objects::nonNull).toList();
    if (problems.size() == 1) {
      throw problems.get(0);
    }
    if (!problems.isEmpty()) {
      // One problem of one line: a heading counts lines as problems.
      throw JobException.usage(
          "%s files of the input cannot be read (--exclude leaves files out): %s%s"
              .formatted(
                  problems.size(),
                  problems.stream()
                      .limit(FOREIGN_SHOWN)
                      .map(JobException::getMessage)
                      .collect(Collectors.joining("; ")),
                  problems.size() > FOREIGN_SHOWN ? "; ..." : ""));
    }
  }

  /** A percentage of points must not count a rejected line of many points as one. */
  private static void checkLimits(RejectLimits limits, List<InputFile> files, Formats formats) {
    Set<RejectReason> percentages = limits.percentages();
    for (InputFile file : percentages.isEmpty() ? List.<InputFile>of() : files) {
      Format format = formats.of(file);
      for (RejectReason reason : percentages) {
        if (rejectsLines(format, reason)) {
          throw JobException.usage(
              ("--max-rejected must limit %s by a number with the format %s, because a rejected"
                      + " line counts as one point, found %s and %s")
                  .formatted(reason.key(), format.key(), limits, file.name()));
        }
      }
    }
  }

  /** Whether lines that may have several points are rejected as one. */
  private static boolean rejectsLines(Format format, RejectReason reason) {
    return switch (reason) {
      case MALFORMED_LINE -> format == Format.INFLUX || format == Format.VICTORIAMETRICS;
      case BAD_TIMESTAMP -> format == Format.INFLUX;
      default -> false;
    };
  }

  /** What a report must tell; empty if there is nothing. */
  public String warning() {
    return leftOut.isEmpty()
        ? ""
        : leftOut.size()
            + " files were left out by --include and --exclude, or because their names or those of"
            + " their directories begin with _ or .: "
            + leftOut.stream().limit(FOREIGN_SHOWN).collect(Collectors.joining(", "))
            + (leftOut.size() > FOREIGN_SHOWN ? ", ..." : "");
  }

  /** Detects formats in parallel: each may be a request to a remote file system. */
  public static void lookAt(List<InputFile> files, Consumer<InputFile> look) {
    Queue<InputFile> waiting = new ConcurrentLinkedQueue<>(files);
    Workers workers = new Workers("input", Math.max(1, Math.min(LOOKS, files.size())));
    workers.run(
        () -> {
          InputFile file = waiting.poll();
          while (file != null && workers.goesOn()) {
            look.accept(file);
            file = waiting.poll();
          }
        });
  }

  /** Bytes as stored; 0 if that is not known. */
  public long bytes() {
    long bytes = 0;
    for (InputFile file : files) {
      if (file.isStdin()) {
        return 0;
      }
      bytes += file.size();
    }
    return bytes;
  }

  /** Bytes of them that were read so far, as stored. */
  public long bytesRead() {
    long bytes = 0;
    for (InputFile file : files) {
      bytes += file.bytesRead();
    }
    return bytes;
  }

  /** Names and sizes, for the report. */
  public List<BulkLoaderReport.Input> summaries() {
    return files.stream()
        .map(file -> new BulkLoaderReport.Input(file.name(), file.size()))
        .toList();
  }

  List<JournalEvent.Input> journalled() {
    return files.stream()
        .map(file -> new JournalEvent.Input(file.name(), file.size(), file.modifiedMillis()))
        .toList();
  }

  /**
   * Checks that the files are the same as in the journal; else its positions are wrong.
   *
   * @throws JobException usage, with all that changed, or when standard input was among them
   */
  void requireUnchanged(List<JournalEvent.Input> before) {
    requireSame(before, journalled());
    if (files.stream().anyMatch(InputFile::isStdin)) {
      throw JobException.usage(
          "standard input cannot be read again: start the load again with another --work-dir;"
              + " points that are stored already are not written again");
    }
  }

  static void requireSame(List<JournalEvent.Input> then, List<JournalEvent.Input> now) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < Math.max(then.size(), now.size()); i++) {
      JournalEvent.Input before = i < then.size() ? then.get(i) : null;
      JournalEvent.Input after = i < now.size() ? now.get(i) : null;
      if (!Objects.equals(before, after)) {
        problems.add(
            "the input must not change before a resume: file %s was %s, found %s"
                .formatted(i + 1, shown(before), shown(after)));
      }
    }
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }

  private static String shown(JournalEvent.@Nullable Input input) {
    return input == null
        ? "not there"
        : input.file()
            + " of "
            + input.bytes()
            + " bytes, changed last at "
            + Instant.ofEpochMilli(input.modifiedMillis());
  }
}
