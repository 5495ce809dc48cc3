package io.tsdbsuite.rollup.report;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What became of everything that was read. Two sums must hold at the end:
 *
 * <pre>
 * rows read   = emitted + skipped (by reason) + failed (by reason)
 * points read = aggregated + duplicates + not a number + in failed rows
 * </pre>
 *
 * One for each task, added up by the driver from the tasks that succeeded, so that an attempt that
 * was repeated does not count twice. Not thread-safe.
 */
public final class Books implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Samples kept for each reason of failure. */
  public static final int SAMPLES = 5;

  private long rowsRead;
  private long rowsEmitted;
  private final Tally<SkipReason> skipped = new Tally<>(SkipReason.class);
  private final Tally<FailReason> failed = new Tally<>(FailReason.class);
  private long pointsRead;
  private long pointsAggregated;
  private long pointsDuplicate;
  private long pointsNotANumber;
  private long pointsInFailedRows;
  private long ambiguousDuplicates;
  private long emptyValues;
  private long annotations;
  private long histograms;
  private long unknownColumns;
  private long intervalsEmitted;
  private long messagesSent;
  private long messagesAcknowledged;
  private long bytesRead;
  private long readCalls;
  private final EnumMap<FailReason, List<String>> samples = new EnumMap<>(FailReason.class);

  /** A row was read. */
  public void rowRead() {
    rowsRead++;
  }

  /**
   * The row that was read gave rollups.
   *
   * @param points that the rollups are made of
   * @param notANumber points left out because they are NaN
   * @param intervals rollups emitted
   */
  public void rowEmitted(long points, long notANumber, long intervals) {
    rowsEmitted++;
    pointsAggregated += points;
    pointsNotANumber += notANumber;
    intervalsEmitted += intervals;
  }

  /** The row that was read gave none, rightly. */
  public void rowSkipped(SkipReason reason, long notANumber) {
    skipped.increment(reason);
    pointsNotANumber += notANumber;
  }

  /**
   * The row that was read could not be rolled up.
   *
   * @param points of the row that had been read, duplicates left out
   * @param sample names the row and the rule that it breaks
   */
  public void rowFailed(FailReason reason, long points, String sample) {
    failed.increment(reason);
    pointsInFailedRows += points;
    List<String> list = samples.computeIfAbsent(reason, r -> new ArrayList<>());
    if (list.size() < SAMPLES) {
      list.add(sample);
    }
  }

  /**
   * Counts the contents of a row.
   *
   * @param points all points, before duplicates are dropped
   * @param duplicates points dropped because of a newer or equal one
   * @param ambiguous of these, those where HBase's timestamps do not say which is newer
   */
  public void contents(long points, long duplicates, long ambiguous) {
    pointsRead += points;
    pointsDuplicate += duplicates;
    ambiguousDuplicates += ambiguous;
  }

  /** Counts the columns of a row that hold no point. */
  public void setAside(long annotationColumns, long histogramColumns, long unknown, long empty) {
    annotations += annotationColumns;
    histograms += histogramColumns;
    unknownColumns += unknown;
    emptyValues += empty;
  }

  /**
   * Counts what went to the sink.
   *
   * @param sent messages that the emitted rollups make
   * @param acknowledged messages that the sink has confirmed
   */
  public void messages(long sent, long acknowledged) {
    messagesSent += sent;
    messagesAcknowledged += acknowledged;
  }

  /** Counts what storage delivered. */
  public void storage(long bytes, long calls) {
    bytesRead += bytes;
    readCalls += calls;
  }

  /** Adds another task's books. */
  public void add(Books other) {
    rowsRead += other.rowsRead;
    rowsEmitted += other.rowsEmitted;
    skipped.addAll(other.skipped);
    failed.addAll(other.failed);
    pointsRead += other.pointsRead;
    pointsAggregated += other.pointsAggregated;
    pointsDuplicate += other.pointsDuplicate;
    pointsNotANumber += other.pointsNotANumber;
    pointsInFailedRows += other.pointsInFailedRows;
    ambiguousDuplicates += other.ambiguousDuplicates;
    emptyValues += other.emptyValues;
    annotations += other.annotations;
    histograms += other.histograms;
    unknownColumns += other.unknownColumns;
    intervalsEmitted += other.intervalsEmitted;
    messagesSent += other.messagesSent;
    messagesAcknowledged += other.messagesAcknowledged;
    bytesRead += other.bytesRead;
    readCalls += other.readCalls;
    other.samples.forEach(
        (reason, list) -> {
          List<String> own = samples.computeIfAbsent(reason, r -> new ArrayList<>());
          list.stream().limit(SAMPLES - (long) own.size()).forEach(own::add);
        });
  }

  /** Whether both sums hold and every message was acknowledged. */
  public boolean close() {
    return rowsRead == rowsEmitted + rowsSkipped() + rowsFailed()
        && pointsRead == pointsAggregated + pointsDuplicate + pointsNotANumber + pointsInFailedRows
        && messagesSent == messagesAcknowledged;
  }

  /** Rows that HBase delivered. */
  public long rowsRead() {
    return rowsRead;
  }

  /** Rows that gave rollups. */
  public long rowsEmitted() {
    return rowsEmitted;
  }

  /** Rows that gave none, rightly. */
  public long rowsSkipped() {
    return skipped.total();
  }

  /** Rows that could not be rolled up. */
  public long rowsFailed() {
    return failed.total();
  }

  /** Rows that gave none for one reason. */
  public long skipped(SkipReason reason) {
    return skipped.get(reason);
  }

  /** Rows that failed for one reason. */
  public long failed(FailReason reason) {
    return failed.get(reason);
  }

  /** Points in the rows, before duplicates are dropped. */
  public long pointsRead() {
    return pointsRead;
  }

  /** Points that the rollups are made of. */
  public long pointsAggregated() {
    return pointsAggregated;
  }

  /** Points dropped because of a newer or equal one of the same instant. */
  public long pointsDuplicate() {
    return pointsDuplicate;
  }

  /** Points that are NaN, which OpenTSDB leaves out as well. */
  public long pointsNotANumber() {
    return pointsNotANumber;
  }

  /** Points of rows that failed. */
  public long pointsInFailedRows() {
    return pointsInFailedRows;
  }

  /** Duplicates that HBase's timestamps did not decide; the first in column order was kept. */
  public long ambiguousDuplicates() {
    return ambiguousDuplicates;
  }

  /** Cells with a value of 0 bytes, dropped. */
  public long emptyValues() {
    return emptyValues;
  }

  /** Annotation columns, set aside. */
  public long annotations() {
    return annotations;
  }

  /** Histogram columns, set aside. */
  public long histograms() {
    return histograms;
  }

  /** Columns that OpenTSDB ignores, set aside. */
  public long unknownColumns() {
    return unknownColumns;
  }

  /** Rollups emitted: one for each series and interval. */
  public long intervalsEmitted() {
    return intervalsEmitted;
  }

  /** Messages or lines handed to the sink. */
  public long messagesSent() {
    return messagesSent;
  }

  /** Messages or lines that the sink has confirmed. */
  public long messagesAcknowledged() {
    return messagesAcknowledged;
  }

  /** Bytes of HFiles that storage delivered. */
  public long bytesRead() {
    return bytesRead;
  }

  /** Read calls to storage. */
  public long readCalls() {
    return readCalls;
  }

  /** Some failed rows for each reason. */
  public Map<FailReason, List<String>> samples() {
    return samples;
  }
}
