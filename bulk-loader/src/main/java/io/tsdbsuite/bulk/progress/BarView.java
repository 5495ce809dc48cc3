package io.tsdbsuite.bulk.progress;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar with the rates behind it. */
final class BarView implements ProgressView {
  private static final int WIDTH = 110;
  private static final int UPDATE_MILLIS = 500;
  private static final long MEGABYTE = 1_000_000;

  private final PrintStream out;
  private volatile Duration remaining;
  private ProgressBar bar;
  private PhaseStatus start;

  BarView(PrintStream out) {
    this.out = out;
  }

  @Override
  public void begin(PhaseStatus first) {
    start = first;
    remaining = null;
    boolean inBytes = first.unit().equals("bytes");
    bar =
        new ProgressBarBuilder()
            .setTaskName(first.phase())
            .setInitialMax(first.isTotalKnown() ? first.total() : -1)
            .startsFrom(first.skipped(), Duration.ZERO)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setStyle(ProgressBarStyle.ASCII)
            .setUnit(inBytes ? " MB" : " " + first.unit(), inBytes ? MEGABYTE : 1)
            .setEtaFunction(state -> Optional.ofNullable(remaining))
            .setConsumer(new ConsoleProgressBarConsumer(out, WIDTH))
            .build();
  }

  @Override
  public void show(PhaseStatus now) {
    remaining = now.remaining();
    bar.stepTo(now.work());
    bar.setExtraMessage(" " + ProgressText.rates(start, now));
  }

  @Override
  public void end(PhaseStatus end, boolean complete) {
    show(end);
    bar.close();
  }
}
