package io.tsdbsuite.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Metrics of an HTTP endpoint, read by Prometheus's own client library for Python. */
public final class PrometheusScrape {
  private static final String VERSION = "0.22.1";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String PROGRAM =
      """
      import json, sys
      from prometheus_client.parser import text_string_to_metric_families
      print(json.dumps([
          {"family": each.name, "type": each.type, "help": each.documentation,
           "name": sample.name, "labels": sample.labels, "value": sample.value}
          for each in text_string_to_metric_families(sys.stdin.read()) for sample in each.samples]))
      """;

  private PrometheusScrape() {}

  /**
   * One value.
   *
   * @param type counter, gauge, or unknown
   * @param help empty if the endpoint gives none
   * @param name with {@code _total} of a counter
   * @param labels names and values
   * @param value the value
   */
  public record Sample(
      String type, String help, String name, Map<String, String> labels, double value) {}

  /**
   * Reads an endpoint.
   *
   * @throws IOException when it does not answer 200 with Prometheus's text format
   */
  public static List<Sample> of(URI endpoint) throws IOException, InterruptedException {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(endpoint).build(),
                HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    String type = response.headers().firstValue("Content-Type").orElse("none");
    if (response.statusCode() != 200 || !type.startsWith("text/plain; version=0.0.4")) {
      throw new IOException(
          endpoint + ": " + response.statusCode() + ", " + type + ", " + response.body());
    }
    return parse(response.body());
  }

  private static List<Sample> parse(String text) throws IOException, InterruptedException {
    ProcessBuilder builder =
        PythonPackages.install("prometheus-client-" + VERSION, "prometheus-client==" + VERSION)
            .python("-c", PROGRAM);
    Process python = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    python.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    python.getOutputStream().close();
    // To the end: a pipe that is closed after the last bracket fails Python's last write.
    byte[] output = python.getInputStream().readAllBytes();
    if (python.waitFor() != 0) {
      throw new IOException("the client library does not read:\n" + text);
    }
    List<Sample> samples = new ArrayList<>();
    for (JsonNode each : MAPPER.readTree(output)) {
      Map<String, String> labels = new TreeMap<>();
      each.get("labels")
          .properties()
          .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
      samples.add(
          new Sample(
              each.get("type").asText(),
              each.get("help").asText(),
              each.get("name").asText(),
              labels,
              each.get("value").asDouble()));
    }
    return samples;
  }
}
