package io.tsdbsuite.query.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.query.limit.InFlight;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QueryContextTest {
  private final AtomicLong now = new AtomicLong(5000);

  private QueryContext context(long cells, long bytes, long millis) {
    return new QueryContext(new QueryLimits(cells, bytes, millis), now::get);
  }

  private static void assertAborted(Runnable work, AbortReason reason, String... texts) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(
            QueryAbortedException.class,
            stop -> {
              assertThat(stop.reason()).isEqualTo(reason);
              assertThat(stop.getMessage()).contains(texts);
            });
  }

  @Test
  void withoutLimitsNothingIsRefused() {
    QueryContext context = new QueryContext(QueryLimits.NONE, now::get);
    now.addAndGet(1_000_000);
    context.used(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2);
    context.expect(Long.MAX_VALUE, Long.MAX_VALUE, () -> "");
    assertThat(context.aborted()).isNull();
  }

  @Test
  void cellsAreLimited() {
    QueryContext context = context(1000, 0, 0);
    context.used(600, 1);
    context.used(400, 1);
    assertAborted(
        () -> context.used(234, 1),
        AbortReason.CELLS,
        "has read 1,234 cells; the limit is 1,000",
        "tsd.rollup_query.max_cells_per_query");
    assertAborted(context::check, AbortReason.CELLS, "1,234");
    assertThat(context.cells()).isEqualTo(1234);
  }

  @Test
  void aQueryThatWouldReadTooMuchIsRefusedBefore() {
    QueryContext context = context(1000, 0, 0);
    context.expect(1000, 9, () -> "");
    assertAborted(
        () -> context.expect(5000, 9, () -> "6h-avg would do."),
        AbortReason.CELLS,
        "would read about 5,000 cells; the limit is 1,000",
        "6h-avg would do.");
    QueryContext memory = context(0, 2 << 20, 0);
    assertAborted(
        () -> memory.expect(5000, 5 << 20, () -> ""),
        AbortReason.MEMORY,
        "would hold about 5 MB; the limit is 2 MB");
  }

  @Test
  void whatIsFreedDoesNotCount() {
    QueryContext context = context(0, 100, 0);
    for (int i = 0; i < 10; i++) {
      context.used(1, 100);
      context.freed(100);
    }
    assertThat(context.bytes()).isZero();
    assertThat(context.cells()).isEqualTo(10);
  }

  /** Readers notice the stop with what they have just read, and free it then. */
  @Test
  void whatIsReadAfterTheStopIsGivenBack() {
    InFlight inFlight = new InFlight(0, 0);
    QueryContext context = new QueryContext(QueryLimits.NONE, now::get, inFlight, "client");
    context.used(1, 100);
    context.abort(AbortReason.CLIENT_GONE, "gone");
    assertAborted(() -> context.used(1, 50), AbortReason.CLIENT_GONE, "gone");
    context.freed(150);
    assertThat(context.bytes()).isZero();
    assertThat(inFlight.bytes()).isZero();
  }

  @Test
  void memoryIsLimited() {
    QueryContext context = context(0, 2 << 20, 0);
    context.used(1, 2 << 20);
    assertAborted(() -> context.used(1, 1), AbortReason.MEMORY, "holds 3 MB; the limit is 2 MB");
  }

  @Test
  void timeIsLimited() {
    QueryContext context = context(0, 0, 2000);
    now.addAndGet(2000);
    context.used(1, 1);
    now.addAndGet(1);
    assertAborted(() -> context.used(1, 1), AbortReason.TIME, "longer than 2 s");
  }

  @Test
  void theFirstReasonStands() {
    QueryContext context = context(10, 0, 0);
    List<String> calls = new ArrayList<>();
    context.onAbort(() -> calls.add("before"));
    context.abort(AbortReason.CLIENT_GONE, "gone");
    context.timeOver();
    assertThat(calls).containsExactly("before");
    context.onAbort(() -> calls.add("after"));
    assertThat(calls).containsExactly("before", "after");
    assertAborted(() -> context.used(100, 0), AbortReason.CLIENT_GONE, "gone");
  }

  @Test
  void queriesTogetherAreLimited() {
    InFlight inFlight = new InFlight(100, 0);
    QueryContext large = new QueryContext(QueryLimits.NONE, now::get, inFlight, "a");
    QueryContext small = new QueryContext(QueryLimits.NONE, now::get, inFlight, "b");
    large.used(90, 0);
    // The small one goes on, the large one learns it with its next batch.
    small.used(20, 0);
    assertAborted(() -> large.used(1, 0), AbortReason.IN_FLIGHT, "All running queries");
    small.end();
    large.end();
    assertThat(inFlight.cells()).isZero();
    assertThat(inFlight.queries()).isZero();
  }

  @Test
  void notesAreInTheOrderOfSubQueries() {
    QueryContext context = context(0, 0, 0);
    context.note(2, "raw");
    context.note(0, "1d:3");
    context.note(0, "cells 9");
    assertThat(context.notes()).containsExactly("0: 1d:3; cells 9", "2: raw");
  }

  @Test
  void reasonsHaveTheirStatus() {
    assertThat(AbortReason.TIME.status()).isEqualTo(504);
    assertThat(AbortReason.CELLS.status()).isEqualTo(413);
    assertThat(AbortReason.MEMORY.status()).isEqualTo(413);
    assertThat(AbortReason.IN_FLIGHT.status()).isEqualTo(503);
    assertThat(AbortReason.CLIENT_GONE.tag()).isEqualTo("client_gone");
  }
}
