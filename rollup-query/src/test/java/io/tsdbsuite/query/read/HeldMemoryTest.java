package io.tsdbsuite.query.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.query.limit.InFlight;
import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryAbortedException;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryLimits;
import org.junit.jupiter.api.Test;

class HeldMemoryTest {
  private final InFlight inFlight = new InFlight(0, 0);
  private final QueryContext context =
      new QueryContext(new QueryLimits(10, 0, 0), () -> 0, inFlight, "client");
  private final HeldMemory memory = new HeldMemory(context);

  private void assertHeld(long bytes) {
    assertThat(context.bytes()).isEqualTo(bytes);
    assertThat(inFlight.bytes()).isEqualTo(bytes);
  }

  /** Its rollups were removed meanwhile: the query goes on, and reads raw data. */
  @Test
  void anAbandonedReadingHoldsNothing() {
    HeldMemory next = new HeldMemory(context);
    memory.add(1, 100);
    memory.free(30);
    memory.freeAll();
    memory.freeAll();
    assertHeld(0);
    next.add(1, 40);
    // A scan of the first reading that is not over yet.
    memory.add(1, 70);
    memory.free(70);
    assertHeld(40);
  }

  @Test
  void aReadingWithTooManyCellsHoldsNothing() {
    memory.add(10, 100);
    assertThatThrownBy(() -> memory.add(1, 50)).isInstanceOf(QueryAbortedException.class);
    memory.freeAll();
    assertHeld(0);
  }

  @Test
  void aReadingThatWasStoppedHoldsNothing() {
    memory.add(1, 100);
    context.abort(AbortReason.CLIENT_GONE, "gone");
    assertThatThrownBy(() -> memory.add(1, 50)).isInstanceOf(QueryAbortedException.class);
    assertHeld(150);
    memory.freeAll();
    assertHeld(0);
    assertThatThrownBy(() -> memory.add(1, 50)).isInstanceOf(QueryAbortedException.class);
    assertHeld(0);
  }
}
