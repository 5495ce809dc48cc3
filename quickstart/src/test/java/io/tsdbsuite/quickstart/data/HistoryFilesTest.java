package io.tsdbsuite.quickstart.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFilesTest {
  /** 2025-11-19T00:00:00Z. */
  private static final long MIDNIGHT = 1763510400;

  private static final RequestRate RATE = new RequestRate(3);

  @TempDir Path directory;

  @Test
  void aFileADayAndALineAPoint() throws IOException {
    long points = HistoryFiles.write(RATE, directory, MIDNIGHT, MIDNIGHT + 26 * 3600);

    assertThat(points).isEqualTo(26 * 3 * 360);
    assertThat(directory)
        .isDirectoryContaining("glob:**edge.requests-2025-11-19.gz")
        .isDirectoryContaining("glob:**edge.requests-2025-11-20.gz");
    List<String> first = lines("edge.requests-2025-11-19.gz");
    List<String> second = lines("edge.requests-2025-11-20.gz");
    assertThat(first).hasSize(24 * 3 * 360);
    assertThat(second).hasSize(2 * 3 * 360);
    assertThat(first.get(1))
        .isEqualTo(
            "edge.requests 1763510410 %s dc=Zürich host=edge001",
            RATE.hour(0, MIDNIGHT).get(1).toString());
    assertThat(second.get(2 * 3 * 360 - 1))
        .startsWith("edge.requests 1763603990 ")
        .endsWith(" dc=dublin-2 host=edge003");
  }

  @Test
  void aLineHasTheValueOfItsPoint() throws IOException {
    HistoryFiles.write(RATE, directory, MIDNIGHT, MIDNIGHT + 3600);

    List<String> lines = lines("edge.requests-2025-11-19.gz");
    for (int server = 0; server < RATE.series(); server++) {
      List<Number> points = RATE.hour(server, MIDNIGHT);
      for (int i = 0; i < points.size(); i++) {
        String value = lines.get(server * 360 + i).split(" ", -1)[2];
        assertThat(Double.parseDouble(value)).isEqualTo(points.get(i).doubleValue());
        assertThat(value.contains(".")).isEqualTo(points.get(i) instanceof Double);
      }
    }
  }

  @Test
  void latencyIsAFileOfItsOwnWithFewSlowRequests() throws IOException {
    Latency latency = new Latency();
    HistoryFiles.write(latency, directory, MIDNIGHT, MIDNIGHT + 3600);

    List<String> lines = lines("edge.latency-2025-11-19.gz");
    assertThat(lines).hasSize(latency.series() * 360);
    assertThat(lines.get(1))
        .isEqualTo(
            "edge.latency 1763510410 %s dc=Zürich host=edge001",
            latency.hour(0, MIDNIGHT).get(1).toString());
    double[] sorted =
        latency.hour(0, MIDNIGHT).stream().mapToDouble(Number::doubleValue).sorted().toArray();
    assertThat(sorted[0]).isPositive();
    assertThat(sorted[356]).isGreaterThan(2 * sorted[180]);
  }

  @Test
  void nothingWhereThereIsNoHistory() throws IOException {
    assertThat(HistoryFiles.write(RATE, directory, MIDNIGHT, MIDNIGHT)).isZero();

    assertThat(directory).isEmptyDirectory();
  }

  private List<String> lines(String name) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(directory.resolve(name)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
