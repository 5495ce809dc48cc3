package io.tsdbsuite.bench.query;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.bench.measure.Way;
import io.tsdbsuite.bench.query.QueryCase.Times;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Clients of dashboards, alone and beside clients whose queries are too large, by turns. */
final class Dashboards {
  /** Name of the part. */
  static final String PART = "dashboards";

  private static final int CLIENTS = 4;
  private static final int HEAVY = 20;
  private static final int TURNS = 6;
  private static final long PAUSE_MILLIS = 50;
  private static final long HEAVY_PAUSE_MILLIS = 500;
  private static final double P99 = 0.99;

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What clients have measured in a turn.
   *
   * @param millis times of the dashboards' queries
   * @param heavy answers of the others: the message of those with status 413
   */
  record Turn(List<Double> millis, List<String> heavy) {
    private static Turn all(List<Turn> turns) {
      return new Turn(
          turns.stream().flatMap(turn -> turn.millis.stream()).toList(),
          turns.stream().flatMap(turn -> turn.heavy.stream()).toList());
    }

    private double p99() {
      return millis.stream().sorted().toList().get((int) (P99 * (millis.size() - 1)));
    }

    /** Heavy queries that were refused before they were read, with the number. */
    private int refused() {
      return (int)
          heavy.stream()
              .filter(
                  text -> text.matches("The query would (read|hold) about [0-9,]+ (cells|MB); .*"))
              .count();
    }

    /** The fields of a row. */
    @Override
    public String toString() {
      return String.join(
          " | ",
          Report.number(millis.size()),
          Report.tenths(Median.of(millis)),
          Report.tenths(p99()),
          Report.number(heavy.size()),
          Report.number(refused()));
    }
  }

  private final QueryWay way;
  private final List<String> small;
  private final String large;

  Dashboards(QueryWay way, Times times) {
    this.way = way;
    small =
        QueryCase.all(times).stream()
            .filter(each -> each.metric().equals(QueryCase.FEW) && isOfADashboard(each))
            .map(each -> each.request(QueryWay.PLUGIN))
            .toList();
    large =
        new QueryCase("", QueryCase.MANY, "sum:1m-avg", "", times.year(), times.midnight())
            .request(QueryWay.PLUGIN);
  }

  /** No curve has the 8,760 values of a year's hours. */
  private static boolean isOfADashboard(QueryCase query) {
    String function = query.function();
    return !function.contains("dev")
        && !(query.name().startsWith("1 y") && function.contains(":1h-"));
  }

  /**
   * Asks by turns, and adds the table.
   *
   * @param seconds of a turn
   */
  void measure(double seconds, Report report) throws IOException, InterruptedException {
    List<Samples<Turn>> turns =
        Samples.of(
            1,
            TURNS,
            List.of(
                new Way<>("alone", () -> turn(seconds, 0)),
                new Way<>("beside", () -> turn(seconds, HEAVY))));
    add(report, Turn.all(turns.get(0).all()), Turn.all(turns.get(1).all()));
  }

  /** Adds the table and the limits. */
  static void add(Report report, Turn alone, Turn beside) {
    report.fact("A heavy query's answer: `%s`", beside.heavy.get(0));
    report.table("Dashboards | Queries | Median, ms | p99, ms | Heavy | Refused");
    report.row("alone | %s", alone);
    report.row("beside %d clients with heavy queries | %s", HEAVY, beside);
    report.atMost(
        "dashboards' p99 beside heavy queries over that alone", "", 2, beside.p99() / alone.p99());
    report.atMost(
        "heavy queries that were not refused", "", 0, beside.heavy.size() - beside.refused());
  }

  private Turn turn(double seconds, int heavyClients)
      throws ExecutionException, InterruptedException {
    long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    List<Callable<Turn>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      int first = i;
      clients.add(() -> dashboard(first, end));
    }
    for (int i = 0; i < heavyClients; i++) {
      clients.add(() -> heavy(end));
    }
    ExecutorService threads = Executors.newFixedThreadPool(clients.size());
    try {
      List<Turn> turns = new ArrayList<>();
      for (Future<Turn> client : threads.invokeAll(clients)) {
        turns.add(client.get());
      }
      return Turn.all(turns);
    } finally {
      threads.shutdownNow();
    }
  }

  private Turn dashboard(int first, long end) throws IOException, InterruptedException {
    List<Double> millis = new ArrayList<>();
    for (int i = first; i == first || System.nanoTime() < end; i++) {
      QueryWay.Reply reply = way.ask(small.get(i % small.size()));
      if (reply.code() != 200) {
        throw new IOException("status " + reply.code() + " of a dashboard");
      }
      millis.add(reply.millis());
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
    return new Turn(millis, List.of());
  }

  private Turn heavy(long end) throws IOException, InterruptedException {
    List<String> answers = new ArrayList<>();
    do {
      QueryWay.Reply reply = way.ask(large);
      answers.add(
          reply.code() == 413
              ? JSON.readTree(reply.body()).at("/error/message").asText()
              : "status " + reply.code());
      TimeUnit.MILLISECONDS.sleep(HEAVY_PAUSE_MILLIS);
    } while (System.nanoTime() < end);
    return new Turn(List.of(), answers);
  }
}
