package io.tsdbsuite.bulk.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTrackerTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private Instant now = Instant.parse("2024-01-01T00:00:00Z");

  private void seconds(ProgressTracker progress, int howMany) {
    for (int i = 0; i < howMany; i++) {
      now = now.plusSeconds(1);
      progress.tick();
    }
  }

  private List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void plainLinesComeEveryTenSeconds() {
    try (ProgressTracker progress = ProgressTracker.of(ProgressMode.PLAIN, out, () -> now)) {
      progress.begin("read", "bytes", 1_000_000_000, 0);
      seconds(progress, 9);
      assertThat(lines()).isEmpty();
      progress.advance(100_000_000, 5_000_000, 250_000_000);
      seconds(progress, 1);
      assertThat(lines())
          .containsExactly("read: 10.0 %, 500,000 points/s, 25.0 MB/s, 0:01:30 remaining");
      progress.advance(400_000_000, 10_000_000, 1_000_000_000);
      seconds(progress, 10);
      assertThat(lines())
          .hasSize(2)
          .last()
          .isEqualTo("read: 50.0 %, 1,000,000 points/s, 100.0 MB/s, 0:00:20 remaining");
      progress.advance(500_000_000, 10_000_000, 1_250_000_000);
      seconds(progress, 5);
      progress.end();
      assertThat(lines())
          .hasSize(3)
          .last()
          .isEqualTo(
              "read: done, 1,000,000,000 bytes and 25,000,000 points in 0:00:25,"
                  + " 1,000,000 points/s, 100.0 MB/s");
      seconds(progress, 20);
      assertThat(lines()).hasSize(3);
    }
  }

  @Test
  void whatAnEarlierProcessDidIsNotInTheRate() {
    try (ProgressTracker progress = ProgressTracker.of(ProgressMode.PLAIN, out, () -> now)) {
      progress.begin("write", "rows", 1000, 800);
      seconds(progress, 10);
      assertThat(lines()).containsExactly("write: 80.0 %, 0 points/s, 0.0 MB/s");
      progress.advance(100, 6000, 0);
      seconds(progress, 10);
      assertThat(lines())
          .last()
          .isEqualTo("write: 90.0 %, 600 points/s, 0.0 MB/s, 0:00:20 remaining");
      progress.advance(20, 1200, 0);
      seconds(progress, 1);
    }
    assertThat(lines())
        .last()
        .isEqualTo("write: 92.0 %, 1,200 points/s, 0.0 MB/s, 0:00:14 remaining, stopped");
  }

  @Test
  void anUnknownTotalIsNoPercentage() {
    try (ProgressTracker progress = ProgressTracker.of(ProgressMode.PLAIN, out, () -> now)) {
      progress.begin("read", "bytes", -1, 0);
      progress.advance(12_345, 100, 12_345);
      seconds(progress, 10);
      assertThat(lines()).containsExactly("read: 12,345 bytes, 10 points/s, 0.0 MB/s");
    }
  }

  @Test
  void noneSaysNothing() {
    try (ProgressTracker progress =
        ProgressTracker.of(ProgressMode.NONE, out, () -> now).ticking()) {
      progress.begin("read", "bytes", 100, 0);
      seconds(progress, 30);
      progress.end();
    }
    assertThat(lines()).isEmpty();
  }

  @Test
  void theBarHasRatesAndTimeLeft() {
    try (ProgressTracker progress = ProgressTracker.of(ProgressMode.BAR, out, () -> now)) {
      progress.begin("write", "rows", 1000, 0);
      progress.advance(500, 30_000, 1_000_000);
      seconds(progress, 10);
      progress.end();
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("write")
        .contains("50%")
        .contains("500/1000")
        .contains("3,000 points/s, 0.1 MB/s");
  }

  @Test
  void threadsAddUp() throws InterruptedException {
    try (ProgressTracker progress = ProgressTracker.of(ProgressMode.PLAIN, out, () -> now)) {
      progress.begin("read", "bytes", -1, 0);
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        threads.add(
            new Thread(
                () -> {
                  for (int i = 0; i < 10_000; i++) {
                    progress.advance(1, 2, 3);
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      now = now.plus(Duration.ofSeconds(10));
      progress.end();
    }
    assertThat(lines())
        .containsExactly(
            "read: done, 40,000 bytes and 80,000 points in 0:00:10, 8,000 points/s, 0.0 MB/s");
  }
}
