package io.tsdbsuite.trigger.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-21T01:02:03Z"), ZoneOffset.UTC);

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void aLineEach() {
    JsonLog log = new JsonLog(out, CLOCK, "r1");
    log.info("started", "days", List.of("2026-11-20"), "files", 3, "none", null);
    log.warn("two\nlines");
    log.error("failed", new IllegalStateException("why"));
    assertThat(lines())
        .hasSize(3)
        .startsWith(
            "{\"time\":\"2026-11-21T01:02:03Z\",\"level\":\"INFO\",\"requestId\":\"r1\","
                + "\"message\":\"started\",\"days\":\"[2026-11-20]\",\"files\":3,\"none\":null}",
            "{\"time\":\"2026-11-21T01:02:03Z\",\"level\":\"WARN\",\"requestId\":\"r1\","
                + "\"message\":\"two\\nlines\"}");
    assertThat(lines().get(2)).contains("IllegalStateException: why", "LogTest.aLineEach");
  }

  @Test
  void embeddedMetrics() throws IOException {
    Metrics metrics = new Metrics("OpenTSDB/Rollup");
    metrics.count("Events", 1);
    metrics.count("Events", 2);
    metrics.seconds("Time", 0.25);
    metrics.bytes("Bytes", 1L << 40);
    metrics.write(out, CLOCK, "day", "2026-11-20");
    JsonNode line = new ObjectMapper().readTree(lines().get(0));
    assertThat(line)
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    "{\"_aws\":{\"Timestamp\":1795222923000,\"CloudWatchMetrics\":[{\"Namespace\":"
                        + "\"OpenTSDB/Rollup\",\"Dimensions\":[[]],\"Metrics\":["
                        + "{\"Name\":\"Events\",\"Unit\":\"Count\"},"
                        + "{\"Name\":\"Time\",\"Unit\":\"Seconds\"},"
                        + "{\"Name\":\"Bytes\",\"Unit\":\"Bytes\"}]}]},"
                        + "\"Events\":3,\"Time\":0.25,\"Bytes\":1099511627776,"
                        + "\"day\":\"2026-11-20\"}"));
  }
}
