package io.tsdbsuite.bench;

import io.tsdbsuite.message.write.MessageEncoder;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Encodes rollups as JSON. One operation is all messages of one series and hour. */
@State(Scope.Thread)
public class MessageBenchmark {
  private static final int POINTS = 256;
  private static final long AS_OF = 1_763_596_800_000L;

  /** Four messages for each point, or one. */
  @Param public MessageFormat format;

  private final RollupPoint[] points = new RollupPoint[POINTS];
  private MessageEncoder encoder;
  private int next;

  /** Creates series of two tags whose numbers need all their digits. */
  @Setup
  public void setUp() {
    Random random = new Random(1);
    for (int i = 0; i < POINTS; i++) {
      double min = random.nextDouble() * 100;
      points[i] =
          BenchRollup.of(
              "sys.cpu.user",
              1_700_000_400L,
              60 * min + random.nextDouble(),
              min,
              min + 10,
              "host",
              "web" + i + ".example.com",
              "cpu",
              Integer.toString(i % 16));
    }
    encoder = format.encoder(AS_OF);
  }

  /** Messages of one operation. */
  static int messages(MessageFormat format) {
    return format.encoder(AS_OF).messages(new RollupPoint());
  }

  /** Encodes the messages of one operation. */
  @Benchmark
  public int encode() {
    RollupPoint point = points[next++ & (POINTS - 1)];
    int bytes = 0;
    for (int message = 0; message < encoder.messages(point); message++) {
      bytes += encoder.encode(point, message).size();
    }
    return bytes;
  }
}
