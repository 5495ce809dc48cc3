package io.tsdbsuite.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.stream.LatePoint;
import io.tsdbsuite.testkit.Stack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Points of a day or two through Kafka, a TSD and the job in their own processes; the jars are
 * those that users install.
 */
class StreamRunIT {
  private static final Duration STREAMED = Duration.ofDays(1);

  @Test
  void theRollupsAreThoseOfTheRawPointsAlsoAfterALatePoint() throws Exception {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    Path directory = Files.createTempDirectory(parent, "stream-");
    // What comes within the next minutes is there already.
    Instant begin = Instant.now().minus(Duration.ofMinutes(4));
    AtomicReference<Instant> present = new AtomicReference<>(begin);
    Timeline window = Timeline.at(begin, STREAMED, 1);
    RequestRate rate = new RequestRate(2);
    Console console = new Console(System.out, System::nanoTime);
    try (Stack stack = Stack.in(directory.resolve("stack")).hbase().kafka().start()) {
      Environment run =
          Environment.start(stack, directory, rate, window, console, new Moved(present));
      try (StreamRun stream = new StreamRun(run, directory.resolve("job"))) {
        stream.feed();
        stream.catchUp();
        LatePoint late = stream.sendLate();
        present.set(begin.plus(Duration.ofMinutes(3)));
        assertThat(stream.awaitRepair(late)).isTrue();
        assertThat(stream.verify(new Jobs(run, directory))).isTrue();
        assertThat(stream.stop()).isTrue();
      }
    }
  }

  /** A clock that the test moves. */
  private static final class Moved extends Clock {
    private final AtomicReference<Instant> present;

    Moved(AtomicReference<Instant> present) {
      this.present = present;
    }

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("always UTC");
    }

    @Override
    public Instant instant() {
      return present.get();
    }
  }
}
