package io.tsdbsuite.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DropLogTest {
  private long now = -1;
  private final List<String> lines = new ArrayList<>();
  private final DropLog log =
      new DropLog(
          new Ticker() {
            @Override
            public long read() {
              return now;
            }
          },
          "%s points were stored and not published, the last one because: %s",
          lines::add);

  private void drop(int points, String reason) {
    for (int i = 0; i < points; i++) {
      log.dropped(reason);
    }
  }

  @Test
  void oneLineInTenSecondsHasTheNumber() {
    drop(1000, "away");
    assertThat(lines)
        .containsExactly("1 points were stored and not published, the last one because: away");
    now += TimeUnit.SECONDS.toNanos(10) - 1;
    drop(1, "away");
    assertThat(lines).hasSize(1);
    now += 1;
    drop(5, "slow");
    assertThat(lines)
        .hasSize(2)
        .last()
        .isEqualTo("1001 points were stored and not published, the last one because: slow");
  }
}
