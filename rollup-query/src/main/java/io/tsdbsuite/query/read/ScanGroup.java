package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.opentsdb.stats.QueryStats;
import org.jspecify.annotations.Nullable;

/**
 * Runs scans, a limited number at the same time. It fails as a whole if any scan fails: an answer
 * never has a hole because of an error.
 */
final class ScanGroup {
  private final List<PieceScan> scans;
  private final HeldMemory memory;
  private final List<Map<ByteBuffer, ScannedSeries>> results = new ArrayList<>();
  private final Deferred<List<Map<ByteBuffer, ScannedSeries>>> result = new Deferred<>();
  private int started;
  private int finished;
  private boolean ended;

  /**
   * @param memory of the scans; given back if they fail
   */
  ScanGroup(List<PieceScan> scans, HeldMemory memory) {
    this.scans = scans;
    this.memory = memory;
  }

  /**
   * Starts.
   *
   * @return what each scan has found, in the order of the scans
   */
  Deferred<List<Map<ByteBuffer, ScannedSeries>>> start(int atOnce) {
    for (int i = 0; i < scans.size(); i++) {
      results.add(new HashMap<>());
    }
    for (int i = 0; i < atOnce; i++) {
      startNext();
    }
    return result;
  }

  /**
   * Adds the scans to the statistics of a sub-query, after they have ended well.
   *
   * @param index of the sub-query
   */
  void report(@Nullable QueryStats to, int index) {
    if (to != null) {
      for (int i = 0; i < scans.size(); i++) {
        scans.get(i).stats().report(to, index, i);
      }
    }
  }

  /** Ends the scans with this failure, and drops what they have; nothing if they have ended. */
  void stop(Exception failure) {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      results.clear();
    }
    for (PieceScan scan : scans) {
      scan.stop();
    }
    memory.freeAll();
    result.callback(failure);
  }

  private void startNext() {
    int scan;
    synchronized (this) {
      if (ended || started == scans.size()) {
        return;
      }
      scan = started++;
    }
    scans
        .get(scan)
        .start()
        .addCallback(
            found -> {
              finished(scan, found);
              return null;
            })
        // Also gets exceptions of the callback; otherwise the query would never end.
        .addErrback(
            (Exception failure) -> {
              stop(failure);
              return null;
            });
  }

  private void finished(int scan, Map<ByteBuffer, ScannedSeries> found) {
    boolean last;
    synchronized (this) {
      if (ended) {
        return;
      }
      results.set(scan, found);
      finished++;
      last = finished == scans.size();
      ended = last;
    }
    if (last) {
      result.callback(results);
    } else {
      startNext();
    }
  }
}
