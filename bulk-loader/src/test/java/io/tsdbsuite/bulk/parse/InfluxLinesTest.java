package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InfluxLinesTest {
  private static final String NS = " 1356998400000000000";

  private static List<String> read(String text) throws IOException {
    return Recorder.read(Format.INFLUX, text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '^',
      value = {
        "cpu,host=a user=1i~cpu.user{host=a} 1356998400 1",
        "cpu,host=a,b=c user=1~cpu.user{host=a b=c} 1356998400 1.0f",
        "cpu,host=a user=-1.5e3~cpu.user{host=a} 1356998400 -1500.0f",
        "cpu,host=a user=5u~cpu.user{host=a} 1356998400 5",
        "cpu,host=a user=9223372036854775807u~cpu.user{host=a} 1356998400 9223372036854775807",
        "cpu,host=a user=-9223372036854775808i~cpu.user{host=a} 1356998400 -9223372036854775808",
        "cpu,host=a   user=1i  ~cpu.user{host=a} 1356998400 1",
        "cpu value=1i~cpu{} 1356998400 1",
        "cpu values=1i~cpu.values{} 1356998400 1",
        "c\\,pu,h\\,o=a\\,b us\\,er=1i~c,pu.us,er{h,o=a,b} 1356998400 1",
        "cp\\u,host=\\a user=1i~cp\\u.user{host=\\a} 1356998400 1",
        "cpu,host=\"a\" user=1i~cpu.user{host=\"a\"} 1356998400 1",
        "cpu,host=\u00e9 user=1i~cpu.user{host=\u00e9} 1356998400 1",
      })
  void points(String line, String point) throws IOException {
    assertThat(read(line + NS)).containsExactly(point);
  }

  @Test
  void fieldsArePoints() throws IOException {
    assertThat(read("cpu,host=a user=1i,value=2i,sys=3" + NS))
        .containsExactly(
            "cpu.user{host=a} 1356998400 1",
            "cpu{host=a} 1356998400 2",
            "cpu.sys{host=a} 1356998400 3.0f");
  }

  @Test
  void fieldsThatCannotBeStoredAreRejectedAlone() throws IOException {
    String line =
        "cpu,host=a a=\"x, y=1 \\\" z\",b=t,c=1i,d=false,e=1.5i,f=-1u,g=9223372036854775808u,h=,"
            + "i=NaN,j=2"
            + NS;
    String rejected = "BAD_VALUE 1 " + line;
    assertThat(read(line))
        .containsExactly(
            rejected,
            rejected,
            "cpu.c{host=a} 1356998400 1",
            rejected,
            rejected,
            rejected,
            rejected,
            rejected,
            rejected,
            "cpu.j{host=a} 1356998400 2.0f");
  }

  @Test
  void namesThatCannotBeToldApartAreRejected() throws IOException {
    String line = "cpu,host=a a\\ b=1i,c=2i,d\\=e=3i" + NS;
    assertThat(read(line))
        .containsExactly(
            "ILLEGAL_NAME 1 " + line, "cpu.c{host=a} 1356998400 2", "ILLEGAL_NAME 1 " + line);
    line = "cpu,ho\\ st=a a=1i,c=2i" + NS;
    assertThat(read(line)).containsExactly("ILLEGAL_NAME 1 " + line, "ILLEGAL_NAME 1 " + line);
    line = "c\\ pu,host=a a=1i" + NS;
    assertThat(read(line)).containsExactly("ILLEGAL_NAME 1 " + line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cpu",
        "cpu,host=a",
        "cpu,host",
        "cpu,host a=1",
        ",host=a a=1",
        "cpu,host=a ,",
        "cpu,host=a b",
        "cpu,host=a =1",
        "cpu,=a",
        "win,disk=C:\\,host=t1 a=1",
        "win,host=a=b a=1",
        "win,host==b a=1",
      })
  void malformed(String line) throws IOException {
    assertThat(read(line + NS)).containsExactly("MALFORMED_LINE 1 " + line + NS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu,Disk=C:\\,host=t1 a=1i", "cpu,host=a=b a=1i", "cpu,host== a=1i"})
  void anUnescapedEqualsSignInATagValueIsMalformedWhateverNamesMayHave(String line)
      throws IOException {
    for (boolean anyName : new boolean[] {false, true}) {
      assertThat(Recorder.read(Format.INFLUX, ParseOptions.DEFAULT.withAnyName(anyName), line + NS))
          .containsExactly("MALFORMED_LINE 1 " + line + NS);
    }
  }

  @Test
  void whatIsBehindAMalformedFieldIsLost() throws IOException {
    assertThat(read("cpu,host=a a=1i,b,c=2i" + NS))
        .containsExactly(
            "cpu.a{host=a} 1356998400 1", "MALFORMED_LINE 1 cpu,host=a a=1i,b,c=2i" + NS);
    assertThat(read("cpu,host=a a=1i," + NS))
        .containsExactly("cpu.a{host=a} 1356998400 1", "MALFORMED_LINE 1 cpu,host=a a=1i," + NS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "-1",
        "x",
        "1.5",
        "1356998400",
        "1356998400000",
        "1356998400000000001",
        "1356998400000000000 1",
        "4294967296000000000",
        "99999999999999999999",
        "1356998400000000000x",
      })
  void badTimes(String time) throws IOException {
    String line = ("cpu,host=a a=1i,b=2i " + time).trim();
    assertThat(read(line)).containsExactly("BAD_TIMESTAMP 1 " + line);
  }

  @ParameterizedTest
  @CsvSource({
    "NS, false, 1356998400001000000, 1356998400001",
    "NS, true, 1356998400001999999, 1356998400001",
    "NS, true, 1356998400000999999, 1356998400",
    "US, false, 1356998400001000, 1356998400001",
    "US, true, 1356998400001999, 1356998400001",
    "MS, false, 1356998400001, 1356998400001",
    "MS, false, 1356998400000, 1356998400",
    "S, false, 1356998400, 1356998400",
    "S, true, 1, 1",
  })
  void precisions(TimePrecision precision, boolean truncate, String time, String timestamp)
      throws IOException {
    ParseOptions options =
        new ParseOptions(
            precision, truncate ? TimeRounding.MS : TimeRounding.REFUSE, Set.of(), false);
    assertThat(Recorder.read(Format.INFLUX, options, "m,a=b v=1i " + time))
        .containsExactly("m.v{a=b} " + timestamp + " 1");
  }

  @ParameterizedTest
  @CsvSource({"S, 1356998400000", "MS, 1356998400", "US, 1356998400000", "NS, 1356998400000000"})
  void theWrongPrecisionDoesNotPass(TimePrecision precision, String time) throws IOException {
    ParseOptions options = new ParseOptions(precision, TimeRounding.MS, Set.of(), false);
    String line = "m,a=b value=1i " + time;
    assertThat(Recorder.read(Format.INFLUX, options, line))
        .containsExactly("BAD_TIMESTAMP 1 " + line);
  }
}
