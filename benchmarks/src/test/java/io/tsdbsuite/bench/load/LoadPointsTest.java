package io.tsdbsuite.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.synthetic.round.PointFormat;
import io.tsdbsuite.synthetic.round.RoundShape;
import io.tsdbsuite.synthetic.round.TextBuffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoadPointsTest {
  private static final RoundShape PUBLISHED = new RoundShape(10, 2, 2);
  private static final long TIMESTAMP = 1_763_510_400L;

  @Test
  void theShapeIsMetricsTimesValuesToThePowerOfTags() {
    assertThat(PUBLISHED.series()).isEqualTo(40);
    assertThat(new RoundShape(20, 2, 10).series()).isEqualTo(2000);
    assertThat(new RoundShape(3, 1, 7).series()).isEqualTo(21);
    assertThat(new RoundShape(1_000_000, 8, 1_000_000).series()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aRoundHasEverySeriesOnceAtOneTimestamp() {
    List<String> lines = lines(PUBLISHED, 2000);

    Set<String> series = new HashSet<>();
    for (String line : lines.subList(0, 40)) {
      assertThat(line)
          .matches("put load\\.metric\\.([1-9]|10) 1763510400 \\d+ tagk1=tagv[12] tagk2=tagv[12]");
      series.add(line.replaceFirst(" 1763510400 \\d+ ", " "));
    }
    assertThat(series).hasSize(40);
  }

  @Test
  void theGeneratorsOwnPointsEndARound() {
    assertThat(lines(PUBLISHED, 1500).subList(40, 45))
        .containsExactly(
            "put loadtest.metrics 1763510400 10 generator=load-generator",
            "put loadtest.tagks 1763510400 2 generator=load-generator",
            "put loadtest.tagvs 1763510400 2 generator=load-generator",
            "put loadtest.sleep 1763510400 1.500 generator=load-generator",
            "put loadtest.rate 1763510400 0 generator=load-generator");
  }

  @Test
  void httpHasTheSamePoints() throws IOException {
    RoundShape shape = new RoundShape(1, 2, 3);

    JsonNode array = new ObjectMapper().readTree(text(Protocol.HTTP.format(), shape, 2000));

    List<String> lines = lines(shape, 2000);
    assertThat(array).hasSize(lines.size());
    for (int i = 0; i < lines.size(); i++) {
      JsonNode point = array.get(i);
      StringBuilder line =
          new StringBuilder("put ")
              .append(point.path("metric").asText())
              .append(' ')
              .append(point.path("timestamp").asLong())
              .append(' ')
              .append(point.path("value").asText());
      point
          .path("tags")
          .properties()
          .forEach(
              tag ->
                  line.append(' ')
                      .append(tag.getKey())
                      .append('=')
                      .append(tag.getValue().asText()));
      assertThat(line).hasToString(lines.get(i));
    }
  }

  @Test
  void roundsAreTheSameInEveryVersion() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (Protocol protocol : Protocol.values()) {
      for (RoundShape shape :
          List.of(PUBLISHED, new RoundShape(20, 3, 11), new RoundShape(3, 1, 7))) {
        digest.update(text(protocol.format(), shape, 1500).getBytes(StandardCharsets.ISO_8859_1));
      }
    }

    assertThat(HexFormat.of().formatHex(digest.digest()))
        .isEqualTo("37edf41c19d63d45402a0de316547cb1c999f80e7a3f5f3c2c49e065d2be6faf");
  }

  private static List<String> lines(RoundShape shape, long sleepMillis) {
    return text(Protocol.TELNET.format(), shape, sleepMillis).lines().toList();
  }

  private static String text(PointFormat format, RoundShape shape, long sleepMillis) {
    LoadPoints points = new LoadPoints(shape, sleepMillis);
    TextBuffer out = new TextBuffer();
    format.begin(out);
    for (int point = 0; point < points.count(); point++) {
      points.append(format, out, point, point, 3, TIMESTAMP);
    }
    format.end(out);
    return out.toString();
  }
}
