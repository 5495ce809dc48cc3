package io.tsdbsuite.ingest.store;

import com.google.common.collect.ImmutableSet;
import com.stumbleupon.async.DeferredGroupException;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import java.util.Set;
import net.opentsdb.uid.FailedToAssignUniqueIdException;
import net.opentsdb.uid.NoSuchUniqueName;
import org.hbase.async.HBaseException;
import org.hbase.async.NoSuchColumnFamilyException;
import org.hbase.async.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * Classifies a failed write.
 *
 * <p>Four kinds: the message can never be stored ({@link #bad}); HBase is unavailable or overloaded
 * ({@link #isOutage}); HBase rejected this write only (none of these); the TSD's own code failed
 * ({@link #isUnexpected}).
 *
 * <p>A failure of HBase counts as an outage unless it is known to concern one write: a partition
 * that waits needlessly is noticed, a point that is dropped needlessly is lost.
 */
public final class StorageFailure {
  private static final int MAX_DEPTH = 8;

  /** HBase's exceptions that concern one write, by the names in asynchbase. */
  private static final Set<String> REFUSALS =
      ImmutableSet.of(
          "org.apache.hadoop.hbase.DoNotRetryIOException",
          "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException",
          "org.apache.hadoop.hbase.constraint.ConstraintException",
          "java.lang.IllegalArgumentException");

  private enum Kind {
    BAD,
    OUTAGE,
    REFUSED,
    UNEXPECTED
  }

  private final Throwable cause;
  private final @Nullable BadMessageException bad;
  private final Kind kind;

  private StorageFailure(Throwable cause, @Nullable BadMessageException bad, Kind kind) {
    this.cause = cause;
    this.bad = bad;
    this.kind = kind;
  }

  /** Classifies the exception of a write or of its Deferred. */
  public static StorageFailure of(Throwable thrown) {
    Throwable cause = root(thrown);
    if (cause instanceof BadMessageException) {
      return new StorageFailure(cause, (BadMessageException) cause, Kind.BAD);
    }
    if (cause instanceof NoSuchUniqueName) {
      return bad(cause, Reason.UNKNOWN_NAME);
    }
    if (cause instanceof IllegalArgumentException
        || cause instanceof FailedToAssignUniqueIdException) {
      return bad(cause, Reason.REFUSED);
    }
    return new StorageFailure(cause, null, kind(cause));
  }

  private static StorageFailure bad(Throwable cause, Reason reason) {
    return new StorageFailure(
        cause,
        new BadMessageException(reason, "the TSD must accept it, it said: " + cause.getMessage()),
        Kind.BAD);
  }

  /** OpenTSDB wraps HBase's exceptions; unwraps its wrappers. */
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

  private static Kind kind(Throwable cause) {
    if (cause instanceof NoSuchColumnFamilyException) {
      return Kind.REFUSED;
    }
    if (cause instanceof RemoteException) {
      String type = ((RemoteException) cause).getType();
      return REFUSALS.contains(type) && !saysBusy(String.valueOf(cause.getMessage()))
          ? Kind.REFUSED
          : Kind.OUTAGE;
    }
    if (cause instanceof RuntimeException && !(cause instanceof HBaseException)) {
      return Kind.UNEXPECTED;
    }
    return Kind.OUTAGE;
  }

  /** Whether it is one of HBase 2's overload exceptions, which asynchbase has no class for. */
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

  /** The reason for a dead letter; null if the message may still be stored. */
  public @Nullable BadMessageException bad() {
    return bad;
  }

  /** Whether HBase is unavailable or overloaded, so that other writes fail as well. */
  public boolean isOutage() {
    return kind == Kind.OUTAGE;
  }

  /**
   * Whether the TSD's own code threw it, not HBase. Most such failures repeat with every attempt.
   */
  public boolean isUnexpected() {
    return kind == Kind.UNEXPECTED;
  }

  /** Description in one line. */
  public String describe() {
    return cause.getClass().getSimpleName() + ": " + firstLine(cause.getMessage());
  }

  private static String firstLine(@Nullable String message) {
    if (message == null) {
      return "no message";
    }
    int end = message.indexOf('\n');
    String line = end < 0 ? message : message.substring(0, end);
    return line.length() <= 500 ? line : line.substring(0, 500) + "...";
  }
}
