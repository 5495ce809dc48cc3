package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.DeferredGroupException;
import io.tsdbsuite.ingest.message.BadMessageException;
import io.tsdbsuite.ingest.message.Reason;
import net.opentsdb.uid.FailedToAssignUniqueIdException;
import net.opentsdb.uid.NoSuchUniqueName;
import org.hbase.async.NonRecoverableException;
import org.hbase.async.PleaseThrottleException;
import org.hbase.async.RecoverableException;
import org.hbase.async.RemoteException;

/**
 * What a failed write means: what its maker may do next.
 *
 * <p>Three kinds: the message can never be stored ({@link #bad}); HBase takes nothing now, or wants
 * less ({@link #isOutage}); HBase refused this write for a reason that it does not explain well
 * enough (neither).
 */
public final class StorageFailure {
  private static final int MAX_DEPTH = 8;

  private final Throwable cause;
  private final BadMessageException bad;
  private final boolean outage;

  private StorageFailure(Throwable cause, BadMessageException bad, boolean outage) {
    this.cause = cause;
    this.bad = bad;
    this.outage = outage;
  }

  /** Judges what a write threw, or what its Deferred was called back with. */
  public static StorageFailure of(Throwable thrown) {
    Throwable cause = root(thrown);
    if (cause instanceof BadMessageException) {
      return new StorageFailure(cause, (BadMessageException) cause, false);
    }
    if (cause instanceof NoSuchUniqueName) {
      return bad(cause, Reason.UNKNOWN_NAME);
    }
    if (cause instanceof IllegalArgumentException
        || cause instanceof FailedToAssignUniqueIdException) {
      return bad(cause, Reason.REFUSED);
    }
    return new StorageFailure(cause, null, isOutage(cause));
  }

  private static StorageFailure bad(Throwable cause, Reason reason) {
    return new StorageFailure(
        cause,
        new BadMessageException(reason, "the TSD must accept it, it said: " + cause.getMessage()),
        false);
  }

  /** OpenTSDB wraps what HBase says; the innermost exception that one of them made tells most. */
  private static Throwable root(Throwable thrown) {
    Throwable at = thrown;
    for (int depth = 0; depth < MAX_DEPTH && isWrapper(at) && at.getCause() != null; depth++) {
      at = at.getCause();
    }
    return at;
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown instanceof DeferredGroupException || thrown.getClass() == RuntimeException.class;
  }

  private static boolean isOutage(Throwable cause) {
    if (cause instanceof PleaseThrottleException || cause instanceof RecoverableException) {
      return true;
    }
    if (cause instanceof RemoteException) {
      return saysBusy(String.valueOf(cause.getMessage()));
    }
    // "Too many attempts" and the like: asynchbase gave up, HBase never answered.
    return cause.getClass() == NonRecoverableException.class
        || !(cause instanceof RuntimeException);
  }

  /** Exceptions of HBase 2 that asynchbase has no class for. */
  private static boolean saysBusy(String message) {
    return message.contains("RegionTooBusy")
        || message.contains("CallQueueTooBig")
        || message.contains("ServerTooBusy")
        || message.contains("RegionServerStopped")
        || message.contains("RegionServerAborted")
        || message.contains("ServerNotRunningYet")
        || message.contains("NotServingRegion")
        || message.contains("RegionMoved")
        || message.contains("RegionOpening")
        || message.contains("PleaseHold");
  }

  /** The dead letter that the message is; null if it may still be stored. */
  public BadMessageException bad() {
    return bad;
  }

  /** Whether HBase is down or overloaded, so that other writes would fail as well. */
  public boolean isOutage() {
    return outage;
  }

  /** What happened, in one line. */
  public String describe() {
    return cause.getClass().getSimpleName() + ": " + firstLine(cause.getMessage());
  }

  private static String firstLine(String message) {
    if (message == null) {
      return "no message";
    }
    int end = message.indexOf('\n');
    String line = end < 0 ? message : message.substring(0, end);
    return line.length() <= 500 ? line : line.substring(0, 500) + "...";
  }
}
