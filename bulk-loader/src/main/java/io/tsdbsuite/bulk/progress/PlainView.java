package io.tsdbsuite.bulk.progress;

import java.io.PrintStream;
import java.time.Duration;

/** A line every ten seconds, and one at the end of a phase. */
final class PlainView implements ProgressView {
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final PrintStream out;
  private PhaseStatus last;

  PlainView(PrintStream out, PhaseStatus start) {
    this.out = out;
    this.last = start;
  }

  @Override
  public void show(PhaseStatus now) {
    if (now.elapsed().minus(last.elapsed()).compareTo(EVERY) >= 0) {
      out.println(now.line(last));
      last = now;
    }
  }

  @Override
  public void end(PhaseStatus end, boolean complete) {
    out.println(complete ? end.end() : end.line(last) + ", stopped");
  }
}
