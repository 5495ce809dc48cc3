package io.tsdbsuite.ingest.consume;

/** The configured timeouts, milliseconds. Immutable. */
final class Timeouts {
  final long drainMillis;
  final long ackMillis;

  Timeouts(long drainMillis, long ackMillis) {
    this.drainMillis = drainMillis;
    this.ackMillis = ackMillis;
  }
}
