package io.tsdbsuite.quickstart;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** What the quickstart says, each line with the time since its start. */
final class Console {
  private static final double NANOS = 1e9;

  private final PrintStream out;
  private final LongSupplier nanoTime;
  private final long start;

  Console(PrintStream out, LongSupplier nanoTime) {
    this.out = out;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /** Seconds since the start. */
  double seconds() {
    return (nanoTime.getAsLong() - start) / NANOS;
  }

  /** Says what begins now. */
  void step(String format, Object... args) {
    out.printf(Locale.ROOT, "[%6.1f s] %s%n", seconds(), String.format(Locale.ROOT, format, args));
  }

  /** Prints lines as they are. */
  void lines(String text) {
    out.println(text);
  }
}
