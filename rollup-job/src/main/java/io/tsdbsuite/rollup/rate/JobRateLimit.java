package io.tsdbsuite.rollup.rate;

import java.util.UUID;

/** The rate limit of a job, held by the driver while its tasks run. */
public final class JobRateLimit implements AutoCloseable {
  private final String name = "rate-limit-" + UUID.randomUUID();
  private final Leases leases;

  /**
   * Starts a limit.
   *
   * @param perSecond messages per second of all tasks together; 0 = no limit
   * @throws IllegalStateException if the Spark context has no {@link RateLimitPlugin}
   */
  public JobRateLimit(double perSecond) {
    if (perSecond == 0) {
      leases = Leases.UNLIMITED;
      return;
    }
    if (!RateLimitPlugin.isLoaded()) {
      throw new IllegalStateException(
          "the Spark context was made without RateLimitPlugin.addTo(conf)");
    }
    RateLimitPlugin.add(name, new LeaseSchedule(perSecond, System::nanoTime));
    // A local copy: with the field, the lambda would serialise this object for the tasks.
    String limit = name;
    leases = task -> RateLimitPlugin.ask(limit, task);
  }

  /** Returns the leases to ship to tasks. */
  public Leases leases() {
    return leases;
  }

  /** Ends the limit: later requests of tasks fail with an exception. */
  @Override
  public void close() {
    RateLimitPlugin.remove(name);
  }
}
