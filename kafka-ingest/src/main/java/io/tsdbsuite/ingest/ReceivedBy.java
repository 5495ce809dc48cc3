package io.tsdbsuite.ingest;

import io.tsdbsuite.message.Origin;

/**
 * Determines the way in which the TSD received a point that it gives to its storage exception
 * handler. The point itself does not show it; the callers of the handler differ.
 *
 * <p>In 2.4.1 all of them are in PutDataPointRpc: for telnet its {@code execute} and the first of
 * its two local classes named PutErrback, for HTTP its {@code processDataPoint} and the second.
 */
final class ReceivedBy {
  private static final String RPC = "net.opentsdb.tsd.PutDataPointRpc";

  private ReceivedBy() {}

  /** Determines the origin from the handler's stack trace; HTTP if there is no other evidence. */
  static Origin of(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      switch (frame.getClassName() + "." + frame.getMethodName()) {
        case RPC + "$1PutErrback.call":
        case RPC + ".execute":
          return Origin.TELNET;
        case RPC + "$2PutErrback.call":
        case RPC + ".processDataPoint":
          return Origin.HTTP;
        default:
          // The handler itself, or the caller of its callback.
      }
    }
    return Origin.HTTP;
  }
}
