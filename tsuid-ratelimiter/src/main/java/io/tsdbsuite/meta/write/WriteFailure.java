package io.tsdbsuite.meta.write;

import com.stumbleupon.async.DeferredGroupException;
import org.hbase.async.ConnectionResetException;
import org.hbase.async.InvalidResponseException;
import org.hbase.async.RemoteException;
import org.hbase.async.RpcTimedOutException;

/** Classifies a failed write. */
final class WriteFailure {
  private static final int MAX_DEPTH = 8;
  private static final int MAX_TEXT = 300;

  private final Throwable cause;

  private WriteFailure(Throwable cause) {
    this.cause = cause;
  }

  /** Classifies the error of a Deferred. */
  static WriteFailure of(Throwable thrown) {
    Throwable at = thrown;
    for (int depth = 0; depth < MAX_DEPTH && isWrapper(at) && at.getCause() != null; depth++) {
      at = at.getCause();
    }
    return new WriteFailure(at);
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown instanceof DeferredGroupException || thrown.getClass() == RuntimeException.class;
  }

  /**
   * Whether HBase may have applied the write: it was sent, and the answer is missing or invalid, or
   * reports an error that may have come after the write. All other errors come before the write.
   */
  boolean isAmbiguous() {
    return cause instanceof ConnectionResetException
        || cause instanceof UnansweredException
        || cause instanceof RpcTimedOutException
        || cause instanceof InvalidResponseException
        || (cause instanceof RemoteException && !isRefusal((RemoteException) cause));
  }

  private static boolean isRefusal(RemoteException remote) {
    return remote.getType().endsWith(".DoNotRetryIOException")
        || remote.getType().endsWith(".AccessDeniedException");
  }

  /** Whether the cause is the series' own cell and not HBase. */
  boolean isBadCounter() {
    return cause instanceof BadCounterException
        || (cause instanceof RemoteException
            && String.valueOf(cause.getMessage()).contains("Field is not a long"));
  }

  /** The error in one line. */
  String describe() {
    String message = String.valueOf(cause.getMessage());
    int end = message.indexOf('\n');
    String line = end < 0 ? message : message.substring(0, end);
    if (line.length() > MAX_TEXT) {
      line = line.substring(0, MAX_TEXT) + "...";
    }
    return cause.getClass().getSimpleName() + ": " + line;
  }
}
