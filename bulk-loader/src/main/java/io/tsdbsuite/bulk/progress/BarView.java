package io.tsdbsuite.bulk.progress;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar with the rates behind it. */
final class BarView implements ProgressView {
  private static final int WIDTH = 110;
  private static final int UPDATE_MILLIS = 500;
  private static final long MEGABYTE = 1_000_000;

  private final PhaseStatus start;
  private final ProgressBar bar;
  private volatile @Nullable Duration remaining;

  BarView(PrintStream out, PhaseStatus start) {
    this.start = start;
    boolean inBytes = start.unit().equals("bytes");
    bar =
        new ProgressBarBuilder()
            .setTaskName(start.phase())
            .setInitialMax(start.isTotalKnown() ? start.total() : -1)
            .startsFrom(start.skipped(), Duration.ZERO)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setStyle(ProgressBarStyle.ASCII)
            .setUnit(inBytes ? " MB" : " " + start.unit(), inBytes ? MEGABYTE : 1)
            .setEtaFunction(state -> Optional.ofNullable(remaining))
            .setConsumer(new ConsoleProgressBarConsumer(out, WIDTH))
            .build();
  }

  @Override
  public void show(PhaseStatus now) {
    remaining = now.remaining();
    bar.stepTo(now.work());
    bar.setExtraMessage(" " + now.rates(start));
  }

  @Override
  public void end(PhaseStatus end, boolean complete) {
    show(end);
    bar.close();
  }
}
