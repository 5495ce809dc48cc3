package io.tsdbsuite.query.read;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.stats.QueryStats;
import net.opentsdb.stats.QueryStats.QueryStat;
import org.hbase.async.KeyValue;
import org.hbase.async.Scanner;

/**
 * What one scan has read, for OpenTSDB's statistics of a query ({@code showStats}, {@code
 * showSummary}). Not thread-safe: a scan asks one thing at a time, and decodes one.
 */
final class ScanStats {
  private final boolean wanted;
  private String scanner = "";
  private long begin;
  private long asked;
  private long waited;
  private final AtomicLong names = new AtomicLong();
  private long rows;
  private long points;
  private long keptRows;
  private long keptPoints;
  private long decoded;
  private long end;

  /**
   * @param wanted whether the query shows them: then points are counted in each qualifier
   */
  ScanStats(boolean wanted) {
    this.wanted = wanted;
  }

  /**
   * @param of its text is for people
   */
  void begin(Scanner of) {
    scanner = wanted ? of.toString() : "";
    begin = System.nanoTime();
  }

  void ask() {
    asked = System.nanoTime();
  }

  void answered() {
    waited += System.nanoTime() - asked;
  }

  void found(List<? extends List<KeyValue>> batch) {
    rows += batch.size();
    for (List<KeyValue> row : batch) {
      points += points(row);
    }
  }

  /** Names of a series were looked up; those of several series may be at the same time. */
  void resolved(int pairs) {
    names.addAndGet(pairs);
  }

  /** A row that the filters of names let pass. */
  void kept(List<KeyValue> row) {
    keptRows++;
    keptPoints += points(row);
  }

  /** Rows that have come. */
  long rows() {
    return rows;
  }

  /** Those of them that the filters of names let pass. */
  long keptRows() {
    return keptRows;
  }

  /**
   * @param nanos time for the rows of a batch
   */
  void decoded(long nanos) {
    decoded += nanos;
  }

  void end() {
    end = System.nanoTime();
  }

  private long points(List<KeyValue> row) {
    long found = 0;
    if (wanted) {
      for (KeyValue cell : row) {
        byte[] q = cell.qualifier();
        // Others are annotations and such.
        found += q.length % 2 == 0 ? points(q) : 0;
      }
    }
    return found;
  }

  /** A compacted cell has the qualifiers of its points one after the other. */
  static int points(byte[] qualifier) {
    if (qualifier.length % 2 != 0) {
      return 1;
    }
    int points = 0;
    for (int at = 0; at < qualifier.length; points++) {
      at += (qualifier[at] & 0xF0) == 0xF0 ? 4 : 2;
    }
    return points;
  }

  /** Adds the scan, which has ended well, to the statistics of a sub-query. */
  void report(QueryStats to, int query, int id) {
    to.addScannerId(query, id, scanner);
    to.addScannerStat(query, id, QueryStat.SCANNER_TIME, end - begin);
    to.addScannerStat(query, id, QueryStat.HBASE_TIME, waited);
    to.addScannerStat(query, id, QueryStat.SUCCESSFUL_SCAN, 1);
    to.addScannerStat(query, id, QueryStat.ROWS_PRE_FILTER, rows);
    to.addScannerStat(query, id, QueryStat.DPS_PRE_FILTER, points);
    to.addScannerStat(query, id, QueryStat.ROWS_POST_FILTER, keptRows);
    to.addScannerStat(query, id, QueryStat.DPS_POST_FILTER, keptPoints);
    // Lookups are part of the scan's time: those of several series run at once.
    to.addScannerStat(query, id, QueryStat.SCANNER_UID_TO_STRING_TIME, 0);
    to.addScannerStat(query, id, QueryStat.UID_PAIRS_RESOLVED, names.get());
    to.addScannerStat(query, id, QueryStat.COMPACTION_TIME, decoded);
  }
}
