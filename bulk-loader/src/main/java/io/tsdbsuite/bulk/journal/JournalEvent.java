package io.tsdbsuite.bulk.journal;

import io.tsdbsuite.bulk.names.ChangedName;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.bulk.report.Tally;
import java.util.List;
import java.util.Map;

/**
 * One step of a load that is done and on disk. The order is
 *
 * <pre>
 *   Started  (RunSpilled | RunsCompacted | InfluxContextMet | NamesMet)*  ReadDone
 *            RunsCompacted*  RangesCut  (ServersSeen | RowsAcknowledged | RangesReopened)*
 *            [BulkLoading RangesReopened* RowsAcknowledged* BulkLoaded]  [MetaDone]  Finished
 * </pre>
 *
 * and {@code Finished} can come earlier, followed by the events of a resume. A load without input
 * ({@code generate}) has no {@code RunSpilled}. Row keys are written in hex.
 */
public sealed interface JournalEvent {
  /** The name of an event in the journal. */
  default String name() {
    return getClass().getSimpleName();
  }

  /**
   * The load began.
   *
   * @param runId names the files of this load outside of the work directory
   * @param version version of the loader
   * @param arguments the command line, as far as a resume needs it
   * @param schema keys of the TSD's configuration that determine the stored bytes, with their
   *     values
   * @param cellTimestampMillis start of the load, milliseconds since the epoch, UTC: cell timestamp
   *     of the load and its current time
   */
  record Started(
      String runId,
      String version,
      List<String> arguments,
      Map<String, String> schema,
      long cellTimestampMillis,
      List<Input> inputs)
      implements JournalEvent {}

  /**
   * An input file as it was when the load began.
   *
   * @param bytes its size; negative if not known
   * @param modifiedMillis time of its last modification, milliseconds since the epoch, UTC
   */
  record Input(String file, long bytes, long modifiedMillis) {}

  /**
   * A unit of the input was read up to a position, and the points are in a run.
   *
   * @param run file name of the run, empty if nothing was left to spill
   * @param unit ordinal of the unit, from 0
   * @param spill number of the spill in its unit, from 0
   * @param part part of the unit that the position is in, from 0
   * @param position position at which reading continues
   * @param unitDone whether the unit was read to its end
   * @param tally counted since the last spill of this unit
   * @param rejectLengths committed lengths of the reject files, bytes
   */
  record RunSpilled(
      String run,
      int unit,
      int spill,
      int part,
      Position position,
      boolean unitDone,
      Tally tally,
      Map<RejectForm, Long> rejectLengths)
      implements JournalEvent {}

  /**
   * Lines of this context of an InfluxDB export are loaded, starting after this event.
   *
   * @param database empty if none is named
   * @param retentionPolicy empty if none is named
   */
  record InfluxContextMet(String database, String retentionPolicy) implements JournalEvent {}

  /**
   * Names of the source have become these names, in points of the spills after this event.
   *
   * @param names those that no earlier event has
   */
  record NamesMet(List<ChangedName> names) implements JournalEvent {}

  /**
   * Several runs were merged into one.
   *
   * @param runs file names, in the order of the input
   * @param tally counted on the way
   */
  record RunsCompacted(List<String> runs, String into, Tally tally) implements JournalEvent {}

  /**
   * All of the input is in runs.
   *
   * @param total counters of the reading
   */
  record ReadDone(Tally total) implements JournalEvent {}

  /**
   * The key space was divided.
   *
   * @param cuts first row keys of ranges 1, 2, ..., ascending; range 0 begins at the first row
   */
  record RangesCut(List<byte[]> cuts) implements JournalEvent {
    /** Number of ranges. */
    public int ranges() {
      return cuts.size() + 1;
    }
  }

  /**
   * All rows of a range up to a key are acknowledged.
   *
   * @param lastKey the last of them; empty if the range had none
   * @param tally counted since the last acknowledgement of this range
   * @param done whether the range is done
   */
  record RowsAcknowledged(int range, byte[] lastKey, Tally tally, boolean done)
      implements JournalEvent {}

  /**
   * Region servers that may hold rows which are acknowledged and not in their log yet.
   *
   * @param servers host, port and start code of each, as HBase writes them
   */
  record ServersSeen(List<String> servers) implements JournalEvent {}

  /**
   * The acknowledged rows of these ranges may be lost or outdated: the ranges are written again.
   *
   * @param ranges their numbers
   * @param why reason, for messages
   */
  record RangesReopened(List<Integer> ranges, String why) implements JournalEvent {}

  /** The bulk load begins; HFiles may be gone from here on. */
  record BulkLoading() implements JournalEvent {}

  /**
   * The bulk load is done.
   *
   * @param files HFiles that it has loaded
   */
  record BulkLoaded(int files) implements JournalEvent {}

  /**
   * The rows of {@code tsdb-meta} are written.
   *
   * @param rows number of rows made
   */
  record MetaDone(long rows) implements JournalEvent {}

  /**
   * The process ended by itself.
   *
   * @param exitCode its exit status, 0..4
   */
  record Finished(int exitCode) implements JournalEvent {}
}
