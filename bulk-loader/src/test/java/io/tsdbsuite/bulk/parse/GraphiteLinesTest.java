package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.SkipKind;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GraphiteLinesTest {
  private static List<String> read(String line) throws IOException {
    return Recorder.read(Format.GRAPHITE, line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "servers.a.cpu 1 1356998400~servers.a.cpu{} 1356998400 1",
        "servers.a.cpu 0.5 1356998400.0~servers.a.cpu{} 1356998400 0.5f",
        "a.b\t-3\t1356998400.25~a.b{} 1356998400250 -3",
        "disk.used;dc=x;rack=a1 42 1356998400~disk.used{dc=x rack=a1} 1356998400 42",
        "a 1 1.3569984e9~a{} 1356998400 1",
        "a 18446744073709551616 1356998400~a{} 1356998400 1.8446744073709552E19f",
      })
  void points(String line, String point) throws IOException {
    assertThat(read(line)).containsExactly(point);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a 1",
        "a 1 1356998400 x",
        "put a 1356998400 1500000000",
        ";k=v 1 1356998400",
        "a; 1 1356998400",
        "a;k 1 1356998400",
        "a;k= 1 1356998400",
        "a;=v 1 1356998400",
        "a;k=v;;l=w 1 1356998400",
        "a;k!=v 1 1356998400",
        "a;k^l=v 1 1356998400",
        "a;k=~v 1 1356998400",
        "up{a=\"b\"} 1 1356998400",
      })
  void malformed(String line) throws IOException {
    assertThat(read(line)).containsExactly("MALFORMED_LINE 1 " + line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-1", "N", "0", "1356998400000", "1356998400.0001", "4294967296", "99999999"})
  void badTimes(String time) throws IOException {
    assertThat(read("a 1 " + time)).containsExactly("BAD_TIMESTAMP 1 a 1 " + time);
  }

  @Test
  void anEarlyTimeMayBeAValue() throws IOException {
    for (Format format : List.of(Format.GRAPHITE, Format.OPENMETRICS)) {
      StringBuilder details = new StringBuilder();
      String lines = "a 1356998400 42\na 1356998400 0.5\na 1356998400 1e3\n";
      TestText.read(format, ParseOptions.DEFAULT, lines, new DetailHandler(details));
      assertThat(details.toString().split("value and time exchanged", -1)).hasSize(4);
      assertThat(Recorder.read(format, "a 1 100000000")).containsExactly("a{} 100000000 1");
    }
  }

  @Test
  void valuesAndNames() throws IOException {
    assertThat(read("a None 1356998400")).containsExactly("BAD_VALUE 1 a None 1356998400");
    assertThat(
            Recorder.read(
                Format.GRAPHITE,
                ParseOptions.DEFAULT.withSkip(Set.of(SkipKind.NAN)),
                "a nan 1356998400"))
        .containsExactly("skipped nan");
    assertThat(read("a;k=v=w 1 1356998400")).containsExactly("ILLEGAL_NAME 1 a;k=v=w 1 1356998400");
  }
}
