package io.tsdbsuite.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Clients that query {@link ChaosHistory} through rollup-query during the storm. An answer may be
 * an error; else it has each series and bucket once, with a value that is right.
 */
final class ChaosClients implements AutoCloseable {
  private static final String PATH = "/plugin/rollup-query/api/query?arrays&";
  private static final List<String> FUNCTIONS = List.of("sum", "min", "max", "count", "avg");
  private static final Map<String, Integer> WIDTHS =
      Map.of("10m", 600, "1h", 3600, "6h", 21_600, "1d", 86_400);
  private static final int MOST_BUCKETS = 150;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Between two queries of a client. */
  private static final int LONGEST_PAUSE_MILLIS = 1000;

  private final ChaosHistory history;
  private final Consumer<String> log;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, Integer> counts = Collections.synchronizedMap(new TreeMap<>());
  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());

  ChaosClients(int clients, ChaosHistory history, Consumer<String> log) {
    this.history = history;
    this.log = log;
    for (int i = 0; i < clients; i++) {
      Random random = new Random(Seed.VALUE + 100 + i);
      Thread thread = new Thread(() -> run(random), "client-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  private void run(Random random) {
    List<String> widths = List.copyOf(new TreeSet<>(WIDTHS.keySet()));
    try {
      while (!over.await(random.nextInt(LONGEST_PAUSE_MILLIS), TimeUnit.MILLISECONDS)) {
        String interval = widths.get(random.nextInt(widths.size()));
        int width = WIDTHS.get(interval);
        int all = (int) ((ChaosHistory.TO - ChaosHistory.FROM) / width);
        int first = random.nextInt(all);
        int buckets = 1 + random.nextInt(Math.min(MOST_BUCKETS, all - first));
        String function = FUNCTIONS.get(random.nextInt(FUNCTIONS.size()));
        ask(random.nextInt(ChaosHistory.METRICS), interval, function, first, buckets);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      wrong.add("a client has failed: " + e);
    }
  }

  private void ask(int metric, String interval, String function, int first, int buckets)
      throws InterruptedException {
    int width = WIDTHS.get(interval);
    long from = ChaosHistory.FROM + (long) first * width;
    // A TSD adds a second to the end.
    String query =
        "start=%d&end=%d&m=none:%s-%s:%s%d"
            .formatted(
                from,
                from + (long) buckets * width - 2,
                interval,
                function,
                ChaosHistory.METRIC,
                metric);
    URI uri = URI.create("http://127.0.0.1:" + SystemStack.get().tsd().port() + PATH + query);
    long asked = System.currentTimeMillis();
    HttpResponse<byte[]> answer;
    try {
      HttpRequest request = HttpRequest.newBuilder(uri).timeout(PATIENCE).build();
      answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      count("no answer");
      return;
    }
    if (answer.statusCode() != 200) {
      count("status " + answer.statusCode());
      return;
    }
    long answered = System.currentTimeMillis();
    String read = answer.headers().firstValue("X-Rollup-Query").orElse("");
    count(read.contains("raw (") ? "from raw data" : "from rollups");
    List<String> faults = new ArrayList<>();
    Set<String> hosts = new TreeSet<>();
    for (JsonNode series : json(answer.body())) {
      String host = series.at("/tags/host").asText();
      JsonNode points = series.get("dps");
      if (!hosts.add(host) || points.size() != buckets) {
        faults.add(host + " has " + points.size() + " of " + buckets + " values");
      }
      for (int i = 0; i < points.size(); i++) {
        long time = points.get(i).get(0).asLong();
        double value = points.get(i).get(1).asDouble();
        boolean right =
            time == from + (long) i * width
                && history.allows(
                    metric, host, time, time + width, function, value, asked, answered);
        if (!right) {
          faults.add(host + " at " + time + ": " + value);
        }
      }
    }
    if (hosts.size() != ChaosHistory.HOSTS) {
      faults.add("series of " + hosts);
    }
    if (!faults.isEmpty()) {
      String fault = "asked at " + asked + ": " + query + " (" + read + "): " + faults;
      log.accept("WRONG: " + fault);
      wrong.add(fault);
    }
  }

  private static JsonNode json(byte[] body) {
    try {
      return new ObjectMapper().readTree(body);
    } catch (IOException e) {
      throw new IllegalStateException("an answer is no JSON", e);
    }
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  /** Ends the clients, and asks all once more, in quiet: then none may fail. */
  void end() throws InterruptedException {
    over.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    Map<String, Integer> before = counts();
    for (int metric = 0; metric < ChaosHistory.METRICS; metric++) {
      for (Map.Entry<String, Integer> width : WIDTHS.entrySet()) {
        int all = (int) ((ChaosHistory.TO - ChaosHistory.FROM) / width.getValue());
        for (String function : FUNCTIONS) {
          ask(metric, width.getKey(), function, 0, all);
        }
      }
    }
    counts()
        .forEach(
            (what, count) -> {
              if (!what.startsWith("from ") && count > before.getOrDefault(what, 0)) {
                wrong.add("after the storm: " + what);
              }
            });
  }

  @Override
  public void close() {
    over.countDown();
  }

  /** Answers by what they were read from, and errors. */
  Map<String, Integer> counts() {
    synchronized (counts) {
      return new TreeMap<>(counts);
    }
  }

  List<String> wrong() {
    return List.copyOf(wrong);
  }
}
