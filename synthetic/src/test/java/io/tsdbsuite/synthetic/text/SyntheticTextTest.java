package io.tsdbsuite.synthetic.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.synthetic.Shapes;
import io.tsdbsuite.synthetic.SyntheticNames;
import io.tsdbsuite.synthetic.SyntheticPoints;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.ValueShape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SyntheticTextTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Series as {@code metric{k=v,...}}, time in ms, value as text. */
  private record Line(String series, long millis, String value) {}

  @ParameterizedTest
  @EnumSource
  void linesAreThePoints(LineFormat format) throws IOException {
    for (ValueShape values : ValueShape.values()) {
      for (int jitter : new int[] {0, 900}) {
        SyntheticShape shape = Shapes.of(values, 30_000, Duration.ofHours(1), jitter);
        for (LineOrder order : LineOrder.values()) {
          check(shape, format, new SyntheticText(shape, format, order, 77));
        }
      }
    }
  }

  private static void check(SyntheticShape shape, LineFormat format, SyntheticText text)
      throws IOException {
    SyntheticPoints points = new SyntheticPoints(shape);
    Map<String, Integer> series = seriesByName(shape);
    boolean[] seen = new boolean[(int) shape.points()];
    for (String written : lines(text, 0, text.lines())) {
      Line line = parse(format, written, shape.inMillis());
      int of = series.get(line.series());
      long point = points.pointAt(of, line.millis());
      assertThat(point).as(written).isNotNegative();
      int place = (int) (of * shape.pointsPerSeries() + point);
      assertThat(seen[place]).isFalse();
      seen[place] = true;
      if (points.isInteger(of, point)) {
        assertThat(line.value()).isEqualTo(String.valueOf(points.longValue(of, point)));
      } else {
        assertThat(line.value()).contains(".");
        assertThat(Double.parseDouble(line.value())).isEqualTo(points.doubleValue(of, point));
      }
    }
    assertThat(seen).doesNotContain(false);
  }

  private static Map<String, Integer> seriesByName(SyntheticShape shape) {
    Map<String, Integer> series = new HashMap<>();
    SyntheticNames names = new SyntheticNames(shape);
    for (int i = 0; i < shape.series(); i++) {
      List<String> tags = names.tags(i);
      series.put(
          names.metric(i)
              + "{"
              + tags.get(0)
              + "="
              + tags.get(1)
              + ","
              + tags.get(2)
              + "="
              + tags.get(3)
              + "}",
          i);
    }
    return series;
  }

  private static Line parse(LineFormat format, String line, boolean inMillis) throws IOException {
    String[] parts = line.split(" ", -1);
    return switch (format) {
      case OPENTSDB ->
          new Line(
              parts[0] + "{" + parts[3] + "," + parts[4] + "}",
              Long.parseLong(parts[1]) * (inMillis ? 1 : 1000),
              parts[2]);
      case JSON -> {
        JsonNode node = JSON.readTree(line);
        List<String> tags = new ArrayList<>();
        node.get("tags")
            .properties()
            .forEach(t -> tags.add(t.getKey() + "=" + t.getValue().textValue()));
        String raw = line.substring(line.indexOf("\"value\":") + 8, line.indexOf(",\"tags\""));
        yield new Line(
            node.get("metric").textValue() + "{" + String.join(",", tags) + "}",
            node.get("timestamp").longValue() * (inMillis ? 1 : 1000),
            raw);
      }
      case INFLUX -> {
        int comma = parts[0].indexOf(',');
        String value = parts[1].substring("value=".length());
        boolean integer = value.endsWith("i");
        assertThat(integer).isEqualTo(!value.contains("."));
        yield new Line(
            parts[0].substring(0, comma) + "{" + parts[0].substring(comma + 1) + "}",
            Long.parseLong(parts[2]) / 1_000_000,
            integer ? value.substring(0, value.length() - 1) : value);
      }
      case PROMETHEUS -> new Line(parts[0].replace("\"", ""), Long.parseLong(parts[2]), parts[1]);
    };
  }

  private static List<String> lines(SyntheticText text, long from, long to) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(text.write(out, from, to)).isEqualTo(out.size());
    String all = out.toString(StandardCharsets.UTF_8);
    assertThat(all).endsWith("\n");
    return all.lines().toList();
  }

  @Test
  void writesLinesAsTheFormatsHaveThem() throws IOException {
    SyntheticShape shape =
        new SyntheticShape(
            "m", 1, 2, 2, 1000, Shapes.START, Duration.ofSeconds(2), ValueShape.CONSTANT, 0, 1);
    Map<LineFormat, String> first = new HashMap<>();
    for (LineFormat format : LineFormat.values()) {
      first.put(format, lines(new SyntheticText(shape, format, LineOrder.SERIES, 1), 0, 1).get(0));
    }
    long value = new SyntheticPoints(shape).longValue(0, 0);
    assertThat(first)
        .containsEntry(LineFormat.OPENTSDB, "m 1700000000 " + value + " sensor=s1 site=site1")
        .containsEntry(
            LineFormat.JSON,
            "{\"metric\":\"m\",\"timestamp\":1700000000,\"value\":"
                + value
                + ",\"tags\":{\"sensor\":\"s1\",\"site\":\"site1\"}}")
        .containsEntry(
            LineFormat.INFLUX, "m,sensor=s1,site=site1 value=" + value + "i 1700000000000000000")
        .containsEntry(
            LineFormat.PROMETHEUS, "m{sensor=\"s1\",site=\"site1\"} " + value + " 1700000000000");
  }

  @ParameterizedTest
  @EnumSource
  void anyLinesCanBeWrittenByThemselves(LineOrder order) throws IOException {
    SyntheticShape shape = Shapes.of(ValueShape.MIXED, 60_000, Duration.ofHours(1), 0);
    SyntheticText text = new SyntheticText(shape, LineFormat.OPENTSDB, order, 100);
    List<String> whole = lines(text, 0, text.lines());
    List<String> pieces = new ArrayList<>(lines(text, 0, 1));
    pieces.addAll(lines(text, 1, 450));
    pieces.addAll(lines(text, 450, text.lines()));
    assertThat(pieces).isEqualTo(whole);
  }

  @Test
  void ordersAreWhatTheySay() throws IOException {
    SyntheticShape shape = Shapes.of(ValueShape.COUNTER, 1000, Duration.ofSeconds(100), 0);
    List<String> series =
        lines(new SyntheticText(shape, LineFormat.OPENTSDB, LineOrder.SERIES, 1), 0, 1500);
    List<String> time =
        lines(new SyntheticText(shape, LineFormat.OPENTSDB, LineOrder.TIME, 1), 0, 1500);
    List<String> shuffled =
        lines(new SyntheticText(shape, LineFormat.OPENTSDB, LineOrder.SHUFFLED, 150), 0, 1500);
    List<Line> bySeries = parsed(series);
    assertThat(bySeries)
        .isSortedAccordingTo(Comparator.comparing(Line::series).thenComparingLong(Line::millis));
    assertThat(parsed(time)).isSortedAccordingTo(Comparator.comparingLong(Line::millis));
    assertThat(parsed(time)).containsExactlyInAnyOrderElementsOf(bySeries);
    assertThat(shuffled).isNotEqualTo(time);
    for (int window = 0; window < 10; window++) {
      assertThat(shuffled.subList(window * 150, window * 150 + 150))
          .containsExactlyInAnyOrderElementsOf(time.subList(window * 150, window * 150 + 150));
    }
    assertThatThrownBy(() -> new SyntheticText(shape, LineFormat.OPENTSDB, LineOrder.SHUFFLED, 0))
        .hasMessage("the window must be at least 1 line, found 0");
  }

  private static List<Line> parsed(List<String> lines) throws IOException {
    List<Line> parsed = new ArrayList<>();
    for (String line : lines) {
      parsed.add(parse(LineFormat.OPENTSDB, line, false));
    }
    return parsed;
  }

  @Test
  void filesAreTheWholeText(@TempDir Path directory) throws IOException {
    SyntheticShape shape = Shapes.of(ValueShape.MIXED, 60_000, Duration.ofHours(1), 0);
    SyntheticText text = new SyntheticText(shape, LineFormat.OPENTSDB, LineOrder.TIME, 1);
    List<String> whole = lines(text, 0, text.lines());
    for (boolean gzip : new boolean[] {false, true}) {
      TextFiles files = new TextFiles(text, directory.resolve("gzip-" + gzip), "points", 7, gzip);
      List<String> read = new ArrayList<>();
      for (TextFile file : files.writeAll()) {
        try (InputStream raw = Files.newInputStream(file.path());
            InputStream in = gzip ? new GZIPInputStream(raw) : raw) {
          byte[] bytes = in.readAllBytes();
          assertThat(bytes).hasSize((int) file.bytes());
          List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
          assertThat(lines).hasSize((int) file.lines());
          read.addAll(lines);
        }
      }
      assertThat(read).isEqualTo(whole);
      assertThat(files.path(0).getFileName())
          .hasToString(gzip ? "points-1.txt.gz" : "points-1.txt");
      assertThatThrownBy(files::writeAll)
          .hasMessageContaining("must not overwrite another one")
          .hasMessageContaining("points-7.txt");
    }
  }
}
