package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.job.JobException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of all InfluxDB exports of a load. Only one of them is loaded: points of several
 * databases would merge into one series without a trace. Thread-safe.
 */
public final class InfluxContexts {
  private final InfluxChoice choice;
  private final Set<InfluxContext> loaded = new LinkedHashSet<>();
  private final Set<InfluxContext> skipped = new LinkedHashSet<>();
  private Consumer<InfluxContext> listener = context -> {};

  /** No context was met yet. */
  public InfluxContexts(InfluxChoice choice) {
    this.choice = choice;
  }

  /** The contexts that are loaded. */
  public InfluxChoice choice() {
    return choice;
  }

  /** Adds contexts of which an earlier process has loaded lines. */
  public synchronized void restore(Collection<InfluxContext> before) {
    loaded.addAll(before);
  }

  /** Receives each context before the first of its lines is loaded. */
  public synchronized void listen(Consumer<InfluxContext> to) {
    listener = to;
    loaded.forEach(to);
  }

  /** Notes a context that has lines, to be judged by {@link #requireOne} later. */
  synchronized void saw(InfluxContext context) {
    (choice.skipped(context) == null ? loaded : skipped).add(context);
  }

  /**
   * A context has lines.
   *
   * @return the count that they add to; null if they are loaded
   * @throws JobException usage, when lines of another context are loaded already
   */
  synchronized @Nullable Count met(InfluxContext context) {
    Count reason = choice.skipped(context);
    if (reason != null) {
      skipped.add(context);
    } else {
      boolean first = loaded.add(context);
      requireOne();
      if (first) {
        listener.accept(context);
      }
    }
    return reason;
  }

  /** The contexts whose lines are loaded. */
  public synchronized Set<InfluxContext> loaded() {
    return Set.copyOf(loaded);
  }

  /**
   * Makes sure that all lines are of one context.
   *
   * @throws JobException usage, naming all that were found
   */
  public synchronized void requireOne() {
    if (loaded.size() > 1) {
      throw JobException.usage(
          "InfluxDB lines must be of one database and retention policy, found "
              + names(loaded)
              + ": choose by --influx-database and --influx-retention-policy, and load each by"
              + " itself");
    }
  }

  /**
   * Checks that the input has the chosen database and retention policy.
   *
   * @param otherLines lines that were skipped, in all of the load
   * @throws JobException usage, when nothing was loaded, but skipped
   */
  public synchronized void requireFound(long otherLines) {
    if (!choice.isNone() && loaded.isEmpty() && otherLines > 0) {
      throw JobException.usage(
          choice
              + " must be in the input, found only "
              + (skipped.isEmpty() ? "others" : names(skipped)));
    }
  }

  private static String names(Set<InfluxContext> contexts) {
    return contexts.stream().map(InfluxContext::toString).collect(Collectors.joining(", "));
  }
}
