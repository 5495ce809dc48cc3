package io.tsdbsuite.rollup.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.report.TestReports;
import io.tsdbsuite.testkit.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ReportKeeperTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicLong now = new AtomicLong();

  private ReportKeeper keeper(Duration rest, Consumer<RollupReport> file) {
    return new ReportKeeper(
        () -> TestReports.report(null, null, TestReports.identity(), null, null),
        file,
        rest,
        now::get);
  }

  private void write(RollupReport report) {
    assertThat(report.isRunning()).isTrue();
    writes.incrementAndGet();
  }

  @Test
  void writesAtTheStartAndAfterAChange() {
    try (ReportKeeper keeper = keeper(Duration.ZERO, this::write)) {
      keeper.start();
      assertThat(writes).hasValue(1);
      for (int i = 2; i < 5; i++) {
        int expected = i;
        keeper.changed();
        Await.until("write " + i, BOUND, () -> writes.get() == expected);
      }
      assertThat(keeper.failure()).isEmpty();
    }
    assertThat(writes).hasValue(4);
  }

  @Test
  void restsBetweenTwoWritesAndNoLongerWhenClosed() {
    // The clock stands still, so the rest would never end.
    try (ReportKeeper keeper = keeper(Duration.ofHours(1), this::write)) {
      keeper.start();
      keeper.changed();
      Await.until("the second write", BOUND, () -> writes.get() == 2);
      keeper.changed();
    }
    assertThat(writes).hasValue(2);
  }

  @Test
  void restsAsLongAsWritesAreSlow() {
    Consumer<RollupReport> slow =
        report -> {
          write(report);
          now.addAndGet(Duration.ofMinutes(1).toNanos());
        };
    try (ReportKeeper keeper = keeper(Duration.ZERO, slow)) {
      keeper.start();
      keeper.changed();
      Await.until("the second write", BOUND, () -> writes.get() == 2);
      keeper.changed();
    }
    assertThat(writes).hasValue(2);
  }

  @Test
  void theFirstFailureIsThrownLaterOnesAreKept() {
    Consumer<RollupReport> failing =
        report -> {
          if (writes.incrementAndGet() == 2) {
            throw new IllegalStateException("disk full");
          }
        };
    try (ReportKeeper keeper = keeper(Duration.ZERO, failing)) {
      keeper.start();
      keeper.changed();
      Await.until("the failure", BOUND, () -> keeper.failure().equals(Optional.of("disk full")));
      keeper.changed();
      Await.until("the next write", BOUND, () -> keeper.failure().isEmpty());
    }
    assertThat(writes).hasValue(3);
    ReportKeeper never =
        keeper(
            Duration.ZERO,
            report -> {
              throw new IllegalStateException("no such bucket");
            });
    assertThatThrownBy(never::start).hasMessage("no such bucket");
    never.close();
  }
}
