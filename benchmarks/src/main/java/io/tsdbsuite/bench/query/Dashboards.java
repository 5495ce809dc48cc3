package io.tsdbsuite.bench.query;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bench.measure.Median;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Clients of dashboards, alone and beside clients whose queries are too large, by turns. */
final class Dashboards {
  static final int HEAVY = 20;

  private static final int CLIENTS = 4;
  private static final int TURNS = 6;
  private static final long PAUSE_MILLIS = 50;
  private static final long HEAVY_PAUSE_MILLIS = 500;
  private static final int TOO_LARGE = 413;
  private static final double P99 = 0.99;

  /**
   * What was measured.
   *
   * @param asked queries of dashboards
   * @param heavy queries that are too large
   * @param refused those of them that were refused before they were read, with the number of cells
   *     or bytes
   * @param message of a refused one
   */
  record Load(int asked, double median, double p99, int heavy, int refused, String message) {}

  private final Way way;
  private final List<String> small;
  private final String large;
  private final List<Double> alone = new ArrayList<>();
  private final List<Double> beside = new ArrayList<>();
  private int heavy;
  private int refused;
  private String message = "";

  Dashboards(Way way, Times times) {
    this.way = way;
    small =
        QueryCase.all(times).stream()
            .filter(each -> each.metric().equals(QueryServers.FEW) && isOfADashboard(each))
            .map(QueryCase::uri)
            .toList();
    large =
        new QueryCase("", QueryServers.MANY, "sum:1m-avg", "", times.year(), times.midnight())
            .uri();
  }

  /** No curve has the 8,760 values of a year's hours. */
  private static boolean isOfADashboard(QueryCase query) {
    String function = query.function();
    return !function.contains("dev")
        && !(query.name().startsWith("1 y") && function.contains(":1h-"));
  }

  /**
   * Asks.
   *
   * @param seconds alone, and as long beside heavy queries
   */
  void measure(double seconds) throws IOException, InterruptedException {
    ask(seconds / TURNS, 0, new ArrayList<>());
    for (int turn = 0; turn < TURNS; turn++) {
      boolean first = turn % 2 == 0;
      ask(seconds / TURNS, first ? 0 : HEAVY, first ? alone : beside);
      ask(seconds / TURNS, first ? HEAVY : 0, first ? beside : alone);
    }
  }

  private void ask(double seconds, int heavyClients, List<Double> into)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    List<Callable<List<Way.Reply>>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      int first = i;
      clients.add(() -> client(small, first, PAUSE_MILLIS, end));
    }
    for (int i = 0; i < heavyClients; i++) {
      clients.add(() -> client(List.of(large), 0, HEAVY_PAUSE_MILLIS, end));
    }
    ExecutorService threads = Executors.newFixedThreadPool(clients.size());
    try {
      List<Future<List<Way.Reply>>> replies = threads.invokeAll(clients);
      for (int i = 0; i < replies.size(); i++) {
        for (Way.Reply reply : replies.get(i).get()) {
          if (i >= CLIENTS) {
            heavy(reply);
          } else if (reply.code() == 200) {
            into.add(reply.millis());
          } else {
            throw new IOException("status " + reply.code() + " of a dashboard");
          }
        }
      }
    } catch (ExecutionException e) {
      throw new IOException(e);
    } finally {
      threads.shutdownNow();
    }
  }

  private List<Way.Reply> client(List<String> queries, int first, long pause, long end)
      throws IOException, InterruptedException {
    List<Way.Reply> replies = new ArrayList<>();
    for (int i = first; System.nanoTime() < end; i++) {
      replies.add(way.ask(queries.get(i % queries.size())));
      TimeUnit.MILLISECONDS.sleep(pause);
    }
    return replies;
  }

  private void heavy(Way.Reply reply) throws IOException {
    heavy++;
    if (reply.code() == TOO_LARGE) {
      message = new ObjectMapper().readTree(reply.body()).at("/error/message").asText();
      refused += message.matches("The query would (read|hold) about .*") ? 1 : 0;
    } else {
      message = new String(reply.body(), StandardCharsets.UTF_8);
    }
  }

  /** Without heavy queries. */
  Load alone() {
    return load(alone, 0, 0, "");
  }

  Load besideHeavy() {
    return load(beside, heavy, refused, message);
  }

  private static Load load(List<Double> millis, int heavy, int refused, String message) {
    List<Double> sorted = new ArrayList<>(millis);
    Collections.sort(sorted);
    double p99 = sorted.get((int) (P99 * (sorted.size() - 1)));
    return new Load(sorted.size(), Median.of(sorted), p99, heavy, refused, message);
  }
}
