package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryTasks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.TSQuery;
import org.jspecify.annotations.Nullable;

/**
 * The way of one query.
 *
 * <ol>
 *   <li>The names of all sub-queries are resolved.
 *   <li>All are planned, and their cost is estimated. What is wrong or too large ends here, or gets
 *       a wider downsampler if the query allows that.
 *   <li>All are read at the same time. When one fails, the others stop, and all when the query is
 *       stopped.
 * </ol>
 */
final class QueryRun {
  /** A query whose selection would fit with so many series needs no estimate. */
  static final double FEW_SERIES = 10_000;

  private final RollupQueryRunner runner;
  private final TSQuery query;
  private final QueryContext context;
  private final List<SubQuery> subs = new ArrayList<>();

  /** The downsamplers that were asked for. */
  private final List<String> asked = new ArrayList<>();

  private final Deferred<List<DataPoints[]>> result = new Deferred<>();
  private final List<DataPoints[]> answers = new ArrayList<>();
  private int running;
  private @Nullable Exception failure;

  QueryRun(RollupQueryRunner runner, TSQuery query, QueryContext context) {
    this.runner = runner;
    this.query = query;
    this.context = context;
  }

  Deferred<List<DataPoints[]>> start() {
    List<Deferred<SubQuery>> resolved = new ArrayList<>();
    for (int i = 0; i < query.getQueries().size(); i++) {
      asked.add(String.valueOf(query.getQueries().get(i).getDownsample()));
      resolved.add(SubQuery.of(runner, query, i, context));
    }
    return Deferred.groupInOrder(resolved)
        .addCallbackDeferring(
            all -> {
              subs.addAll(all);
              return later(context.widens() ? this::widen : this::plan);
            });
  }

  /** Goes on in a thread of the plugin: neither HBase's client nor Netty can wait for a plan. */
  private <T> Deferred<T> later(Callable<Deferred<T>> step) {
    return QueryTasks.call(runner.threads().rows(context), context, step);
  }

  /** Widens the downsamplers of all that would need raw data that is gone. */
  private Deferred<List<DataPoints[]>> widen() {
    for (SubQuery sub : subs) {
      context.check();
      String wider = sub.widerForGone();
      if (!wider.isEmpty()) {
        return widen(sub, wider);
      }
    }
    return plan();
  }

  private Deferred<List<DataPoints[]>> widen(SubQuery sub, String wider) {
    int index = sub.index();
    Downsamplers.replace(query, index, wider);
    return SubQuery.of(runner, query, index, context)
        .addCallbackDeferring(
            widened -> {
              subs.set(index, widened);
              return later(this::widen);
            });
  }

  private Deferred<List<DataPoints[]>> plan() {
    List<SubQuery> unknown = new ArrayList<>();
    for (SubQuery sub : subs) {
      context.check();
      sub.require();
      if (sub.needsEstimate(FEW_SERIES)) {
        unknown.add(sub);
      }
    }
    return unknown.isEmpty() ? expectAndRead() : count(unknown);
  }

  /** Counts series, and goes on with what was found. */
  private Deferred<List<DataPoints[]>> count(List<SubQuery> of) {
    List<Deferred<Object>> estimates = new ArrayList<>();
    of.forEach(sub -> estimates.add(sub.estimate()));
    return Deferred.group(estimates).addCallbackDeferring(done -> later(this::planAgain));
  }

  private Deferred<List<DataPoints[]>> planAgain() {
    for (SubQuery sub : subs) {
      context.check();
      sub.require();
    }
    return expectAndRead();
  }

  private Deferred<List<DataPoints[]>> expectAndRead() {
    double cells = 0;
    double bytes = 0;
    for (SubQuery sub : subs) {
      cells += sub.cells();
      bytes += sub.bytes();
    }
    double allCells = cells;
    double allBytes = bytes;
    if (!context.limits().allow((long) cells, (long) bytes)) {
      // Rows of other times may be compacted, and these are not.
      List<SubQuery> known = new ArrayList<>(subs);
      known.removeIf(sub -> !sub.isOfOthers());
      if (!known.isEmpty()) {
        return count(known);
      }
    }
    if (context.widens() && !context.limits().allow((long) cells, (long) bytes)) {
      String wider = narrowest(largest(), cells, bytes);
      if (!wider.isEmpty()) {
        return widen(largest(), wider);
      }
    }
    context.expect((long) cells, (long) bytes, () -> advice(allCells, allBytes));
    return read();
  }

  private SubQuery largest() {
    SubQuery largest = subs.get(0);
    for (SubQuery sub : subs) {
      if (sub.cells() > largest.cells()) {
        largest = sub;
      }
    }
    return largest;
  }

  /** The narrowest wider downsampler of a sub-query with which the query would do. */
  private String narrowest(SubQuery largest, double cells, double bytes) {
    double cellsLeft = left(context.limits().cells(), cells - largest.cells());
    double bytesLeft = left(context.limits().bytes(), bytes - largest.bytes());
    return largest.narrowest(cellsLeft, bytesLeft);
  }

  private String advice(double cells, double bytes) {
    return advice(narrowest(largest(), cells, bytes));
  }

  /**
   * What to ask for instead of what is too large.
   *
   * @param found a downsampler that would do; empty if there is none
   */
  static String advice(String found) {
    return found.isEmpty()
        ? "Ask for a shorter time or fewer series."
        : "The downsampler " + found + " would do; or ask for a shorter time or fewer series.";
  }

  private static double left(long limit, double used) {
    return limit == 0 ? Double.MAX_VALUE : limit - used;
  }

  private Deferred<List<DataPoints[]>> read() {
    context.check();
    running = subs.size();
    answers.addAll(Collections.nCopies(running, new DataPoints[0]));
    context.onAbort(() -> QueryTasks.guard(context, this::aborted));
    for (SubQuery sub : subs) {
      if (context.widens()) {
        String used = String.valueOf(query.getQueries().get(sub.index()).getDownsample());
        context.note(
            sub.index(),
            used.equals(asked.get(sub.index())) ? "as asked" : "downsampled by " + used);
      }
      begin(sub)
          .addCallbacks(
              answer -> {
                ended(sub, answer, null);
                return null;
              },
              (Exception cause) -> {
                ended(sub, new DataPoints[0], cause);
                return null;
              });
    }
    return result;
  }

  private static Deferred<DataPoints[]> begin(SubQuery sub) {
    try {
      return sub.read();
    } catch (RuntimeException e) {
      return Deferred.fromError(e);
    }
  }

  /** The query was stopped. HBase's client may never answer a scan whose region has moved. */
  private void aborted() {
    Exception reason = context.aborted();
    if (reason != null) {
      subs.forEach(sub -> sub.stop(reason));
    }
  }

  /** A sub-query has ended; the first failure ends the query, and stops the others. */
  private void ended(SubQuery sub, DataPoints[] answer, @Nullable Exception cause) {
    boolean first;
    boolean last;
    synchronized (this) {
      first = cause != null && failure == null;
      if (first) {
        failure = cause;
      }
      answers.set(sub.index(), answer);
      running--;
      last = running == 0 && failure == null;
    }
    if (first) {
      for (SubQuery other : subs) {
        other.stop(new NotWantedException());
      }
      result.callback(cause);
    } else if (last) {
      result.callback(answers);
    }
  }

  /** Another sub-query has failed. Nobody sees it. */
  private static final class NotWantedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotWantedException() {
      super("another sub-query has failed", null, false, false);
    }
  }
}
