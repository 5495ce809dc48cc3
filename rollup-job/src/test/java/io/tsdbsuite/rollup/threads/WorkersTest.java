package io.tsdbsuite.rollup.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkersTest {
  private static final List<Integer> ITEMS = IntStream.range(0, 100).boxed().toList();

  private final Set<Integer> done = ConcurrentHashMap.newKeySet();

  private int work(int item) throws IOException {
    if (item % 10 == 3) {
      throw new IOException("item " + item);
    }
    done.add(item);
    return -item;
  }

  private static void await() throws IOException {
    try {
      TimeUnit.MINUTES.sleep(5);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void resultsAreInTheOrderOfTheItems() throws IOException {
    try (Workers workers = new Workers("test", 4)) {
      assertThat(workers.map(List.of(5, 2, 4, 2), this::work)).containsExactly(-5, -2, -4, -2);
      assertThat(workers.mapUntilFailure(List.of(5, 2), this::work)).containsExactly(-5, -2);
      assertThat(workers.map(List.<Integer>of(), this::work)).isEmpty();
    }
  }

  @Test
  void aFailureKeepsNoOtherItemFromBeingWorkedOn() {
    try (Workers workers = new Workers("test", 4)) {
      assertThatThrownBy(() -> workers.map(ITEMS, this::work)).hasMessage("item 3");
      assertThat(done).hasSize(90);
    }
  }

  /** With one thread each later item would begin after the failure, were it not cancelled. */
  @Test
  void workEndsWithAFailure() {
    try (Workers workers = new Workers("test", 1)) {
      assertThatThrownBy(
              () ->
                  workers.mapUntilFailure(
                      ITEMS,
                      item -> {
                        if (item > 3) {
                          await();
                        }
                        return work(item);
                      }))
          .hasMessage("item 3");
    }
    assertThat(done).containsExactlyInAnyOrder(0, 1, 2);
  }

  /** A read that hangs hid the failure of a later one. */
  @Test
  void aFailureDoesNotWaitForTheItemsBeforeIt() {
    try (Workers workers = new Workers("test", 2)) {
      assertThatThrownBy(
              () ->
                  workers.mapUntilFailure(
                      List.of(0, 3),
                      item -> {
                        if (item == 0) {
                          await();
                        }
                        return work(item);
                      }))
          .hasMessage("item 3");
    }
    assertThat(done).isEmpty();
  }

  @Test
  void errorsAreThrownAsTheyAre() {
    OutOfMemoryError error = new OutOfMemoryError("heap");
    try (Workers workers = new Workers("test", 1)) {
      assertThatThrownBy(
              () ->
                  workers.map(
                      ITEMS,
                      item -> {
                        throw error;
                      }))
          .isSameAs(error);
    }
  }

  @Test
  void anInterruptEndsTheWait() {
    try (Workers workers = new Workers("test", 1)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> workers.map(ITEMS, this::work))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
