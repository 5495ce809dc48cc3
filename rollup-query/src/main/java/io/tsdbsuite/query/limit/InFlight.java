package io.tsdbsuite.query.limit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cells and bytes that all running queries hold together.
 *
 * <p>While they are within the limits, a client may use all of them. When they go over, the client
 * that holds the most loses its largest query; again, until the rest is within the limits. So a
 * small query is never stopped for a large one, and a client with many queries never for one with
 * fewer in sum. A stopped query no longer counts.
 *
 * <p>Thread-safe.
 */
public final class InFlight {
  private static final double NEAR = 0.8;

  private final long maxCells;
  private final long maxBytes;
  private final List<Share> shares = new ArrayList<>();
  private long cells;
  private long bytes;

  /**
   * Creates the limits.
   *
   * @param maxCells cells of all queries; 0 for no limit
   * @param maxBytes heap of all queries; 0 for no limit
   */
  public InFlight(long maxCells, long maxBytes) {
    this.maxCells = maxCells;
    this.maxBytes = maxBytes;
  }

  /** Counts without a limit. */
  public static InFlight unlimited() {
    return new InFlight(0, 0);
  }

  /** What one query holds. */
  public final class Share {
    private final String client;
    private final Consumer<String> stop;
    private long ownCells;
    private long ownBytes;
    private boolean counts = true;

    private Share(String client, Consumer<String> stop) {
      this.client = client;
      this.stop = stop;
    }

    /** Counts what the query holds in addition; may stop this query or another. */
    public void add(long moreCells, long moreBytes) {
      InFlight.this.add(this, moreCells, moreBytes);
    }

    /** Gives everything back. */
    public void end() {
      synchronized (InFlight.this) {
        uncount(this);
      }
    }

    /** The part of the limits that this query holds: of cells or bytes, whichever is more. */
    private double load() {
      return Math.max(part(ownCells, maxCells), part(ownBytes, maxBytes));
    }
  }

  /**
   * A query begins.
   *
   * @param client whose query it is
   * @param stop called with the reason, for the user, when the query must stop
   */
  public synchronized Share begin(String client, Consumer<String> stop) {
    Share share = new Share(client, stop);
    shares.add(share);
    return share;
  }

  /** Whether more than four fifths of a limit are held. */
  public synchronized boolean isNearLimits() {
    return part(cells, maxCells) > NEAR || part(bytes, maxBytes) > NEAR;
  }

  /** Queries that have not ended, without those that were stopped for the limits. */
  public synchronized int queries() {
    return shares.size();
  }

  /** Cells that they hold. */
  public synchronized long cells() {
    return cells;
  }

  /** Heap that they hold, bytes. */
  public synchronized long bytes() {
    return bytes;
  }

  private void add(Share share, long moreCells, long moreBytes) {
    List<Share> stopped = new ArrayList<>();
    synchronized (this) {
      if (!share.counts) {
        return;
      }
      share.ownCells += moreCells;
      share.ownBytes += moreBytes;
      cells += moreCells;
      bytes += moreBytes;
      while (isOver()) {
        Share largest = largestOfLargestClient();
        if (largest == null) {
          break;
        }
        uncount(largest);
        stopped.add(largest);
      }
    }
    // Outside the lock: it answers a client.
    for (Share each : stopped) {
      each.stop.accept(message(each));
    }
  }

  private boolean isOver() {
    return part(cells, maxCells) > 1 || part(bytes, maxBytes) > 1;
  }

  private @Nullable Share largestOfLargestClient() {
    Map<String, Double> loads = new HashMap<>();
    for (Share share : shares) {
      loads.merge(share.client, share.load(), Double::sum);
    }
    Share found = null;
    for (Share share : shares) {
      if (found == null || isBefore(share, found, loads)) {
        found = share;
      }
    }
    return found;
  }

  private static boolean isBefore(Share share, Share other, Map<String, Double> loads) {
    int byClient = Double.compare(load(loads, share), load(loads, other));
    return byClient != 0 ? byClient > 0 : share.load() > other.load();
  }

  private static double load(Map<String, Double> loads, Share share) {
    return loads.getOrDefault(share.client, 0.0);
  }

  private void uncount(Share share) {
    if (share.counts) {
      share.counts = false;
      shares.remove(share);
      cells -= share.ownCells;
      bytes -= share.ownBytes;
    }
  }

  private String message(Share share) {
    return String.format(
        Locale.ROOT,
        "All running queries together hold more than this TSD allows (%,d cells, %,d MB:"
            + " tsd.rollup_query.max_cells_in_flight, max_megabytes_in_flight). This query was the"
            + " largest of the client with the most: %,d cells, %,d MB. Ask again later, or for"
            + " less.",
        maxCells,
        maxBytes >> 20,
        share.ownCells,
        share.ownBytes >> 20);
  }

  private static double part(long held, long limit) {
    return limit == 0 ? 0 : (double) held / limit;
  }
}
