package io.tsdbsuite.rollup.rate;

import java.util.UUID;

/** The limit of a job, on the driver, from its first task to its last. */
public final class JobRateLimit implements AutoCloseable {
  private final String name = "rate-limit-" + UUID.randomUUID();
  private final Leases leases;

  private JobRateLimit(double perSecond) {
    if (perSecond == 0) {
      leases = Leases.UNLIMITED;
      return;
    }
    if (!RateLimitPlugin.isLoaded()) {
      throw new IllegalStateException(
          "the Spark context was made without RateLimitPlugin.addTo(conf)");
    }
    RateLimitPlugin.add(name, new LeaseSchedule(perSecond, System::nanoTime));
    // Not the field: tasks would take this object with them.
    String limit = name;
    leases = task -> RateLimitPlugin.ask(limit, task);
  }

  /**
   * Begins a limit.
   *
   * @param perSecond messages per second of all tasks together; 0 = no limit
   * @throws IllegalStateException if the Spark context has no {@link RateLimitPlugin}
   */
  public static JobRateLimit of(double perSecond) {
    return new JobRateLimit(perSecond);
  }

  /** What tasks take with them. */
  public Leases leases() {
    return leases;
  }

  /** Ends the limit: tasks that still ask get an exception. */
  @Override
  public void close() {
    RateLimitPlugin.remove(name);
  }
}
