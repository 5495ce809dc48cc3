package io.tsdbsuite.bulk.journal;

import io.tsdbsuite.bulk.journal.JournalEvent.BulkLoaded;
import io.tsdbsuite.bulk.journal.JournalEvent.BulkLoading;
import io.tsdbsuite.bulk.journal.JournalEvent.Finished;
import io.tsdbsuite.bulk.journal.JournalEvent.InfluxContextMet;
import io.tsdbsuite.bulk.journal.JournalEvent.MetaDone;
import io.tsdbsuite.bulk.journal.JournalEvent.NamesMet;
import io.tsdbsuite.bulk.journal.JournalEvent.RangesCut;
import io.tsdbsuite.bulk.journal.JournalEvent.RangesReopened;
import io.tsdbsuite.bulk.journal.JournalEvent.ReadDone;
import io.tsdbsuite.bulk.journal.JournalEvent.RowsAcknowledged;
import io.tsdbsuite.bulk.journal.JournalEvent.RunSpilled;
import io.tsdbsuite.bulk.journal.JournalEvent.RunsCompacted;
import io.tsdbsuite.bulk.journal.JournalEvent.ServersSeen;
import io.tsdbsuite.bulk.journal.JournalEvent.Started;
import io.tsdbsuite.bulk.names.ChangedName;
import io.tsdbsuite.bulk.parse.InfluxContext;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** State of a load: the sum of its journal. It does not change once it is made. */
public final class LoadState {
  private @Nullable Started started;
  private final Map<Integer, UnitProgress> units = new HashMap<>();

  /** Live runs by their place in the input; a compacted one has the place of its first. */
  private final TreeMap<Long, String> runs = new TreeMap<>();

  private final Set<InfluxContext> influxContexts = new LinkedHashSet<>();
  private final List<ChangedName> names = new ArrayList<>();
  private boolean readDone;
  private final Map<RejectForm, Long> rejectLengths = new EnumMap<>(RejectForm.class);
  private @Nullable RangesCut cut;
  private final Map<Integer, RangeProgress> ranges = new HashMap<>();

  /** Counters of each range. */
  private final Map<Integer, Tally> written = new HashMap<>();

  private final Set<String> servers = new TreeSet<>();
  private boolean bulkLoading;
  private boolean bulkLoaded;
  private boolean metaDone;
  private OptionalInt finished = OptionalInt.empty();
  private final Tally tally = new Tally();
  private int count;

  private LoadState() {}

  /**
   * The state that events lead to.
   *
   * @throws JobException usage, when they contradict each other
   */
  public static LoadState of(List<JournalEvent> events) {
    LoadState state = new LoadState();
    events.forEach(state::add);
    return state;
  }

  private void add(JournalEvent event) {
    count++;
    require(
        event, (started == null) == (event instanceof Started), "a load starts once, and first");
    finished = OptionalInt.empty();
    if (event instanceof Started start) {
      started = start;
    } else if (event instanceof RunSpilled spilled) {
      spilled(spilled);
    } else if (event instanceof RunsCompacted compacted) {
      compacted(compacted);
    } else if (event instanceof InfluxContextMet met) {
      influxContexts.add(new InfluxContext(met.database(), met.retentionPolicy()));
    } else if (event instanceof NamesMet met) {
      names.addAll(met.names());
    } else if (event instanceof ReadDone) {
      readDone = true;
    } else if (event instanceof RangesCut ranged) {
      require(event, cut == null, "the key space is divided once");
      cut = ranged;
    } else if (event instanceof RowsAcknowledged rows) {
      written(event, rows.range(), new RangeProgress(rows.lastKey(), rows.done()), rows.tally());
    } else if (event instanceof ServersSeen seen) {
      servers.addAll(seen.servers());
    } else if (event instanceof RangesReopened reopened) {
      reopened(reopened);
    } else if (event instanceof BulkLoading) {
      bulkLoading = true;
    } else if (event instanceof BulkLoaded) {
      bulkLoaded = true;
    } else if (event instanceof MetaDone) {
      metaDone = true;
    } else if (event instanceof Finished end) {
      finished = OptionalInt.of(end.exitCode());
    }
  }

  private void spilled(RunSpilled event) {
    require(event, !readDone, "nothing is read after the end");
    UnitProgress before = units.getOrDefault(event.unit(), UnitProgress.NONE);
    require(event, !before.done(), "a unit that is done is not read again");
    require(event, event.spill() == before.spills(), "spills of a unit are numbered without a gap");
    units.put(
        event.unit(),
        new UnitProgress(event.part(), event.position(), event.unitDone(), event.spill() + 1));
    if (!event.run().isEmpty()) {
      require(event, !runs.containsValue(event.run()), "a run is spilled once");
      runs.put((long) event.unit() << Integer.SIZE | event.spill(), event.run());
    }
    event.rejectLengths().forEach((form, length) -> rejectLengths.merge(form, length, Math::max));
    tally.add(event.tally());
  }

  private void compacted(RunsCompacted event) {
    List<Long> places = new ArrayList<>();
    for (Map.Entry<Long, String> run : runs.entrySet()) {
      if (event.runs().contains(run.getValue())) {
        places.add(run.getKey());
      }
    }
    require(
        event,
        !places.isEmpty() && places.size() == event.runs().size(),
        "only existing runs are compacted");
    places.forEach(runs::remove);
    runs.put(places.get(0), event.into());
    tally.add(event.tally());
  }

  private void written(JournalEvent event, int range, RangeProgress progress, Tally more) {
    RangesCut known = cut;
    require(event, known != null && range < known.ranges(), "the key space is divided before");
    RangeProgress before = ranges.getOrDefault(range, RangeProgress.NONE);
    require(event, !before.done(), "a range that is done is not written again");
    boolean empty = progress.lastKey().length == 0;
    ranges.put(range, empty ? new RangeProgress(before.lastKey(), progress.done()) : progress);
    written.computeIfAbsent(range, unused -> new Tally()).add(more);
    tally.add(more);
  }

  private void reopened(RangesReopened event) {
    require(event, cut != null && !bulkLoaded, "ranges are reopened before the load is done");
    for (int range : event.ranges()) {
      ranges.remove(range);
      Tally dropped = written.remove(range);
      if (dropped != null) {
        tally.subtract(dropped);
      }
    }
    // Servers that still run are recorded again.
    servers.clear();
  }

  private void require(JournalEvent event, boolean good, String rule) {
    if (!good) {
      throw JobException.usage(
          "the journal contradicts itself at line " + count + ": " + rule + ", found " + event);
    }
  }

  private static Tally copy(Tally tally) {
    Tally copy = new Tally();
    copy.add(tally);
    return copy;
  }

  /** The start of the load; empty before it. */
  public Optional<Started> started() {
    return Optional.ofNullable(started);
  }

  /** Progress of the reading of a unit. */
  public UnitProgress unit(int ordinal) {
    return units.getOrDefault(ordinal, UnitProgress.NONE);
  }

  /** File names of the runs that count, in the order of the input. */
  public List<String> runs() {
    return List.copyOf(runs.values());
  }

  /** Contexts of InfluxDB exports that lines are loaded of. */
  public Set<InfluxContext> influxContexts() {
    return Collections.unmodifiableSet(influxContexts);
  }

  /** Names of the source that have become names of OpenTSDB. */
  public List<ChangedName> names() {
    return Collections.unmodifiableList(names);
  }

  /** Whether all of the input is in runs. */
  public boolean readDone() {
    return readDone;
  }

  /** Committed lengths of the reject files, bytes. */
  public Map<RejectForm, Long> rejectLengths() {
    return Collections.unmodifiableMap(rejectLengths);
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

  /**
   * Region servers that may hold acknowledged rows which are not in their log yet; none while no
   * row is acknowledged.
   */
  public Set<String> servers() {
    return ranges.isEmpty() ? Set.of() : Collections.unmodifiableSet(servers);
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

  /**
   * Progress of the writing of a range of keys.
   *
   * @param lastKey the last acknowledged row key; empty if there is none
   * @param done whether the range is complete
   */
  public record RangeProgress(byte[] lastKey, boolean done) {
    /** Not begun. */
    public static final RangeProgress NONE = new RangeProgress(new byte[0], false);
  }

  /**
   * Progress of the reading of a unit of the input.
   *
   * @param part part of the unit, from 0
   * @param position position in that part at which reading continues
   * @param done whether the unit is read to its end
   * @param spills number of spills so far, and thus the number of the next one
   */
  public record UnitProgress(int part, Position position, boolean done, int spills) {
    /** Not begun. */
    public static final UnitProgress NONE = new UnitProgress(0, Position.START, false, 0);
  }
}
