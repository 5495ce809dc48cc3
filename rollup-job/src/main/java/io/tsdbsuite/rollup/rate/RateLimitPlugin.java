package io.tsdbsuite.rollup.rate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests for permits from the executors to the driver through Spark plugin messages. Must
 * be in {@code spark.plugins} when the Spark context is created.
 *
 * <p>Messages use JDK classes only, because Spark's RPC does not use the class loader of the job's
 * jar. Request: {@code Object[]{String limit, Long task}}; answer: {@code long[]{permits,
 * waitNanos}}, empty when the limit has ended.
 */
public final class RateLimitPlugin implements SparkPlugin {
  private static final String PLUGINS = "spark.plugins";

  /** On the driver: the limits of running jobs, by name. */
  private static final Map<String, LeaseSchedule> SCHEDULES = new ConcurrentHashMap<>();

  /** In this JVM, if it has an executor; Spark gives it to the plugin only, not to tasks. */
  private static volatile @Nullable PluginContext executor;

  /** In this JVM, if it has the driver. */
  private static volatile boolean driver;

  /** Adds the plugin to the user's plugins. */
  public static void addTo(SparkConf conf) {
    String others = conf.get(PLUGINS, "");
    conf.set(PLUGINS, (others.isBlank() ? "" : others + ",") + RateLimitPlugin.class.getName());
  }

  /** Whether this JVM has a driver with the plugin. */
  static boolean isLoaded() {
    return driver;
  }

  static void add(String limit, LeaseSchedule schedule) {
    SCHEDULES.put(limit, schedule);
  }

  static void remove(String limit) {
    SCHEDULES.remove(limit);
  }

  /**
   * Requests a lease from the driver.
   *
   * @throws RateLimitException if the driver does not answer, or the limit has ended
   * @throws IllegalStateException in an executor without this plugin
   */
  static Lease ask(String limit, long task) throws InterruptedException, RateLimitException {
    PluginContext context = executor;
    if (context == null) {
      throw new IllegalStateException(
          "this executor did not load "
              + RateLimitPlugin.class.getName()
              + " of spark.plugins, by which tasks share --max-messages-per-second");
    }
    long[] answer;
    try {
      answer = (long[]) context.ask(new Object[] {limit, task});
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new RateLimitException(
          "the driver gave no permits of --max-messages-per-second: " + e.getMessage(), e);
    }
    if (answer.length == 0) {
      throw new RateLimitException(
          "the driver has no limit of that name any more: the run has ended");
    }
    return new Lease(answer[0], answer[1]);
  }

  @Override
  public DriverPlugin driverPlugin() {
    return new DriverPlugin() {
      @Override
      public Map<String, String> init(SparkContext spark, PluginContext context) {
        driver = true;
        return Map.of();
      }

      @Override
      public Object receive(Object message) {
        Object[] request = (Object[]) message;
        LeaseSchedule schedule = SCHEDULES.get((String) request[0]);
        if (schedule == null) {
          return new long[0];
        }
        Lease lease = schedule.lease((Long) request[1]);
        return new long[] {lease.permits(), lease.waitNanos()};
      }

      @Override
      public void shutdown() {
        driver = false;
      }
    };
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      @Override
      public void init(PluginContext context, Map<String, String> settings) {
        executor = context;
      }

      @Override
      public void shutdown() {
        executor = null;
      }
    };
  }
}
