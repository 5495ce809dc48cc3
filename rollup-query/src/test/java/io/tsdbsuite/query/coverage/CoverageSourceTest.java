package io.tsdbsuite.query.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a coverage is used, and when it is not any more. */
class CoverageSourceTest {
  private static final long WALL = 1_700_000_000_000L;

  private final List<Deferred<Coverage>> begun = new ArrayList<>();
  private long now;

  private final CoverageSource source =
      new CoverageSource(
          time -> {
            assertThat(time).isEqualTo(WALL + now);
            Deferred<Coverage> reading = new Deferred<>();
            begun.add(reading);
            return reading;
          },
          () -> now,
          () -> WALL + now);

  private static Coverage named(String name) {
    return Coverage.nothing(name);
  }

  private String current() {
    return source.current().reason();
  }

  @Test
  void nothingIsProvenBeforeTheFirstReading() {
    assertThat(current()).isEqualTo("the coverage was not read yet");
    source.read();
    assertThat(current()).isEqualTo("the coverage was not read yet");
    begun.get(0).callback(named("a"));
    assertThat(current()).isEqualTo("a");
  }

  @Test
  void aCoverageIsUsedForAMinuteFromTheBeginningOfItsReading() {
    source.read();
    now += 20_000;
    begun.get(0).callback(named("a"));
    now += 40_000;
    assertThat(current()).isEqualTo("a");
    now += 1;
    assertThat(current()).isEqualTo("the coverage was last read 60 s ago");
  }

  @Test
  void aReadingThatFailsLeavesTheLastOneUntilItIsTooOld() {
    source.read();
    begun.get(0).callback(named("a"));
    now += 10_000;
    source.read();
    begun.get(1).callback(new IllegalStateException("HBase is away\nsecond line"));
    assertThat(current()).isEqualTo("a");
    now += 50_001;
    assertThat(current())
        .isEqualTo("the coverage was last read 60 s ago: IllegalStateException: HBase is away");
    source.read();
    begun.get(2).callback(named("b"));
    assertThat(current()).isEqualTo("b");
  }

  @Test
  void aReadingThatFailsAtOnceIsTold() {
    source.read();
    begun.get(0).callback(new IllegalStateException("no such host"));
    assertThat(current()).isEqualTo("IllegalStateException: no such host");
  }

  @Test
  void oneReadingRunsAtATimeAndOneThatHangsIsGivenUp() {
    source.read();
    now += 60_000;
    source.read();
    assertThat(begun).hasSize(1);
    now += 1;
    source.read();
    assertThat(begun).hasSize(2);
    begun.get(1).callback(named("second"));
    // The one that hung shows an older state of the table.
    begun.get(0).callback(named("first"));
    assertThat(current()).isEqualTo("second");
    source.read();
    assertThat(begun).hasSize(3);
  }

  @Test
  void aReadingThatHungAndFailsDoesNotFreeAnother() {
    source.read();
    now += 60_001;
    source.read();
    begun.get(0).callback(new IllegalStateException("too late"));
    source.read();
    assertThat(begun).as("the second still runs").hasSize(2);
  }

  @Test
  void aStoppedSourceReadsNoMore() {
    source.start(1000);
    source.stop();
    assertThat(source.current().windows()).isEmpty();
  }
}
