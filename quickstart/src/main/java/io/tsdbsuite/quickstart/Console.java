package io.tsdbsuite.quickstart;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** The output of the quickstart; each line begins with the time since the start. */
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

  /** Prints the step that begins now. */
  void step(String format, Object... args) {
    out.printf(Locale.ROOT, "[%6.1f s] %s%n", seconds(), String.format(Locale.ROOT, format, args));
  }

  /** Prints lines unchanged. */
  void lines(String text) {
    out.println(text);
  }
}
