package io.tsdbsuite.bulk.journal;

import io.tsdbsuite.bulk.names.MetName;
import io.tsdbsuite.bulk.parse.InfluxContext;
import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** State of a load: the sum of its journal. Immutable. */
public final class LoadState {
  private final JournalEvent.@Nullable Started started;
  private final Map<Integer, UnitProgress> units;
  private final List<String> runs;
  private final Set<InfluxContext> influxContexts;
  private final List<MetName> names;
  private final boolean readDone;
  private final Map<RejectForm, Long> rejectLengths;
  private final JournalEvent.@Nullable RangesCut cut;
  private final Map<Integer, RangeProgress> ranges;
  private final Map<Integer, Tally> written;
  private final Set<String> servers;
  private final boolean bulkLoading;
  private final boolean bulkLoaded;
  private final boolean metaDone;
  private final OptionalInt finished;
  private final Tally tally;

  LoadState(LoadFold fold) {
    started = fold.started;
    units = Map.copyOf(fold.units);
    runs = List.copyOf(fold.runs.values());
    influxContexts = Set.copyOf(fold.influxContexts);
    names = List.copyOf(fold.names);
    readDone = fold.readDone;
    rejectLengths = Map.copyOf(fold.rejectLengths);
    cut = fold.cut;
    ranges = Map.copyOf(fold.ranges);
    written = Map.copyOf(fold.written);
    servers = Set.copyOf(fold.servers);
    bulkLoading = fold.bulkLoading;
    bulkLoaded = fold.bulkLoaded;
    metaDone = fold.metaDone;
    finished = fold.finished;
    tally = copy(fold.tally);
  }

  /**
   * Folds events into a state.
   *
   * @throws JobException usage, when they contradict each other
   */
  public static LoadState of(List<JournalEvent> events) {
    LoadFold fold = new LoadFold();
    events.forEach(fold::add);
    return new LoadState(fold);
  }

  private static Tally copy(Tally tally) {
    Tally copy = new Tally();
    copy.add(tally);
    return copy;
  }

  /** The start of the load; empty before it. */
  public Optional<JournalEvent.Started> started() {
    return Optional.ofNullable(started);
  }

  /** Progress of the reading of a unit. */
  public UnitProgress unit(int ordinal) {
    return units.getOrDefault(ordinal, UnitProgress.NONE);
  }

  /** File names of the runs that count, in the order of the input. */
  public List<String> runs() {
    return runs;
  }

  /** Contexts of InfluxDB exports that lines are loaded of. */
  public Set<InfluxContext> influxContexts() {
    return influxContexts;
  }

  /** Names of the source that have become names of OpenTSDB. */
  public List<MetName> names() {
    return names;
  }

  /** Whether all of the input is in runs. */
  public boolean readDone() {
    return readDone;
  }

  /** Committed lengths of the reject files, bytes. */
  public Map<RejectForm, Long> rejectLengths() {
    return rejectLengths;
  }

  /** Whether the key space was divided, after which rows may be in the table. */
  public boolean cut() {
    return cut != null;
  }

  /**
   * Where ranges 1, 2, ... begin.
   *
   * @throws IllegalStateException when the key space was not divided
   */
  public List<byte[]> cuts() {
    if (cut == null) {
      throw new IllegalStateException("the key space was not divided yet");
    }
    return cut.cuts();
  }

  /** Progress of the writing of a range. */
  public RangeProgress range(int range) {
    return ranges.getOrDefault(range, RangeProgress.NONE);
  }

  /** Counters of a range. */
  public Tally written(int range) {
    return copy(written.getOrDefault(range, new Tally()));
  }

  /** Numbers of the ranges of which something is acknowledged, ascending. */
  public List<Integer> begun() {
    return ranges.keySet().stream().sorted().toList();
  }

  /** Region servers that may hold acknowledged rows which are not in their log yet. */
  public Set<String> servers() {
    return servers;
  }

  /** Whether all ranges are done. */
  public boolean written() {
    if (cut == null) {
      return false;
    }
    for (int range = 0; range < cut.ranges(); range++) {
      if (!range(range).done()) {
        return false;
      }
    }
    return true;
  }

  /** Whether the bulk load was begun. */
  public boolean bulkLoading() {
    return bulkLoading;
  }

  /** Whether the bulk load is done. */
  public boolean bulkLoaded() {
    return bulkLoaded;
  }

  /** Whether the rows of {@code tsdb-meta} are written. */
  public boolean metaDone() {
    return metaDone;
  }

  /** The exit status, if the process ended by itself and no resume has begun since. */
  public OptionalInt finished() {
    return finished;
  }

  /** Counters of the whole load. */
  public Tally tally() {
    return copy(tally);
  }

  /**
   * Whether another load may take over the work directory without losing work: there was no load,
   * or it is done, or it refused its input or options before writing. A load that ended with a
   * defect keeps its work.
   */
  public boolean replaceable() {
    if (started == null) {
      return true;
    }
    if (finished.isEmpty()) {
      return false;
    }
    int exit = finished.getAsInt();
    boolean refused = exit == ExitCode.BAD_INPUT.code() || exit == ExitCode.USAGE.code();
    return exit == ExitCode.DONE.code() || (refused && cut == null);
  }
}
