package io.tsdbsuite.rollup.it;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/**
 * What Spark tells of its tasks, for one test at a time. Spark makes it by its name
 * (spark.extraListeners), so that what it has heard is static.
 */
public final class TaskWatch extends SparkListener {
  private static final List<String> HOSTS = new ArrayList<>();
  private static final List<String> FAILURES = new ArrayList<>();
  private static int speculative;
  private static int executorsLost;

  /** Forgets everything. */
  static synchronized void clear() {
    HOSTS.clear();
    FAILURES.clear();
    speculative = 0;
    executorsLost = 0;
  }

  /** Hosts on which tasks have started, one for each task. */
  static synchronized List<String> hosts() {
    return List.copyOf(HOSTS);
  }

  /** What tasks have thrown. */
  static synchronized List<String> failures() {
    return List.copyOf(FAILURES);
  }

  /** Twins of slow tasks that have started. */
  static synchronized int speculative() {
    return speculative;
  }

  static synchronized int executorsLost() {
    return executorsLost;
  }

  @Override
  public void onTaskStart(SparkListenerTaskStart start) {
    synchronized (TaskWatch.class) {
      HOSTS.add(start.taskInfo().host());
      speculative += start.taskInfo().speculative() ? 1 : 0;
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() instanceof ExceptionFailure failure) {
      synchronized (TaskWatch.class) {
        FAILURES.add(failure.description());
      }
    }
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    synchronized (TaskWatch.class) {
      executorsLost++;
    }
  }
}
