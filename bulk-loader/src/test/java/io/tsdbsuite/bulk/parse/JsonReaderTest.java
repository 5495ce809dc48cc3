package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
  private static final String A =
      "{'metric':'m','timestamp':1356998400,'value':1,'tags':{'host':'a'}}".replace('\'', '"');
  private static final String B = A.replace("\"m\"", "\"n\"");
  private static final String POINT_A = "m{host=a} 1356998400 1";
  private static final String POINT_B = "n{host=a} 1356998400 1";

  private static List<String> read(String text) throws IOException {
    return Recorder.read(Format.JSON, text);
  }

  private static String object(String members) {
    return ("{'metric':'m','tags':{'host':'a'}," + members + "}").replace('\'', '"');
  }

  @Test
  void shapes() throws IOException {
    List<String> both = List.of(POINT_A, POINT_B);
    assertThat(read(A)).containsExactly(POINT_A);
    assertThat(read(A + B)).isEqualTo(both);
    assertThat(read(A + "\n" + B + "\n")).isEqualTo(both);
    assertThat(read("\r\n" + A + "\r\n\r\n" + B)).isEqualTo(both);
    assertThat(read("[" + A + "," + B + "]")).isEqualTo(both);
    assertThat(read(" [\n" + A + " ,\n" + B + " ]\n")).isEqualTo(both);
    assertThat(read("[" + A + "]\n[" + B + "]")).isEqualTo(both);
    assertThat(read("[" + A + "]" + B)).isEqualTo(both);
    assertThat(read("[]\n[ ]" + A)).containsExactly(POINT_A);
    assertThat(read(A.replace(",", ",\n").replace("{", "{\n") + B)).isEqualTo(both);
    assertThat(read(A.replace(":", "\n:\n") + "\n" + B)).isEqualTo(both);
    assertThat(read(A.replace(":{", ":\n{") + "\n" + B)).isEqualTo(both);
    assertThat(read("")).isEmpty();
    assertThat(read(" \n ")).isEmpty();
  }

  /** The Jackson of the loader has limits that the Jackson of a TSD does not have. */
  @Test
  void aLongNumberAndADeepValueAreGood() throws IOException {
    String digits = "1".repeat(1001);
    String deep = "[".repeat(1001) + "]".repeat(1001);
    String text =
        String.join(
            ",",
            A,
            object("'timestamp':1356998400,'value':0." + digits),
            object("'timestamp':1356998400,'value':42,'x':" + deep + ",'y':" + digits),
            B);
    for (String all : List.of("[" + text + "]", text.replace("},{", "}\n{"))) {
      assertThat(read(all))
          .containsExactly(
              POINT_A,
              "m{host=a} 1356998400 0.1111111111111111f",
              "m{host=a} 1356998400 42",
              POINT_B);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "42|42",
        "'42'|42",
        "9223372036854775807|9223372036854775807",
        "-9223372036854775808|-9223372036854775808",
        "1.0|1.0f",
        "1e3|1000.0f",
        "'1e3'|1000.0f",
        "1.7976931348623157E308|1.7976931348623157E308f",
      })
  void values(String value, String expected) throws IOException {
    assertThat(read(object("'timestamp':1356998400,'value':" + value)))
        .containsExactly("m{host=a} 1356998400 " + expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'NaN'",
        "NaN",
        "Infinity",
        "-Infinity",
        "'x'",
        "''",
        "true",
        "null",
        "9223372036854775808",
        "1e999",
        "[1]",
        "{'a':1}",
        "'0x1'",
        "' 1'",
      })
  void badValues(String value) throws IOException {
    String object = object("'timestamp':1356998400,'value':" + value);
    assertThat(read(object + B)).containsExactly("BAD_VALUE 1 " + object, POINT_B);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "'1356998400123'|1356998400123",
        "'1356998400'|1356998400",
        "1356998400|1356998400",
        "1356998400.9|1356998400",
        "1356998400123.9|1356998400123",
        "1.3569984e9|1356998400",
      })
  void times(String time, String expected) throws IOException {
    assertThat(read(object("'value':1,'timestamp':" + time)))
        .containsExactly("m{host=a} " + expected + " 1");
  }

  @Test
  void whatIsNoNumberInAnArrayRejectsItsPointAlone() throws IOException {
    String nan = object("'timestamp':1356998400,'value':NaN");
    assertThat(read("[" + A + "," + nan + "," + B + "]"))
        .containsExactly(POINT_A, "BAD_VALUE 1 " + nan, POINT_B);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "0.5",
        "-1.5",
        "1e300",
        "NaN",
        "'1356998400.500'",
        "''",
        "null",
        "true",
        "[]"
      })
  void badTimes(String time) throws IOException {
    String object = object("'value':1,'timestamp':" + time);
    assertThat(read(object)).containsExactly("BAD_TIMESTAMP 1 " + object);
  }

  @Test
  void missingMembers() throws IOException {
    String noMetric = "{\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\"}}";
    String noTime = "{\"metric\":\"m\",\"value\":1,\"tags\":{\"a\":\"b\"}}";
    String noValue = "{\"metric\":\"m\",\"timestamp\":1,\"tags\":{\"a\":\"b\"}}";
    String noTags = "{\"metric\":\"m\",\"timestamp\":1,\"value\":1}";
    assertThat(read("[" + noMetric + "\n," + noTime + "," + noValue + "," + noTags + ",{}]"))
        .containsExactly(
            "MALFORMED_LINE 1 " + noMetric,
            "BAD_TIMESTAMP 2 " + noTime,
            "BAD_VALUE 2 " + noValue,
            "m{} 1 1",
            "MALFORMED_LINE 2 {}");
  }

  @Test
  void namesAreUnescapedAndUnknownMembersIgnored() throws IOException {
    String object =
        "{'x':[{'y':1}],'tags':{'h\\u00f6st':'\\u00e9','n':5,'b':true},'value':1,'timestamp':1,"
            + "'metric':'a\\/b','z':{'metric':'c'}}";
    assertThat(read(object.replace('\'', '"')))
        .containsExactly("a/b{h\u00f6st=\u00e9 n=5 b=true} 1 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'tags':[]", "'tags':'a=b'", "'tags':{'a':null}", "'tags':{'a':{}}"})
  void badTags(String tags) throws IOException {
    String object =
        "{'metric':'m','timestamp':1,'value':1,TAGS}".replace("TAGS", tags).replace('\'', '"');
    assertThat(read("[" + object + "," + B + "]")).containsExactly("BAD_TAGS 1 " + object, POINT_B);
  }

  @Test
  void namesThatCannotBeToldApartAreRejected() throws IOException {
    String object = A.replace("\"a\"", "\"a b\"");
    assertThat(read(object + "\n" + A)).containsExactly("ILLEGAL_NAME 1 " + object, POINT_A);
  }

  @Test
  void elementsThatAreNoObjects() throws IOException {
    assertThat(read("[1, \"a,]\", null, [" + A + "], " + A + "]"))
        .containsExactly(
            "MALFORMED_LINE 1 1",
            "MALFORMED_LINE 1 \"a,]\"",
            "MALFORMED_LINE 1 null",
            "MALFORMED_LINE 1 [" + A + "]",
            POINT_A);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello",
        "{",
        "{\"metric\":\"m\"",
        "{\"metric\":\"m}",
        "{\"metric\":m}",
        "{\"metric\"}",
        "}",
        "{]",
        "{\"a\":1,}",
        "\"x\"",
        "{\"metric\":\"\\x\"}",
        ",",
        "{\"metric\":\"a\"]}",
      })
  void aBrokenLineIsRejectedAndTheNextRead(String broken) throws IOException {
    String rejected = "MALFORMED_LINE 2 " + broken;
    assertThat(read(A + "\n" + broken + "\n" + B + "\n"))
        .containsExactly(POINT_A, rejected, POINT_B);
    assertThat(read(A + "\r\n" + broken + "\r\n\r\n" + B))
        .containsExactly(POINT_A, rejected, POINT_B);
    assertThat(read(A + "\n" + broken)).containsExactly(POINT_A, rejected);
    assertThat(read(A + "\n" + broken + "\n \n")).containsExactly(POINT_A, rejected);
  }

  @Test
  void aLineTornAnywhereIsRejectedAlone() throws IOException {
    for (int length = 1; length < A.length(); length++) {
      String torn = A.substring(0, length);
      assertThat(read(A + "\n" + torn + "\n" + B + "\n" + A))
          .containsExactly(POINT_A, "MALFORMED_LINE 2 " + torn, POINT_B, POINT_A);
    }
  }

  @Test
  void theRestOfABrokenLineIsRejectedWithIt() throws IOException {
    assertThat(read(A + "{\"metric\":m}" + A + "\n" + B))
        .containsExactly(POINT_A, "MALFORMED_LINE 1 {\"metric\":m}" + A, POINT_B);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "[A,{'metric':m}]|1|82",
        "[A,\\n  {'metric':'m'|2|16",
        "[A,{'metric':'m\\n'}]|1|82",
        "[A A]|1|70",
        "[A,]|1|70",
        "[A|1|69",
        "[A,@]|1|70",
        "{\\n'metric':m}|2|12",
        "{\\n'metric':'m'|2|13",
        "{\\n'metric':\\n'm\\n'}|3|3",
      })
  void elsewhereTheTextMustNotBeBroken(String text, int line, int column) {
    String json = text.replace("\\n", "\n").replace("A", A).replace('\'', '"');
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(BrokenTextException.class)
        // Jackson from 2.16 on names the beginning of a wrong token, before that its end.
        .hasMessageMatching("line " + line + ", column (" + (column - 2) + "|" + column + "): .*");
  }

  @Test
  void commentsOutsideOfArraysAreSkipped() throws IOException {
    assertThat(read("# one\n" + A + "\n# {\n\n  # [\n" + B + "\n# end"))
        .containsExactly("", POINT_A, "", "", POINT_B, "");
    assertThat(read("# one\n{\"metric\":\"m\n# two\n" + B))
        .containsExactly("", "MALFORMED_LINE 2 {\"metric\":\"m", "", POINT_B);
    assertThat(read("#\n{\"metric\":\"m\"\n# two\n" + B))
        .containsExactly("", "MALFORMED_LINE 2 {\"metric\":\"m\"", "", POINT_B);
    String spoiled = A.replaceFirst("\\{", "#");
    assertThat(read(spoiled + "\n" + B)).containsExactly("MALFORMED_LINE 1 " + spoiled, POINT_B);
  }

  @ParameterizedTest
  @ValueSource(ints = {JsonText.MAX_KEPT + 1, 3 * JsonText.MAX_KEPT})
  void anObjectOverOneMegabyteIsRejected(int length) throws IOException {
    String padding = "\"x\":\"" + "y".repeat(length - A.length() - 7) + "\"";
    String large = A.substring(0, A.length() - 1) + "," + padding + "}";
    assertThat(read("[" + A + "," + large + "," + B + "]"))
        .hasSize(3)
        .startsWith(POINT_A)
        .endsWith(POINT_B)
        .anyMatch(event -> event.startsWith("MALFORMED_LINE 1 {"));
    assertThat(read(A + "\n" + large + "\n" + B)).hasSize(3).endsWith(POINT_B);
    assertThat(read("[" + large + " ".repeat(200_000) + "," + B + "]"))
        .hasSize(2)
        .endsWith(POINT_B);
  }

  @Test
  void anObjectOfOneMegabyteIsRead() throws IOException {
    String padding = "\"x\":\"" + "y".repeat(JsonText.MAX_KEPT - A.length() - 7) + "\"";
    String fits = A.substring(0, A.length() - 1) + "," + padding + "}";
    assertThat(fits).hasSize(JsonText.MAX_KEPT);
    assertThat(read("[" + fits + "]")).containsExactly(POINT_A);
  }
}
