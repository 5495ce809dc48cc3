package io.tsdbsuite.bulk.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.FormatDetector;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.Recorder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportLineTest {
  private static String line(String metric, String tags) {
    byte[] b = (metric + tags).getBytes(StandardCharsets.UTF_8);
    int end = b.length - tags.length();
    byte[] line = ImportLine.of(b, 0, end, end, tags.length(), 1_356_998_400, "1500000000");
    return new String(line, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"a.b.c, ''", "m, h=a", "put, ''", "#m, h=a"})
  void isDetectedAndReadAgain(String metric, String tags) throws IOException {
    String line = line(metric, tags);
    assertThat(
            new FormatDetector(ParseOptions.DEFAULT)
                .detect("rejected.txt", line.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(Format.OPENTSDB);
    assertThat(Recorder.read(Format.OPENTSDB, line))
        .containsExactly(metric + "{" + tags + "} 1356998400 1500000000");
  }

  @Test
  void graphiteRefusesIt() throws IOException {
    List<String> read = Recorder.read(Format.GRAPHITE, line("a.b.c", ""));
    assertThat(read).hasSize(1);
    assertThat(read.get(0)).startsWith("MALFORMED_LINE");
  }
}
