package io.tsdbsuite.bench.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class AnswerTest {
  private static final String RIGHT = "[60,1],[120,0.1],[180,\"NaN\"]";

  @Test
  void sumsMayDifferInTheLastBits() throws IOException {
    assertThat(difference("[60,1.0],[120,0.10000000000000002],[180,\"NaN\"]")).isEmpty();
  }

  @Test
  void tellsWhatIsDifferent() throws IOException {
    assertThat(difference("[60,1],[180,\"NaN\"],[240,5]")).isEqualTo("1 missing, 1 too many");
    assertThat(difference("[60,1],[120,0.1001],[180,3]")).isEqualTo("2 wrong");
  }

  @Test
  void ofTwoValuesTheLastCounts() throws IOException {
    assertThat(difference("[60,7],[120,0.1],[180,\"NaN\"],[60,1]")).isEqualTo("1 twice");
    assertThat(difference("[60,1],[120,0.1],[180,\"NaN\"],[60,7]")).isEqualTo("1 wrong");
  }

  @Test
  void seriesAreToldApart() throws IOException {
    Answer a = parse("[{\"tags\":{\"host\":\"a\"},\"dps\":[[60,1]]}]");
    assertThat(
            a.differenceFrom(
                parse("[{\"tags\":{\"host\":\"b\"},\"dps\":[[60,1]]}]"), Answer.TOLERANCE))
        .isEqualTo("1 missing, 1 too many");
  }

  private static String difference(String points) throws IOException {
    return series(points).differenceFrom(series(RIGHT), Answer.TOLERANCE);
  }

  private static Answer series(String points) throws IOException {
    return parse("[{\"tags\":{},\"dps\":[" + points + "]}]");
  }

  private static Answer parse(String json) throws IOException {
    return Answer.parse(json.getBytes(UTF_8));
  }
}
