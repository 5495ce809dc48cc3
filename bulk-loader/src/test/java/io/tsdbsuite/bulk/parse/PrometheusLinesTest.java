package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusLinesTest {
  private static final String MS = " 1356998400123";

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '^',
      value = {
        "up{job=\"a\"} 1~up{job=a} 1356998400123 1",
        "up{job=\"a\",b=\"c\"} 1.5~up{job=a b=c} 1356998400123 1.5f",
        "up { job = \"a\" , b=\"c\" , }   1~up{job=a b=c} 1356998400123 1",
        "up{}\t1~up{} 1356998400123 1",
        "up 1~up{} 1356998400123 1",
        "a:b_c9{le=\"+Inf\"} 1e+06~a:b_c9{le=+Inf} 1356998400123 1000000.0f",
        "up{a=\"x}\\\"\\\\,{\"} 1~up{a=x}\"\\,{} 1356998400123 1",
        "up{a=\"\\x\"} 1~up{a=\\x} 1356998400123 1",
        "up{a=\"\",b=\"c\"} 1~up{b=c} 1356998400123 1",
        "up{a=\"b\"} 9223372036854775808~up{a=b} 1356998400123 9.223372036854776E18f",
        "up{a=\"b\"} -5~up{a=b} 1356998400123 -5",
        "{__name__=\"up\",a=\"b\"} 1~up{a=b} 1356998400123 1",
        "{a=\"b\",__name__=\"up\"} 1~up{a=b} 1356998400123 1",
        "{\"up.x\"} 1~up.x{} 1356998400123 1",
        "{\"up.x\", \"a.b\"=\"c\",d=\"e\"} 1~up.x{a.b=c d=e} 1356998400123 1",
        "{__name__=\"up.x\",\"a\\\"b\" = \"c\"} 1~up.x{a\"b=c} 1356998400123 1",
      })
  void points(String sample, String point) throws IOException {
    assertThat(Recorder.read(Format.PROMETHEUS, sample + MS)).containsExactly(point);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9up 1",
        "up{ 1",
        "up{a} 1",
        "up{a=b} 1",
        "up{a=\"b} 1",
        "up{a=\"b\" c=\"d\"} 1",
        "{a=\"b\"} 1",
        "{\"up\",\"x\"} 1",
        "{\"up 1",
        "up{\"x\"} 1",
        "{\"\"} 1",
        "u-p 1",
        "up{1a=\"b\"} 1",
        "up{a:b=\"c\"} 1",
        "up{,} 1",
        "up 1 2",
      })
  void malformed(String sample) throws IOException {
    assertThat(Recorder.read(Format.PROMETHEUS, sample + MS))
        .containsExactly("MALFORMED_LINE 1 " + sample + MS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "+Inf", "-Inf", "Inf", "0x1p3", "1_0", "x"})
  void badValues(String value) throws IOException {
    String line = "up{a=\"b\"} " + value + MS;
    assertThat(Recorder.read(Format.PROMETHEUS, line)).containsExactly("BAD_VALUE 1 " + line);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "1356998400", "1356998400.123", "4294967296000", "x"})
  void badTimes(String time) throws IOException {
    String line = ("up{a=\"b\"} 1 " + time).trim();
    assertThat(Recorder.read(Format.PROMETHEUS, line)).containsExactly("BAD_TIMESTAMP 1 " + line);
  }

  @Test
  void commentsAndWholeSeconds() throws IOException {
    String text = "# HELP up x\n# TYPE up gauge\n\nup{a=\"b\"} 1 1356998400000\n# EOF\n";
    assertThat(Recorder.read(Format.PROMETHEUS, text))
        .containsExactly("", "", "", "up{a=b} 1356998400 1", "");
  }

  @Test
  void lineBreaksInLabelsArePartOfTheName() throws IOException {
    assertThat(Recorder.read(Format.PROMETHEUS, "up{a=\"x\\ny\"} 1" + MS))
        .containsExactly("up{a=x\ny} 1356998400123 1");
  }

  @Test
  void aColonInTheNameOfALabelIsMalformedWhateverNamesMayHave() throws IOException {
    String line = "up{a:b=\"x\"} 1" + MS;
    assertThat(Recorder.read(Format.PROMETHEUS, ParseOptions.DEFAULT.withAnyName(true), line))
        .containsExactly("MALFORMED_LINE 1 " + line);
  }

  @Test
  void blanksInLabelsCannotBeToldApart() throws IOException {
    String line = "up{a=\"x y\"} 1" + MS;
    assertThat(Recorder.read(Format.PROMETHEUS, line)).containsExactly("ILLEGAL_NAME 1 " + line);
  }

  @ParameterizedTest
  @CsvSource({
    "1356998400, 1356998400",
    "1356998400.0, 1356998400",
    "1356998400., 1356998400",
    "1356998400.5, 1356998400500",
    "1356998400.12, 1356998400120",
    "1356998400.123, 1356998400123",
    "1356998400.123000, 1356998400123",
    "100000000, 100000000",
    "1.3569984e+09, 1356998400",
    "1.3569984005e9, 1356998400500",
    "13569984001E-1, 1356998400100",
    "1.6e9, 1600000000",
    "1.6e+09, 1600000000",
    "1.600000000123e+09, 1600000000123",
    "1.6000000005E9, 1600000000500",
    "16e8, 1600000000",
    ".16e10, 1600000000",
    "0016.e8, 1600000000",
    "1600000000123e-3, 1600000000123",
    "+1.6e9, 1600000000",
  })
  void openMetricsTimesAreSeconds(String time, String timestamp) throws IOException {
    String text = "up{a=\"b\"} 1 " + time + " # {trace=\"x\"} 0.5\n# EOF\n";
    assertThat(Recorder.read(Format.OPENMETRICS, text))
        .containsExactly("up{a=b} " + timestamp + " 1", "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1356998400123",
        "1356998400.1234",
        "1356998400.x",
        "1.5",
        ".5",
        "-1",
        "99999999.9",
        "9.99999999e7",
        "4.3e9",
        "1.3569984001234e9",
        "1e999999999",
        "1e",
        "-1.3e9",
        "1.6000000001234e+09",
        "1.6e10",
        "1.6e",
        "1.6e+",
        "e9",
        ".e9",
        "1.6e9x",
        "1.6.0e9",
        "-1.6e9",
        "1e999999999999",
        "0e999999999999",
        "1e-999999999999",
      })
  void badOpenMetricsTimes(String time) throws IOException {
    String line = ("up{a=\"b\"} 1 " + time).trim();
    assertThat(Recorder.read(Format.OPENMETRICS, line)).containsExactly("BAD_TIMESTAMP 1 " + line);
  }
}
