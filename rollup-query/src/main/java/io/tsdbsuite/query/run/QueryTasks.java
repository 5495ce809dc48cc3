package io.tsdbsuite.query.run;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the work of a query by an executor. A Deferred catches exceptions of its callbacks, and no
 * {@link Error}: one would leave the query without an answer, and its share of the limits taken. So
 * each step that another thread begins goes through here.
 */
public final class QueryTasks {
  private static final Logger LOG = LoggerFactory.getLogger(QueryTasks.class);

  private QueryTasks() {}

  /** Runs a step here; an Error ends the query. */
  public static void guard(QueryContext context, Runnable step) {
    try {
      step.run();
    } catch (Error e) {
      LOG.error("rollup-query: a query ends with an Error", e);
      context.broken(e);
    }
  }

  /** A callback for the threads of others; an Error ends the query. */
  public static <R, T> Callback<R, T> guarded(QueryContext context, Callback<R, T> callback) {
    return argument -> {
      try {
        return callback.call(argument);
      } catch (Error e) {
        LOG.error("rollup-query: a query ends with an Error", e);
        context.broken(e);
        throw new IllegalStateException(e);
      }
    };
  }

  /**
   * Runs a step, and all that is added to its result, in a thread of the executor.
   *
   * @return fails as the step, also if the executor takes no task
   */
  public static <T> Deferred<T> call(
      Executor executor, QueryContext context, Callable<Deferred<T>> step) {
    Deferred<Boolean> begin = new Deferred<>();
    Deferred<T> result = begin.addCallbackDeferring(begun -> step.call());
    try {
      executor.execute(() -> guard(context, () -> begin.callback(true)));
    } catch (RuntimeException e) {
      return Deferred.fromError(e);
    } catch (Error e) {
      LOG.error("rollup-query: a query ends with an Error", e);
      context.broken(e);
      return Deferred.fromError(new IllegalStateException(e));
    }
    return result;
  }
}
