package io.tsdbsuite.query.estimate;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts of series in the rows of some hours. Queries that need the same count at the same time
 * share it, and those of the next minute use what it has found: twenty clients that ask a query
 * which is too large, again and again, cost one scan. Thread-safe.
 */
public final class SeriesCounts {
  private static final long MAX_AGE = 60_000;

  private final LongSupplier clock;
  private final SeriesEstimates found;
  private final Map<String, Running> running = new HashMap<>();

  /** A count, and who waits for it. */
  private static final class Running {
    private final long begin;
    private final List<Deferred<@Nullable SeriesEstimate>> waiting = new ArrayList<>();

    Running(long begin) {
      this.begin = begin;
    }
  }

  /**
   * @param clock milliseconds that never go back
   */
  public SeriesCounts(LongSupplier clock) {
    this.clock = clock;
    this.found = new SeriesEstimates(clock, MAX_AGE);
  }

  /**
   * What a count finds, or has found within the last minute.
   *
   * @param rows the selection and the hours
   * @param count begins the count
   * @return null if there are no rows; fails as the count
   */
  public Deferred<@Nullable SeriesEstimate> of(
      String rows, Supplier<Deferred<@Nullable SeriesEstimate>> count) {
    Deferred<@Nullable SeriesEstimate> answer = new Deferred<>();
    Running begun;
    synchronized (this) {
      SeriesEstimate known = found.of(rows);
      if (known != null) {
        return Deferred.fromResult(known);
      }
      Running other = running.get(rows);
      // An older one is not waited for: HBase may never answer it.
      if (other != null && clock.getAsLong() - other.begin <= MAX_AGE) {
        other.waiting.add(answer);
        return answer;
      }
      begun = new Running(clock.getAsLong());
      begun.waiting.add(answer);
      running.put(rows, begun);
    }
    try {
      count
          .get()
          .addCallbacks(
              estimate -> {
                if (estimate != null) {
                  found.put(rows, estimate);
                }
                end(rows, begun).forEach(each -> each.callback(estimate));
                return null;
              },
              (Exception failure) -> {
                end(rows, begun).forEach(each -> each.callback(failure));
                return null;
              });
    } catch (RuntimeException e) {
      end(rows, begun).forEach(each -> each.callback(e));
    } catch (Error e) {
      end(rows, begun).forEach(each -> each.callback(new IllegalStateException(e)));
      throw e;
    }
    return answer;
  }

  private synchronized List<Deferred<@Nullable SeriesEstimate>> end(String rows, Running ended) {
    running.remove(rows, ended);
    return ended.waiting;
  }
}
