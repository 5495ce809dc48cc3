package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.RoundShape;
import java.util.List;

/**
 * Parameters of a load.
 *
 * @param shape shape of the series
 * @param schedule schedule of the rounds
 * @param protocol protocol of all connections
 * @param tsds TSDs to write to, with equal shares
 * @param connections number of connections per TSD
 * @param batch points per request or write
 * @param rounds maximum of rounds
 * @param nanos maximum duration; a round that has begun is completed
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

  /** Whether the plan includes a round. */
  boolean includes(long round, long elapsedNanos) {
    return round < rounds && Math.max(schedule.due(round), elapsedNanos) < nanos;
  }
}
