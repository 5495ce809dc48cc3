package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Drawn and spoiled JSON: the fast ways give all that reading by bytes and by Jackson gives. */
class JsonFastPathTest {
  private static final List<ParseOptions> OPTIONS =
      List.of(
          ParseOptions.DEFAULT,
          ParseOptions.DEFAULT.withAnyName(true),
          ParseOptions.DEFAULT.withSkip(Set.of(SkipKind.values())));

  private static final String[] NUMBERS = {
    "0",
    "-0",
    "1",
    "-1",
    "01",
    "-01",
    "1.",
    ".5",
    "+1",
    "-",
    "1e5",
    "1E+5",
    "1e-7",
    "1e",
    "1e+",
    "0.0",
    "-0.0",
    "0e0",
    "00",
    "12345678",
    "123456789",
    "1234567.8",
    "0.1234567890123456789",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "1e308",
    "1e999",
    "NaN",
    "Infinity",
    "-Infinity",
    "true",
    "null",
    "0x1",
    "1 2",
    "",
    "1\t",
    "[1]",
    "{\"value\":1}",
    "1}",
    "4294967295",
    "4294967296",
    "4294967295999",
    "4294967296000"
  };

  private static final String[] NAMES = {
    "a", "", "host", "web-01.dc/x_y", "a b", "a=b", "a\\tb", "a\tb", "\\u0041", "\\u00e9",
        "\\ud83d",
    "\u00e9", "\u20ac", "\ud83d\ude00", "\\\"", "\\\\", "\\/", "\\x", "a\u007f", "a\u0001", "'",
        "{",
    "]", "12345678", "1234567\"", "timestamp", "exactly8", "exactly8exactly16", "\\"
  };

  private static final String NASTY = "\"\\{}[],:= \t\r\n#.-+eE09\u0000\u007f\u00ff";

  private final Random random = new Random(Seed.VALUE);

  @Test
  void equalsTheSlowWays() {
    for (int round = 0; round < Seed.times(20_000, 200_000); round++) {
      byte[] text = text();
      ParseOptions options = OPTIONS.get(random.nextInt(OPTIONS.size()));
      long skipped = random.nextInt(4) == 0 ? random.nextInt(5) : 0;
      Position from = new Position(0, skipped, skipped);
      String slow = read(new JsonReader(options, false), text, from);
      String as = new String(text, StandardCharsets.UTF_8);
      assertThat(read(new JsonReader(options, true), text, from))
          .as("%s: %s", Seed.describe(), as)
          .isEqualTo(slow);
      if (skipped == 0) {
        assertThat(blocks(options, text))
            .as("%s: %s", Seed.describe(), as)
            .isEqualTo(withoutPositions(slow));
      }
    }
  }

  private byte[] text() {
    StringBuilder text = new StringBuilder();
    if (random.nextInt(20) == 0) {
      // The first elements lie across the end of the first chunk that is read.
      text.append(" ".repeat((1 << 16) - random.nextInt(500)));
    }
    for (int i = random.nextInt(3); i >= 0; i--) {
      int elements = 1 + random.nextInt(5);
      if (random.nextInt(3) == 0) {
        text.append('[');
        for (int e = 0; e < elements; e++) {
          text.append(e == 0 ? "" : ",").append(white()).append(element()).append(white());
        }
        text.append(']').append(white());
      } else {
        for (int e = 0; e < elements; e++) {
          text.append(element()).append(random.nextInt(6) == 0 ? white() : "\n");
        }
      }
      text.append(random.nextInt(10) == 0 ? "# comment {\n" : "");
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    int behind = Math.max(0, bytes.length - 1000);
    for (int i = random.nextInt(6) - 3; i > 0; i--) {
      int at = behind + random.nextInt(bytes.length - behind);
      bytes[at] =
          random.nextBoolean()
              ? (byte) NASTY.charAt(random.nextInt(NASTY.length()))
              : bytes[behind + random.nextInt(bytes.length - behind)];
    }
    return random.nextInt(10) == 0
        ? Arrays.copyOf(bytes, behind + random.nextInt(bytes.length - behind))
        : bytes;
  }

  private String element() {
    if (random.nextInt(30) == 0) {
      return one("1", "null", "\"{\"", "[{}]", "{}", "x");
    }
    List<String> members = new ArrayList<>();
    members.add("\"metric\":" + string());
    members.add("\"timestamp\":" + number(one("1356998400", "1356998400123")));
    members.add("\"value\":" + number(one("1", "-12.5", "42", "" + random.nextGaussian())));
    members.add("\"tags\":" + tags());
    if (random.nextInt(20) == 0) {
      members.add(members.get(random.nextInt(4)));
    }
    if (random.nextInt(20) == 0) {
      members.remove(random.nextInt(4));
    }
    if (random.nextInt(20) == 0) {
      members.add(string() + ":" + one("1", "{\"a\":[1,{}]}", "\"}\"", "[\"]\"]"));
    }
    if (random.nextBoolean()) {
      Collections.shuffle(members, random);
    }
    StringBuilder object = new StringBuilder("{");
    for (String member : members) {
      object.append(object.length() == 1 ? "" : ",").append(white());
      object.append(random.nextInt(10) == 0 ? member.replaceFirst(":", " : ") : member);
      object.append(white());
    }
    return object.append('}').toString();
  }

  private String tags() {
    if (random.nextInt(20) == 0) {
      return one("{}", "{ }", "null", "[]", "{\"a\":1}", "{\"a\":null}", "{\"a\":\"b\",}", "\"\"");
    }
    StringBuilder tags = new StringBuilder("{");
    for (int i = random.nextInt(4); i >= 0; i--) {
      tags.append(white()).append(string()).append(white()).append(':').append(white());
      tags.append(string()).append(white()).append(i == 0 ? "" : ",");
    }
    return tags.append('}').toString();
  }

  private String string() {
    if (random.nextInt(500) == 0) {
      // The object ends near the 4 KiB that are read without a look for its end before.
      return "\"" + "n".repeat(3_800 + random.nextInt(300)) + "\"";
    }
    String name = NAMES[random.nextInt(random.nextInt(10) == 0 ? NAMES.length : 4)];
    return "\"" + name + "\"";
  }

  private String number(String usual) {
    String number = random.nextInt(10) == 0 ? NUMBERS[random.nextInt(NUMBERS.length)] : usual;
    return random.nextInt(5) == 0 ? "\"" + number + "\"" : number;
  }

  private String white() {
    return random.nextInt(8) > 0 ? "" : one(" ", "  ", "\t", "\r", "\r\n", "\n", " \n ");
  }

  private String one(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  private static String read(JsonReader reader, byte[] text, Position from) {
    Details details = new Details();
    try {
      reader.read(new ByteArrayInputStream(text), from, Long.MAX_VALUE, details);
    } catch (IOException e) {
      details.add("! " + e);
    }
    return details.all.toString();
  }

  private static String blocks(ParseOptions options, byte[] text) {
    Details details = new Details();
    TextBlock block = new TextBlock();
    JsonBlockParser parser = new JsonBlockParser(options);
    try {
      JsonBlocks blocks = new JsonBlocks(new ByteArrayInputStream(text));
      while (blocks.next(block)) {
        parser.parse(block, 0, details);
      }
    } catch (IOException e) {
      details.add("! " + e);
    }
    return details.all.toString();
  }

  private static String withoutPositions(String all) {
    return all.replaceAll("(?m)^@.*\n", "");
  }

  /** Writes down everything. */
  private static final class Details extends IgnoringHandler {
    private final StringBuilder all = new StringBuilder();

    void add(String line) {
      all.append(line).append('\n');
    }

    private static String name(SeriesText series) {
      return series.line
          + " "
          + new String(series.bytes, series.metricOff, series.metricLen, StandardCharsets.UTF_8)
          + "{"
          + new String(series.bytes, series.tagsOff, series.tagsLen, StandardCharsets.UTF_8)
          + "} ";
    }

    @Override
    public void integer(SeriesText series, long timestamp, long value) {
      add(name(series) + timestamp + " " + value);
    }

    @Override
    public void floating(SeriesText series, long timestamp, double value) {
      add(name(series) + timestamp + " " + Double.doubleToRawLongBits(value) + "f");
    }

    @Override
    public void rejected(
        RejectReason reason, long line, String detail, byte[] text, int off, int len) {
      add(
          reason
              + " "
              + line
              + " "
              + detail
              + " "
              + new String(text, off, len, StandardCharsets.UTF_8));
    }

    @Override
    public void skippedPoint(SkipKind kind) {
      add("skipped " + kind);
    }

    @Override
    public void withoutPoint() {
      add("none");
    }

    @Override
    public boolean at(Position position) {
      add("@" + position);
      return true;
    }
  }
}
