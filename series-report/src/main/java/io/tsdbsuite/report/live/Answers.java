package io.tsdbsuite.report.live;

import com.stumbleupon.async.Deferred;
import com.stumbleupon.async.DeferredGroupException;
import com.stumbleupon.async.TimeoutException;
import io.tsdbsuite.job.JobException;
import org.hbase.async.NonRecoverableException;
import org.hbase.async.TableNotFoundException;

/**
 * Waits for HBase with a time-out; asynchbase has none while ZooKeeper is unreachable.
 *
 * @param where address of HBase, for messages
 * @param timeoutMillis time-out of each answer, ms
 */
record Answers(String where, long timeoutMillis) {
  /**
   * Waits for an answer.
   *
   * @param what the request, for messages
   * @throws JobException on time-out or an error of HBase
   */
  <T> T of(Deferred<T> deferred, String what) {
    try {
      return deferred.join(timeoutMillis);
    } catch (TimeoutException e) {
      throw JobException.outside(
          "HBase did not answer within %s s (--timeout) for %s; %s"
              .formatted(timeoutMillis / 1000, what, where),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("interrupted while waiting for " + what, e);
    } catch (Exception e) {
      Throwable inner = e.getCause();
      Throwable cause = e instanceof DeferredGroupException && inner != null ? inner : e;
      if (cause instanceof TableNotFoundException || gaveUp(cause)) {
        throw JobException.outside(
            "HBase has no such table, or it is not online: " + what + "; " + where, cause);
      }
      throw JobException.outside(
          "HBase failed for " + what + ": " + reason(cause) + "; " + where, cause);
    }
  }

  private static String reason(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  /** Whether this is asynchbase's error for a row without a region in hbase:meta. */
  private static boolean gaveUp(Throwable cause) {
    return cause.getClass() == NonRecoverableException.class
        && cause.getCause() == null
        && cause.getMessage() != null
        && cause.getMessage().startsWith("Too many attempts");
  }
}
