package io.tsdbsuite.query.read;

import static java.util.Collections.emptySet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jboss.netty.util.Timeout;
import org.jboss.netty.util.Timer;
import org.jboss.netty.util.TimerTask;
import org.junit.jupiter.api.Test;

class UnreadablePackedTest {
  private static final String LEVEL = "1h.packed";

  private final Expiring timer = new Expiring();
  private long now = 1_000_000;
  private final UnreadablePacked packed = new UnreadablePacked(() -> now);
  private final PieceScan.Wait wait = packed.wait(timer, LEVEL, "tsdb-packed");

  @Test
  void aTableThatFailsRestsForAMinute() {
    found(wait.of(Deferred.fromError(new IllegalStateException("offline\nrow"))), "offline");
    assertThat(packed.rests(LEVEL)).isTrue();
    now += UnreadablePacked.REST - 1;
    assertThat(packed.rests(LEVEL)).isTrue();
    now += 1;
    assertThat(packed.rests(LEVEL)).isFalse();
  }

  @Test
  void aSilentTableRests() throws Exception {
    Deferred<String> answer = wait.of(new Deferred<>());
    now += UnreadablePacked.MAX_WAIT;
    timer.expire();
    found(answer, "no answer for 10 s");
    assertThat(packed.rests(LEVEL)).isTrue();
  }

  @Test
  void aTableThatAnswersOtherBatchesDoesNotRest() throws Exception {
    Deferred<String> answer = wait.of(new Deferred<>());
    now += 1;
    assertThat(wait.of(Deferred.fromResult("rows")).join()).isEqualTo("rows");
    now += UnreadablePacked.MAX_WAIT - 1;
    timer.expire();
    found(answer, "no answer for 10 s");
    assertThat(packed.rests(LEVEL)).isFalse();
  }

  private void found(Deferred<?> answer, String message) {
    assertThatThrownBy(answer::join)
        .isInstanceOfSatisfying(UnreadablePackedException.class, packed::found)
        .hasMessage("table tsdb-packed: " + message);
  }

  /** Expires its timeouts when it is told to. */
  private static final class Expiring implements Timer {
    private final List<TimerTask> tasks = new ArrayList<>();

    void expire() throws Exception {
      for (TimerTask task : tasks) {
        task.run(null);
      }
    }

    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
      tasks.add(task);
      return new Timeout() {
        @Override
        public Timer getTimer() {
          return Expiring.this;
        }

        @Override
        public TimerTask getTask() {
          return task;
        }

        @Override
        public boolean isExpired() {
          return false;
        }

        @Override
        public boolean isCancelled() {
          return !tasks.contains(task);
        }

        @Override
        public void cancel() {
          tasks.remove(task);
        }
      };
    }

    @Override
    public Set<Timeout> stop() {
      return emptySet();
    }
  }
}
