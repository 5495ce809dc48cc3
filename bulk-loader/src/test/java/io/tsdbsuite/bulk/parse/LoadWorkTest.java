package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.group.Grouper;
import io.tsdbsuite.bulk.group.Grouping;
import io.tsdbsuite.bulk.group.HourSink;
import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.group.ReadCheckpoint;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.report.RejectBatch;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.work.WorkCounter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input takes work in proportion to its length, whatever is long or repeated in it. */
class LoadWorkTest {
  private static final String[] COUNTED = {
    "io.tsdbsuite.bulk.", "com.fasterxml.jackson.core.", "ch.randelshofer."
  };

  /**
   * Reads and groups as a load does, and refuses the names at the end. The first byte is the
   * format's number.
   */
  static final class Load implements Consumer<byte[]> {
    @Override
    public void accept(byte[] text) {
      Format format = Format.values()[text[0]];
      RejectBatch rejects = new RejectBatch(10);
      Grouper grouper =
          new Grouper(
              new Grouping(
                  Grouping.MIN_MEMORY,
                  Long.MAX_VALUE,
                  OnConflict.FAIL,
                  new RowKey(StorageSchema.defaults()),
                  new NamesParser("", 8, NameRules.NONE),
                  series ->
                      series.forEach(
                          each ->
                              each.refused(new SeriesRefusal(RejectReason.UNKNOWN_NAME, "none"))),
                  (reason, form, file, line, detail, bytes, off, len) ->
                      rejects.reject(reason, form, file, line, detail, bytes, off, len),
                  (unit, spill, source) -> new Nowhere(),
                  (points, bytes) -> true));
      grouper.begin(ReadCheckpoint.start(0));
      grouper.part(0, "in", format.rejectForm(), Position.START);
      try {
        format
            .reader(ParseOptions.DEFAULT)
            .read(
                new ByteArrayInputStream(text, 1, text.length - 1),
                Position.START,
                Long.MAX_VALUE,
                grouper);
        grouper.end();
      } catch (BrokenTextException e) {
        // Takes as little work.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private record Nowhere() implements HourSink {
    @Override
    public void hour(byte[] key, int keyLen, byte[] packed, int off, int len, int points) {}

    @Override
    public void series(byte[] tsuid, byte[] names, long accepted, long points, long newest) {}

    @Override
    public void commit(ReadCheckpoint upTo, Tally tally) {}

    @Override
    public void close() {}
  }

  /** A point in which one word is replaced. */
  private static String point(Format format) {
    return switch (format) {
      case OPENTSDB -> "METRIC TIME VALUE KEY=TAG";
      case JSON ->
          "{\"metric\":\"METRIC\",\"timestamp\":TIME,\"value\":VALUE,\"tags\":{\"KEY\":\"TAG\"}}";
      case INFLUX -> "METRIC,KEY=TAG FIELD=VALUE TIME";
      case PROMETHEUS, OPENMETRICS -> "METRIC{KEY=\"TAG\"} VALUE TIME";
      case VICTORIAMETRICS ->
          "{\"metric\":{\"__name__\":\"METRIC\",\"KEY\":\"TAG\"},\"values\":[VALUE],"
              + "\"timestamps\":[TIME]}";
      case GRAPHITE -> "METRIC;KEY=TAG VALUE TIME";
    };
  }

  private static String time(Format format) {
    return switch (format) {
      case OPENTSDB, JSON, OPENMETRICS, GRAPHITE -> "1600000000";
      case INFLUX -> "1600000000000000000";
      case PROMETHEUS, VICTORIAMETRICS -> "1600000000000";
    };
  }

  private static String filled(Format format, String word, String with) {
    return point(format)
        .replace(word, with)
        .replace("METRIC", "m")
        .replace("TIME", time(format))
        .replace("VALUE", "1.5")
        .replace("FIELD", "f")
        .replace("KEY", "k")
        .replace("TAG", "t");
  }

  /** Words of about so many characters. */
  private static Map<String, IntFunction<String>> words() {
    Map<String, IntFunction<String>> words = new TreeMap<>();
    words.put("digits", "1"::repeat);
    words.put("zeros", "0"::repeat);
    words.put("fraction", n -> "0." + "7".repeat(n));
    words.put("exponent", n -> "1e" + "9".repeat(n));
    words.put("dots", "."::repeat);
    words.put("text", "x"::repeat);
    words.put("quotes", "\""::repeat);
    words.put("escaped quotes", n -> "\\\"".repeat(n / 2));
    words.put("backslashes", "\\"::repeat);
    words.put("escaped blanks", n -> "\\ ".repeat(n / 2));
    words.put("escaped characters", n -> "\\u0041".repeat(n / 6));
    words.put("characters of 3 bytes", n -> "\u20ac".repeat(n / 3));
    words.put("blanks", " "::repeat);
    words.put("equals", "="::repeat);
    words.put("commas", ","::repeat);
    words.put("brackets", "["::repeat);
    words.put("braces", n -> "{\"a\":".repeat(n / 5));
    words.put("hashes", "#"::repeat);
    return words;
  }

  private static String list(int length, String between, IntFunction<String> element) {
    StringBuilder list = new StringBuilder(element.apply(0));
    for (int i = 1; list.length() < length; i++) {
      list.append(between).append(element.apply(i));
    }
    return list.toString();
  }

  private static IntFunction<String> tags(Format format, IntFunction<String> value) {
    return n ->
        switch (format) {
          case OPENTSDB -> filled(format, "k=", list(n, " ", i -> "k" + i + "=" + value.apply(i)));
          default ->
              filled(
                  format,
                  "TAG",
                  list(
                      n,
                      switch (format) {
                        case JSON, VICTORIAMETRICS -> "\",\"";
                        case INFLUX -> ",";
                        case PROMETHEUS, OPENMETRICS -> "\",";
                        case GRAPHITE -> ";";
                        case OPENTSDB -> " ";
                      },
                      i ->
                          i == 0
                              ? value.apply(0)
                              : "k"
                                  + i
                                  + switch (format) {
                                    case JSON, VICTORIAMETRICS -> "\":\"";
                                    case PROMETHEUS, OPENMETRICS -> "=\"";
                                    default -> "=";
                                  }
                                  + value.apply(i)));
        };
  }

  private static Map<String, IntFunction<String>> texts(Format format) {
    Map<String, IntFunction<String>> texts = new TreeMap<>();
    for (String word : List.of("METRIC", "TIME", "VALUE", "KEY", "TAG", "FIELD")) {
      words()
          .forEach(
              (kind, text) ->
                  texts.put(word + ": " + kind, n -> filled(format, word, text.apply(n)) + "\n"));
    }
    words().forEach((kind, text) -> texts.put("line: " + kind, n -> text.apply(n) + "\n"));
    texts.put("many tags", tags(format, i -> "t"));
    texts.put("points", n -> list(n, "\n", i -> filled(format, "1.5", String.valueOf(i))));
    texts.put("series", n -> list(n, "\n", i -> filled(format, "METRIC", "m" + i)));
    texts.put("bad values", n -> list(n, "\n", i -> filled(format, "VALUE", "x" + i)));
    texts.put("equal points", n -> list(n, "\n", i -> filled(format, "-", "-")));
    texts.put("half a line each", n -> list(n, "\n", i -> point(format).substring(0, 9)));
    if (format == Format.JSON) {
      texts.put("an array", n -> "[" + list(n, ",", i -> filled(format, "-", "-")) + "]");
      texts.put("members", n -> "{" + list(n, ",", i -> "\"n" + i + "\":1") + "}");
      texts.put("equal members", n -> "{" + list(n, ",", i -> "\"metric\":\"m\"") + "}");
      texts.put("open objects", n -> list(n, "\n", i -> "{\"a\":"));
    }
    if (format == Format.INFLUX) {
      texts.put("bad fields", n -> "m,k=v " + list(n, ",", i -> "f=x") + " " + time(format));
      texts.put("fields", n -> "m,k=v " + list(n, ",", i -> "f" + i + "=1") + " " + time(format));
    }
    return texts;
  }

  @ParameterizedTest
  @EnumSource
  void takesLinearWork(Format format) {
    WorkCounter counter = new WorkCounter(Load.class, COUNTED);
    List<String> problems = new ArrayList<>();
    texts(format)
        .forEach(
            (what, text) -> {
              String problem = counter.problem(n -> bytes(format, text.apply(n)));
              if (!problem.isEmpty()) {
                problems.add(what + ": " + problem);
              }
            });
    assertThat(problems).isEmpty();
  }

  /** Good names, and names that are refused. */
  @ParameterizedTest
  @ValueSource(strings = {"t", "!"})
  void theNamesOfALineAreBounded(String letter) {
    String name = letter.repeat(200_000);
    String fields = list(200_000, ",", i -> "f" + i + "=1") + " " + time(Format.INFLUX);
    String values = list(20_000, ",", i -> "1");
    String times = list(140_000, ",", i -> time(Format.VICTORIAMETRICS));
    bounded(Format.INFLUX, "m,k=" + name + " " + fields);
    bounded(Format.INFLUX, name + ",k=v " + fields);
    bounded(
        Format.VICTORIAMETRICS,
        filled(Format.VICTORIAMETRICS, "TAG", name)
            .replace("[1.5]", "[" + values + "]")
            .replace("[" + time(Format.VICTORIAMETRICS) + "]", "[" + times + "]"));
  }

  private static byte[] bytes(Format format, String text) {
    char number = (char) List.of(Format.values()).indexOf(format);
    return (number + text).getBytes(StandardCharsets.UTF_8);
  }

  private static void bounded(Format format, String line) {
    WorkCounter counter = new WorkCounter(Load.class, COUNTED);
    assertThat(counter.count(bytes(format, line))).isLessThan(20 * Line.MAX_NAMES);
  }
}
