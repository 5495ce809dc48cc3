package io.tsdbsuite.bulk.report;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Report of a load, written as JSON and as a table. Immutable.
 *
 * @param command load, resume, generate, verify or spark-load
 * @param exitCode exit status of the process
 * @param message reason for an exit code other than {@link ExitCode#DONE}; empty for {@code DONE}
 * @param stackTrace stack trace of a defect; empty when there is none
 * @param started start of this process
 * @param ended end of this process
 * @param mode put or hfile; empty for commands that write nothing
 * @param cellTimestamp {@code data}, or milliseconds since the epoch; empty if nothing is written
 * @param inputs the files, empty for generated points
 * @param tally counters of the whole load
 * @param before the part of {@code tally} that earlier processes have counted; empty without a
 *     resume
 * @param metrics accepted points by metric; null unless all input was read
 * @param samples the first rejects
 * @param rejectFiles names of the files with all rejects; empty if there are none
 * @param uidsAssigned number of assigned UIDs by kind: metrics, tagk, tagv
 * @param secondsByPhase wall-clock time of each phase in this process, in order
 * @param workDirectory path of the work directory; empty if there is none
 * @param warnings findings that do not change the exit code
 * @param snapshotFrom from when on a snapshot is not hidden by the masks of the load; null if none
 *     were written
 */
public record LoadReport(
    String command,
    ExitCode exitCode,
    String message,
    String stackTrace,
    Instant started,
    Instant ended,
    String mode,
    String cellTimestamp,
    List<InputSummary> inputs,
    Tally tally,
    Tally before,
    @Nullable PointsByMetric metrics,
    List<RejectSample> samples,
    List<String> rejectFiles,
    Map<String, Long> uidsAssigned,
    Map<String, Double> secondsByPhase,
    String workDirectory,
    List<String> warnings,
    @Nullable Instant snapshotFrom) {

  /** Warning when the input has no points. */
  private static final String NO_POINT = "no point was read: the input has none";

  private static final String ALL_SKIPPED =
      "no point was loaded: --skip has left out all that were read, ";

  /**
   * Warnings when the input has no points, or none that is not skipped.
   *
   * @param read counts of all of the input
   */
  public static List<String> emptyWarnings(Tally read) {
    long points = read.get(Count.POINTS_READ);
    if (points == 0) {
      return List.of(NO_POINT);
    }
    return points == read.skipped() ? List.of(ALL_SKIPPED + points) : List.of();
  }

  /** A report of this command, to be filled. */
  public static Builder of(String command, Instant started) {
    return new Builder(command, started);
  }

  /**
   * Whether points read are written, duplicates, stored already, skipped or rejected, to the last.
   */
  public boolean booksClose() {
    return tally.missing() == 0;
  }

  /** Wall clock of this process. */
  public Duration took() {
    return Duration.between(started, ended);
  }

  /** The part of a count that this process has added. */
  public long added(Count count) {
    return tally.get(count) - before.get(count);
  }

  /** A count that this process has added to, by the second of its wall clock; 0 at once. */
  public double perSecond(Count count) {
    double seconds = took().toMillis() / 1000.0;
    return seconds <= 0 ? 0 : added(count) / seconds;
  }

  /** Bytes of all inputs whose size is known. */
  public long inputBytes() {
    return inputs.stream().mapToLong(input -> Math.max(0, input.bytes())).sum();
  }

  /** Builds a report; values that are not set are empty. Not thread-safe. */
  public static final class Builder {
    private final String command;
    private final Instant started;
    private final Tally tally = new Tally();
    private final Tally before = new Tally();
    private final List<InputSummary> inputs = new ArrayList<>();
    private final List<RejectSample> samples = new ArrayList<>();
    private final Map<String, Long> uids = new LinkedHashMap<>();
    private final Map<String, Double> phases = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();
    private @Nullable PointsByMetric metrics;
    private String mode = "";
    private String cellTimestamp = "";
    private List<String> rejectFiles = List.of();
    private String workDirectory = "";
    private String stackTrace = "";
    private @Nullable Instant snapshotFrom;

    private Builder(String command, Instant started) {
      this.command = command;
      this.started = started;
    }

    /** Where the points go, and with which cell timestamp. */
    public Builder writing(String how, String stamp) {
      mode = how;
      cellTimestamp = stamp;
      return this;
    }

    /** Adds input files. */
    public Builder inputs(List<InputSummary> files) {
      inputs.addAll(files);
      return this;
    }

    /** The work directory. */
    public Builder workDirectory(String directory) {
      workDirectory = directory;
      return this;
    }

    /** Counts journalled by earlier processes; they are in {@link #tally} too. */
    public Builder before(Tally earlier) {
      before.add(earlier);
      return this;
    }

    /** Adds to the books of the whole load. */
    public Builder tally(Tally more) {
      tally.add(more);
      return this;
    }

    /**
     * Subtracts counters of ranges that are written again.
     *
     * @param ofBefore the part of it that earlier processes have journalled
     */
    public Builder undone(Tally less, Tally ofBefore) {
      tally.subtract(less);
      before.subtract(ofBefore);
      return this;
    }

    /** Accepted points of all input by metric. */
    public Builder metrics(PointsByMetric all) {
      metrics = all;
      return this;
    }

    /** The rejects; the files are named only if there are any. */
    public Builder rejects(RejectFile file) {
      file.flush();
      return rejects(file.samples(), file.paths());
    }

    /**
     * The first rejects.
     *
     * @param places names of the files with all rejects; empty if there are none
     */
    public Builder rejects(List<RejectSample> first, List<String> places) {
      samples.addAll(first);
      rejectFiles = List.copyOf(places);
      return this;
    }

    /** Adds UIDs assigned. */
    public Builder uids(String kind, long assigned) {
      uids.merge(kind, assigned, Long::sum);
      return this;
    }

    /** Adds wall clock of a phase. */
    public Builder phase(String name, Duration wall) {
      phases.merge(name, wall.toMillis() / 1000.0, Double::sum);
      return this;
    }

    /** Adds a warning. */
    public Builder warn(String warning) {
      warnings.add(warning);
      return this;
    }

    /** From when on the masks of the load hide no snapshot. */
    public Builder snapshotFrom(Instant time) {
      snapshotFrom = time;
      return this;
    }

    /**
     * The report at the end of a load. A load without a failure succeeds only if its books close.
     *
     * @param failure ended the load; null after a success
     */
    public LoadReport closed(@Nullable JobException failure, Instant ended) {
      if (failure != null) {
        return end(failure, ended);
      }
      if (tally.missing() != 0) {
        return end(
            Defects.defect(
                "the books do not close: "
                    + tally.missing()
                    + " of the points read are in no other count",
                null),
            ended);
      }
      return end(ExitCode.DONE, "", ended);
    }

    private LoadReport end(JobException failure, Instant ended) {
      if (failure.exitCode() == ExitCode.DEFECT && failure.getCause() != null) {
        StringWriter trace = new StringWriter();
        failure.getCause().printStackTrace(new PrintWriter(trace, true));
        stackTrace = trace.toString();
      }
      return end(failure.exitCode(), String.valueOf(failure.getMessage()), ended);
    }

    /**
     * The report.
     *
     * @param why empty when the exit code is {@link ExitCode#DONE}
     */
    public LoadReport end(ExitCode exitCode, String why, Instant ended) {
      Tally books = new Tally();
      books.add(tally);
      Tally earlier = new Tally();
      earlier.add(before);
      return new LoadReport(
          command,
          exitCode,
          why,
          stackTrace,
          started,
          ended,
          mode,
          cellTimestamp,
          List.copyOf(inputs),
          books,
          earlier,
          metrics,
          List.copyOf(samples),
          rejectFiles,
          Collections.unmodifiableMap(new LinkedHashMap<>(uids)),
          Collections.unmodifiableMap(new LinkedHashMap<>(phases)),
          workDirectory,
          List.copyOf(warnings),
          snapshotFrom);
    }
  }
}
