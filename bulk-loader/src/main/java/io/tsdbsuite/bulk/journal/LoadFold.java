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
import io.tsdbsuite.bulk.names.MetName;
import io.tsdbsuite.bulk.parse.InfluxContext;
import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.job.JobException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A {@link LoadState} that grows event by event. */
final class LoadFold {
  @Nullable Started started;
  final Map<Integer, UnitProgress> units = new HashMap<>();

  /** Live runs by their place in the input; a compacted one has the place of its first. */
  final TreeMap<Long, String> runs = new TreeMap<>();

  final Set<InfluxContext> influxContexts = new LinkedHashSet<>();
  final List<MetName> names = new ArrayList<>();
  boolean readDone;
  final Map<RejectForm, Long> rejectLengths = new EnumMap<>(RejectForm.class);
  @Nullable RangesCut cut;
  final Map<Integer, RangeProgress> ranges = new HashMap<>();

  /** Counters of each range. */
  final Map<Integer, Tally> written = new HashMap<>();

  final Set<String> servers = new TreeSet<>();
  boolean bulkLoading;
  boolean bulkLoaded;
  boolean metaDone;
  OptionalInt finished = OptionalInt.empty();
  final Tally tally = new Tally();
  private int count;

  void add(JournalEvent event) {
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
}
