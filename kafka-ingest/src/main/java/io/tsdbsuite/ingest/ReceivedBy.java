package io.tsdbsuite.ingest;

import io.tsdbsuite.message.Origin;
import java.util.Map;

/**
 * Determines the way in which the TSD received a point that it gives to its storage exception
 * handler or its publisher. The point itself does not show it.
 *
 * <p>The callers of the handler differ. In 2.4.1 all of them are in PutDataPointRpc: for telnet its
 * {@code execute} and the first of its two local classes named PutErrback, for HTTP its {@code
 * processDataPoint} and the second.
 *
 * <p>The tags that the publisher gets differ: their keys are parts of a line for telnet, and
 * interned by Jackson for HTTP.
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

  /**
   * Determines the origin from the tags that the publisher gets. Does not look at the stack: that
   * costs more than the rest of a put, and another thread may call the publisher.
   *
   * <p>Interns a copy: to intern the key itself would make the key of a telnet line the interned
   * one if no equal key was interned before. The key that Jackson interned stays the interned one
   * while the tags refer to it.
   */
  @SuppressWarnings("ReferenceEquality") // Equal strings are not the question.
  static Origin of(Map<String, String> tags) {
    for (String key : tags.keySet()) {
      return key == new String(key.toCharArray()).intern() ? Origin.HTTP : Origin.TELNET;
    }
    return Origin.HTTP;
  }
}
