package io.tsdbsuite.message.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The build runs it with stream-rollup's Jackson and with the TSD's. */
@Tag("jackson")
class MetricScannerTest {
  private static final String POINT =
      "{'type':'Metric','metric':'sys.cpu','timestamp':1763510400,'value':42.5,"
          + "'tags':{'host':'web1','dc':'a'}}";

  private static final String[] NUMBERS = {
    "0",
    "-0",
    "7",
    "-128",
    "65536",
    "42.5",
    "-0.0",
    "0.001",
    "100.10",
    "1e5",
    "1E-7",
    "1.0E300",
    "-4.9e-324",
    "1e400",
    "-1e400",
    "1e-400",
    "01",
    "-01",
    "00",
    "1.",
    "-",
    ".5",
    "+5",
    "5e",
    "5e+",
    "1.5e",
    "0x10",
    "1f",
    "1 2",
    "NaN",
    "Infinity",
    "true",
    "null",
    "[1]",
    "{}",
    "'NaN'",
    "''",
    "' 1'",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "999999999999999999",
    "9999999999999999999",
    "9007199254740993.0",
    "900719925474099.3",
    "9007199254740.993",
    "0.1234567890123456789",
    "0.000000000000000001",
    "3.4028235677973366e38",
    "0." + "1".repeat(61),
    "0." + "1".repeat(62),
    "0." + "1".repeat(63),
    "1".repeat(1001)
  };

  private static final String[] TIMES = {
    "1763510400",
    "1763510400123",
    "1",
    "0",
    "-5",
    "4294967295",
    "4294967296",
    "4294967295999",
    "4294967296000",
    "9999999999999",
    "17635104001234",
    "01763510400",
    "1763510400.5",
    "1.7e9",
    "'1763510400'",
    "99999999999999999999",
    "null",
    "{}"
  };

  private static final String[] NAMES = {
    "m",
    "sys.cpu.user",
    "host",
    "hosts",
    "dc",
    "a",
    "b",
    "ab",
    "B",
    "",
    "k\u00f6ln",
    "\u20ac",
    "a/b",
    "\\u0041",
    "x\\'y",
    "\\q",
    "\u007f",
    "\u0001",
    "x".repeat(300),
    "1".repeat(1001)
  };

  private static final String[] OTHERS = {
    "'unknown':1",
    "'x':{'a':[1,{}]}",
    "'Type':'Metric'",
    "'valu':1",
    "'values':1",
    "'v':2",
    "'tsdOrigin':'x'",
    "'tsdOrigin':5",
    "'type':'Rollup'",
    "'type':null",
    "'tags':{'z':'z'}",
    "'requeueTS':0",
    "'id':'x'",
    "'metric':5",
    "'timestamp':[]",
    "'':1"
  };

  private static final byte[] BYTES =
      "{}[]\"\":,\\\\/ \t\n\r0123456789.eE+-tfnNaMm\0\u0001\u007f"
          .getBytes(StandardCharsets.US_ASCII);

  private static final MessageLimits NARROW =
      new MessageLimits(MessageLimits.MIN_BYTES, 2, MessageLimits.MIN_DEPTH, 1);

  private final Random random = Seed.random();
  private final MetricScanner scanner = new MetricScanner(MessageLimits.DEFAULT);
  private final MessageReader reader = new MessageReader();
  private final MetricScanner narrowScanner = new MetricScanner(NARROW);
  private final MessageReader narrowReader = new MessageReader(NARROW);

  private static byte[] utf8(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private String draw(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private String white() {
    return oneIn(16) ? draw(" ", "\n", "\r\n", "\t", "  ") : "";
  }

  private String number() {
    String number =
        switch (random.nextInt(8)) {
          case 0 -> draw(NUMBERS);
          case 1 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
          case 2 -> Long.toString(random.nextLong() >> random.nextInt(64));
          case 3 -> Double.toString(random.nextGaussian());
          default -> Double.toString(random.nextInt(10_000) / 100.0);
        };
    return oneIn(4) ? "'" + number + "'" : number;
  }

  private String name() {
    return oneIn(12) ? draw(NAMES) : Integer.toString(random.nextInt(300), 36);
  }

  private String tags() {
    StringBuilder tags = new StringBuilder("'tags'").append(white()).append(':').append(white());
    int count = oneIn(20) ? random.nextInt(20) : 1 + random.nextInt(4);
    String comma = "{";
    for (int i = 0; i < count; i++) {
      tags.append(comma).append(white()).append('\'').append(name()).append('\'').append(white());
      tags.append(':').append(white());
      tags.append(oneIn(80) ? draw("5", "null", "{}", "['a']", "1.5") : "'" + name() + "'");
      tags.append(white());
      comma = ",";
    }
    return tags.append(count == 0 ? "{}" : "}").toString();
  }

  private String point() {
    if (oneIn(200)) {
      return draw("5", "'x'", "[]", "null", "{}", "");
    }
    List<String> members =
        new ArrayList<>(
            List.of(
                "'type'" + white() + ":" + white() + "'Metric'",
                "'metric':'" + (oneIn(8) ? name() : "sys.cpu." + random.nextInt(100)) + "'",
                "'timestamp':" + white() + (oneIn(8) ? draw(TIMES) : 1_763_510_400),
                "'value':" + white() + number(),
                tags()));
    if (oneIn(6)) {
      members.add("'tsdOrigin':" + draw("'http'", "'telnet'"));
    }
    if (oneIn(20)) {
      members.add(draw(OTHERS));
    }
    if (oneIn(40)) {
      members.add(members.get(random.nextInt(members.size())));
    }
    if (oneIn(40)) {
      members.remove(random.nextInt(members.size()));
    }
    Collections.shuffle(members, random);
    StringBuilder point = new StringBuilder("{");
    String comma = "";
    for (String each : members) {
      point.append(comma).append(white()).append(each).append(white());
      comma = ",";
    }
    return point.append('}').toString();
  }

  private byte[] message() {
    if (!oneIn(4)) {
      return utf8(white() + point() + white());
    }
    StringBuilder array = new StringBuilder(white()).append('[');
    String comma = "";
    for (int i = random.nextInt(5); i >= 0; i--) {
      array.append(comma).append(white()).append(point()).append(white());
      comma = ",";
    }
    return utf8(array.append(']').append(white()).toString());
  }

  /** Replaces, removes, adds or repeats a few bytes. */
  private byte[] mutated(byte[] message) {
    if (message.length == 0) {
      return message;
    }
    int from = random.nextInt(message.length);
    int to = Math.min(message.length, from + (oneIn(3) ? random.nextInt(30) : random.nextInt(2)));
    ByteArrayOutputStream mutated = new ByteArrayOutputStream();
    mutated.write(message, 0, from);
    switch (random.nextInt(8)) {
      case 0 -> mutated.write(message, from, message.length - to);
      case 1 -> mutated.write(random.nextInt(256));
      case 2 -> mutated.write(message, from, to - from);
      default -> mutated.write(BYTES[random.nextInt(BYTES.length)]);
    }
    if (!oneIn(30)) {
      int rest = oneIn(2) ? from : to;
      mutated.write(message, rest, message.length - rest);
    }
    return mutated.toByteArray();
  }

  private static @Nullable PointNumber number(MetricElement element) {
    PointNumber number = new PointNumber();
    try {
      number.parse(element.value(), element.origin());
      return number;
    } catch (BadMessageException e) {
      return null;
    }
  }

  private static @Nullable PointNumber number(MetricScanner point) {
    PointNumber number = new PointNumber();
    try {
      point.value(number);
      return number;
    } catch (BadMessageException e) {
      return null;
    }
  }

  private static List<Object> fields(MetricElement point, @Nullable PointNumber number) {
    return Arrays.asList(
        point.from(),
        point.to(),
        point.index(),
        point.metric(),
        point.tags(),
        point.timestamp(),
        point.value(),
        point.origin(),
        number == null ? null : number.isFloat(),
        number == null ? null : number.valueLength(),
        number == null ? null : number.rawBits());
  }

  private static String name(MetricScanner point, int i) {
    int from = point.nameFrom(i);
    return new String(point.message(), from, point.nameTo(i) - from, StandardCharsets.ISO_8859_1);
  }

  /** Whether it has the names of a point, its tags in the order of their keys. */
  private static boolean hasNames(MetricScanner point, MetricElement expected) {
    boolean equal =
        point.names() == 1 + 2 * expected.tags().size() && name(point, 0).equals(expected.metric());
    for (int i = 1; equal && i < point.names(); i += 2) {
      String key = name(point, i);
      equal =
          name(point, i + 1).equals(expected.tags().get(key))
              && (i == 1 || name(point, i - 2).compareTo(key) < 0);
    }
    return equal;
  }

  /** Fails if the scanner takes a message and finds another content than the reader of any form. */
  private static boolean check(byte[] message, MetricScanner scanner, MessageReader reader)
      throws BadMessageException {
    if (!scanner.begin(message)) {
      return false;
    }
    List<Element> elements = reader.read(message);
    int i = 0;
    for (Element each : reader.readAny(message)) {
      MetricElement expected = (MetricElement) each;
      List<Object> fields = fields(expected, number(expected));
      if (!scanner.next()) {
        throw new AssertionError("a point is missing: " + fields);
      }
      MetricElement found = (MetricElement) elements.get(i++);
      if (!fields(found, number(scanner)).equals(fields)
          || scanner.timestamp() != expected.timestamp()
          || !hasNames(scanner, expected)) {
        throw new AssertionError(fields(found, number(scanner)) + " must be " + fields);
      }
    }
    if (scanner.next() || elements.size() != i) {
      throw new AssertionError("more than " + i + " points");
    }
    return true;
  }

  private boolean check(byte[] message) throws BadMessageException {
    return check(message, scanner, reader);
  }

  private boolean checkNarrow(byte[] message) throws BadMessageException {
    return check(message, narrowScanner, narrowReader);
  }

  /** Drawn messages, and what becomes of them by a few bytes; {@code make test-all} has more. */
  @Test
  void aMessageIsReadAsByTheReaderOfAnyFormOrNotAtAll() {
    int messages = Seed.times(1_000_000, 10_000_000);
    int taken = 0;
    int takenMutated = 0;
    byte[] drawn = {};
    for (int i = 0; i < messages; i++) {
      boolean isMutated = i % 8 > 0;
      drawn = isMutated ? drawn : message();
      byte[] message = drawn;
      for (int k = isMutated ? random.nextInt(3) : -1; k >= 0; k--) {
        message = mutated(message);
      }
      try {
        boolean isTaken = oneIn(8) ? checkNarrow(message) : check(message);
        taken += isTaken ? 1 : 0;
        takenMutated += isTaken && isMutated ? 1 : 0;
      } catch (AssertionError | BadMessageException | RuntimeException e) {
        throw new AssertionError(
            Seed.describe(i) + new String(message, StandardCharsets.ISO_8859_1), e);
      }
    }
    assertThat(taken - takenMutated)
        .as("of %s messages", messages / 8)
        .isGreaterThan(messages / 24);
    assertThat(takenMutated).isGreaterThan(messages / 50);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        POINT,
        "[" + POINT + "," + POINT + "]",
        "\n[ " + POINT + " , " + POINT + " ]\r\n",
        "{ 'tags' : {'b' : 'c', 'a' : ''} , 'value' : '-0.0', 'type' : 'Metric',"
            + " 'tsdOrigin' : 'http', 'timestamp' : 1763510400123, 'metric' : 'm' }",
      })
  void theCommonFormIsTaken(String message) throws BadMessageException {
    assertThat(check(utf8(message))).isTrue();
  }

  @Test
  void theBoundsAreThoseOfTheReader() throws BadMessageException {
    assertThat(checkNarrow(utf8("[" + POINT + "," + POINT + "]"))).isTrue();
    assertThat(checkNarrow(utf8("[" + POINT + "," + POINT + "," + POINT + "]"))).isFalse();
    String most = POINT + " ".repeat(MessageLimits.MIN_BYTES - POINT.length());
    assertThat(checkNarrow(utf8(most))).isTrue();
    assertThat(checkNarrow(utf8(most + " "))).isFalse();
    assertThat(check(utf8(POINT.replace("web1", "x".repeat(32_000))))).isTrue();
    assertThat(check(utf8(POINT.replace("web1", "x".repeat(32_767))))).isFalse();
    assertThat(scanner.begin(null)).isFalse();
    assertThat(scanner.next()).isFalse();
    assertThat(scanner.begin(new byte[0])).isFalse();
  }

  /** Of all lengths: those that are divided exactly, and longer ones. */
  @Test
  void numbersAreThoseOfJava() throws BadMessageException {
    for (int i = 0; i < 50_000; i++) {
      String digits = Long.toString(random.nextLong() >>> (1 + random.nextInt(63)));
      int point = random.nextInt(digits.length());
      String text =
          (oneIn(2) ? "-" : "")
              + (point == 0 ? "0" : digits.substring(0, point))
              + "."
              + digits.substring(point)
              + (oneIn(8) ? "e" + random.nextInt(30) : "");
      assertThat(check(utf8(POINT.replace("42.5", text)))).as(Seed.describe(i) + text).isTrue();
    }
  }
}
