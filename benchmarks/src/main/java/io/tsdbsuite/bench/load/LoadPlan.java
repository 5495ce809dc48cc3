package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.RoundShape;
import java.util.List;

/**
 * What a generator does.
 *
 * @param shape the series
 * @param schedule of the rounds
 * @param protocol of all connections
 * @param tsds where to, each gets the same share
 * @param connections to each TSD
 * @param batch points of a request or of a write
 * @param rounds how many at most
 * @param nanos how long at most; a round that has begun is sent to its end
 */
public record LoadPlan(
    RoundShape shape,
    Schedule schedule,
    Protocol protocol,
    List<TsdAddress> tsds,
    int connections,
    int batch,
    long rounds,
    long nanos) {
  /** No limit to rounds or time. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  int workers() {
    return tsds.size() * connections;
  }

  TsdAddress tsd(int worker) {
    return tsds.get(worker % tsds.size());
  }

  /** Whether a round is still to be sent. */
  boolean includes(long round, long elapsedNanos) {
    return round < rounds && Math.max(schedule.due(round), elapsedNanos) < nanos;
  }
}
