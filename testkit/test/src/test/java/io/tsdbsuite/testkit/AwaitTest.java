package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
  @Test
  void endsWithTheFirstValue() {
    AtomicInteger asked = new AtomicInteger();
    String value =
        Await.value(
            "a value",
            Duration.ofSeconds(10),
            () -> asked.incrementAndGet() < 3 ? Optional.empty() : Optional.of("here"));
    assertThat(value).isEqualTo("here");
    assertThat(asked).hasValue(3);
  }

  @Test
  void namesWhatDidNotCome() {
    assertThatThrownBy(() -> Await.within(Duration.ofMillis(30), "the moon", Optional::empty))
        .isInstanceOf(ServerException.class)
        .hasMessage("waited 30 ms for the moon");
  }

  @Test
  void failuresEndTheWait() {
    assertThatThrownBy(
            () ->
                Await.until(
                    "the moon",
                    Duration.ofMinutes(1),
                    () -> {
                      throw new IOException("clouds");
                    }))
        .isInstanceOf(ServerException.class)
        .hasMessage("while waiting for the moon")
        .hasRootCauseMessage("clouds");
  }

  @Test
  void asksOnceWithoutAnyTime() {
    assertThatCode(() -> Await.until("now", Duration.ZERO, () -> true)).doesNotThrowAnyException();
  }
}
