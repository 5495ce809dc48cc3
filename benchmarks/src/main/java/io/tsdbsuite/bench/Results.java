package io.tsdbsuite.bench;

import io.tsdbsuite.bench.UidBenchmark.Uids;
import io.tsdbsuite.message.write.MessageFormat;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** JMH's results as tables in Markdown. */
final class Results {
  private static final String ALLOCATION = "gc.alloc.rate.norm";

  private final Collection<RunResult> runs;

  Results(Collection<RunResult> runs) {
    this.runs = runs;
  }

  /** All tables. */
  String markdown() {
    return rows() + "\n" + messages() + "\n" + uids();
  }

  private String rows() {
    StringBuilder table =
        new StringBuilder(
            """
| Row | Points | Suite, ns per point | First way, ns per point | Faster | Suite, bytes per row | First way, bytes per row |
| --- | --- | --- | --- | --- | --- | --- |
""");
    for (RowShape shape : RowShape.values()) {
      RunResult suite = run(RowBenchmark.class, "suite", "shape", shape.name());
      RunResult first = run(RowBenchmark.class, "firstWay", "shape", shape.name());
      table.append(
          String.format(
              Locale.ROOT,
              "| %s, %s | %d | %s | %s | %.1fx | %s | %s |%n",
              shape.name().substring(0, 2),
              shape.description(),
              shape.points(),
              nanos(suite, shape.points()),
              nanos(first, shape.points()),
              fastest(first) / fastest(suite),
              bytes(suite, 1),
              bytes(first, 1)));
    }
    return table.toString();
  }

  private String messages() {
    StringBuilder table =
        new StringBuilder(
            """
            | Message | ns per message | Bytes allocated per message |
            | --- | --- | --- |
            """);
    for (MessageFormat format : MessageFormat.values()) {
      RunResult run = run(MessageBenchmark.class, "encode", "format", format.name());
      int messages = MessageBenchmark.messages(format);
      table.append(
          String.format(
              Locale.ROOT,
              "| %s, %d per series and hour | %s | %s |%n",
              format.name().toLowerCase(Locale.ROOT),
              messages,
              nanos(run, messages),
              bytes(run, messages)));
    }
    return table.toString();
  }

  private String uids() {
    StringBuilder table =
        new StringBuilder(
            """
            | UidDictionary of %,d names | ns per lookup | Bytes allocated per lookup |
            | --- | --- | --- |
            """
                .formatted(UidBenchmark.NAMES));
    for (Uids uids : Uids.values()) {
      RunResult run = run(UidBenchmark.class, "lookup", "uids", uids.name());
      table.append(
          String.format(
              Locale.ROOT,
              "| %s UIDs, random order | %s | %s |%n",
              uids.name().toLowerCase(Locale.ROOT),
              nanos(run, 1),
              bytes(run, 1)));
    }
    return table.toString();
  }

  private RunResult run(Class<?> type, String method, String param, String value) {
    String name = type.getName() + "." + method;
    return runs.stream()
        .filter(run -> run.getParams().getBenchmark().equals(name))
        .filter(run -> run.getParams().getParam(param).equals(value))
        .findAny()
        .orElseThrow(() -> new IllegalStateException(name + " of " + value + " did not run"));
  }

  /** The fastest round: other load on the machine can only slow a round down. */
  private static double fastest(RunResult run) {
    return run.getPrimaryResult().getStatistics().getMin();
  }

  /** Nanoseconds of a part of the operation: the fastest round, and the median. */
  private static String nanos(RunResult run, int parts) {
    double median = run.getPrimaryResult().getStatistics().getPercentile(50);
    return String.format(Locale.ROOT, "%.1f (%.1f)", fastest(run) / parts, median / parts);
  }

  private static String bytes(RunResult run, int parts) {
    Result<?> allocation = Objects.requireNonNull(run.getSecondaryResults().get(ALLOCATION));
    return String.format(Locale.ROOT, "%,.0f", allocation.getScore() / parts);
  }
}
