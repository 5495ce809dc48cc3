package io.tsdbsuite.bench.rollup.job;

import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.sink.EncodedRollups;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkFactory;
import io.tsdbsuite.rollup.sink.SinkResult;
import io.tsdbsuite.rollup.sink.SinkResults;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Performs the first steps towards a message, or none, and discards the result. */
final class PartialSink implements RollupSink {
  private final int partition;
  private final long attempt;
  private final @Nullable EncodedRollups encoder;
  private long points;
  private long bytes;

  private PartialSink(int partition, long attempt, @Nullable EncodedRollups encoder) {
    this.partition = partition;
    this.attempt = attempt;
    this.encoder = encoder;
  }

  /**
   * Creates partial sinks.
   *
   * @param names whether points have names
   * @param rollupsPerMessage maximum of rollups in an encoded message; 0 to encode nothing
   */
  record Factory(boolean names, int rollupsPerMessage) implements SinkFactory {
    private static final long serialVersionUID = 1L;

    private static final long AS_OF = 1_763_596_800_000L;

    @Override
    public void asOf(long millis) {
      // Only the length of messages is used.
    }

    @Override
    public void check() {
      // There is no configuration to check.
    }

    @Override
    public boolean takesBack() {
      return true;
    }

    @Override
    public RollupSink open(int partition, long attempt) {
      return new PartialSink(
          partition,
          attempt,
          rollupsPerMessage == 0 ? null : new EncodedRollups(AS_OF, rollupsPerMessage));
    }

    @Override
    public boolean wantsNames() {
      return names;
    }

    @Override
    public boolean keepsFinished() {
      return false;
    }

    @Override
    public void commit(List<SinkResult> results, RunIdentity run) {
      // Nothing is stored.
    }

    @Override
    public void abort() {
      // Nothing is stored.
    }
  }

  @Override
  public void emit(RollupPoint point) throws SinkException {
    points++;
    bytes += point.count();
    if (encoder != null) {
      encoder.add(point);
    }
  }

  @Override
  public SinkResult finish() throws SinkException {
    if (encoder != null) {
      bytes += encoder.finish();
    }
    return SinkResults.of(partition, attempt, points, bytes);
  }

  @Override
  public void abort() {
    // Nothing is stored.
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
