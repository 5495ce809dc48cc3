package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics of a job on a cluster: as docs/operations/stream-metrics.py sends them to a TSD, and
 * as Flink's own reporter shows them to Prometheus; both as docs/stream-rollup.md documents them.
 */
final class StreamMetrics {
  private static final Path SCRIPT = Path.of("..", "docs", "operations", "stream-metrics.py");
  private static final Path PAGE = Path.of("..", "docs", "stream-rollup.md");
  private static final String PREFIX = "tsdbsuite.stream-rollup.";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private final URI rest;
  private final TsdServer tsd = StreamStack.get().tsd();

  StreamMetrics(URI rest) {
    this.rest = rest;
  }

  /** Waits until all metrics are there, and this number of elements. */
  void awaitConsumed(long elements) throws IOException {
    Set<String> all = documented(0);
    await(
        elements + " elements and " + all,
        values ->
            values.keySet().containsAll(all) && values.get("consumed").longValue() == elements);
  }

  /** Waits until no more than this number of series have a state. */
  void awaitSeries(int most) {
    await(
        most + " series at most",
        values -> values.containsKey("series") && values.get("series") <= most);
  }

  private void await(String what, Predicate<Map<String, Double>> isThere) {
    AtomicReference<Map<String, Double>> last = new AtomicReference<>(Map.of());
    try {
      Await.until(
          what,
          StreamStack.PATIENCE,
          () -> {
            last.set(printed());
            return isThere.test(last.get());
          });
    } catch (RuntimeException e) {
      throw new AssertionError(e.getMessage() + ", found " + last.get(), e);
    }
  }

  /**
   * Compares all names with the page, and some values.
   *
   * @param prometheus ports of the reporters
   */
  void check(List<Integer> prometheus) throws Exception {
    Map<String, Double> values = printed();
    assertThat(values.keySet()).isEqualTo(documented(0));
    assertThat(values).containsEntry("running", 1.0).containsEntry("missed", 0.0);
    assertThat(values.get("series")).isGreaterThanOrEqualTo(20);
    assertThat(values.get("watermarkDelay")).isPositive();
    assertThat(values.get("checkpoint.bytes")).isPositive();
    assertThat(values.get("checkpoint.age")).isBetween(0.0, 600.0);

    assertThat(run("--put", "http://127.0.0.1:" + tsd.port(), "--tag", "job=test")).isEmpty();
    JsonNode stored =
        tsd.client().get("api/query?start=1h-ago&m=none:" + PREFIX + "consumed%7Bjob=test%7D");
    assertThat(stored.at("/0/dps").elements().next().asDouble()).isEqualTo(values.get("consumed"));

    Set<String> shown = new HashSet<>();
    for (int port : prometheus) {
      for (String line : scrape(port).lines().toList()) {
        shown.add(line.replaceFirst("[{ ].*", ""));
      }
    }
    assertThat(shown).containsAll(documented(1));
  }

  private static String scrape(int port) throws IOException, InterruptedException {
    URI page = URI.create("http://127.0.0.1:" + port + "/metrics");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** The metrics that the script prints, by name without the prefix. */
  private Map<String, Double> printed() throws IOException, InterruptedException {
    Map<String, Double> values = new TreeMap<>();
    for (JsonNode point : new ObjectMapper().readTree(run())) {
      values.put(
          point.get("metric").asText().substring(PREFIX.length()), point.get("value").asDouble());
    }
    return values;
  }

  private String run(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3", SCRIPT.toString(), rest.toString()));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  /** The names in a column of the table of metrics. */
  private static Set<String> documented(int column) throws IOException {
    String page = Files.readString(PAGE);
    String section = page.substring(page.indexOf("\n## Metrics\n"));
    int end = section.indexOf("\n## ", 4);
    section = end < 0 ? section : section.substring(0, end);
    Set<String> names = new TreeSet<>();
    for (String line : section.lines().toList()) {
      if (line.startsWith("| `")) {
        Matcher name = CODE.matcher(line.split("\\|", -1)[column + 1]);
        while (name.find()) {
          names.add(name.group(1).replace("..._", "flink_taskmanager_job_task_operator_"));
        }
      }
    }
    // The header of the first column.
    names.remove(PREFIX);
    return names;
  }
}
