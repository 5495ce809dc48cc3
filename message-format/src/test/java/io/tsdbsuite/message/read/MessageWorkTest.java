package io.tsdbsuite.message.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.message.FieldNames;
import io.tsdbsuite.testkit.work.WorkCounter;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A message takes work in proportion to its length, whatever its fields have. */
@Tag("jackson")
class MessageWorkTest {
  private static final List<String> TYPES =
      List.of(
          "'type':'Metric','metric':'m','tags':{'a':'b'},'timestamp':3600,'value':1",
          "'type':'Aggregate','metric':'m','tags':{'a':'b'},'timestamp':3600,'value':1,"
              + "'interval':'1h','aggregator':'SUM'",
          "'type':'Rollup','v':1,'metric':'m','tags':{'a':'b'},'timestamp':3600,'interval':'1h',"
              + "'values':{'sum':1}",
          "'type':'Rollup','v':2,'metric':'m','tags':{'a':'b'},'timestamp':3600,'interval':'1h',"
              + "'values':{}",
          "'type':'Histogram','metric':'m','tags':{'a':'b'},'timestamp':3600,"
              + "'buckets':{'0,1':5}",
          "'type':'Rollup','v':3,'metric':'m','tags':{'a':'b'},'timestamp':3600,'interval':'1h',"
              + "'asOf':1763600000000,'at':[0],'gone':[1],"
              + "'values':{'sum':[1],'min':[1],'max':[1],'count':[1]}",
          "'type':'RollupRequest','v':1,'metric':'m','tags':{'a':'b'},'timestamp':3600,"
              + "'intervals':['1h'],'reason':'late'");

  static final class Read implements Consumer<byte[]> {
    private final PointNumber number = new PointNumber();

    @Override
    public void accept(byte[] message) {
      try {
        // A reader knows names of earlier messages.
        for (Element element : new MessageReader().read(message)) {
          if (element instanceof MetricElement point) {
            number.parse(point.value(), point.origin());
          }
        }
      } catch (BadMessageException e) {
        // Takes as little work.
      }
    }
  }

  /**
   * Values of about so many characters. Not among them are many long names that all differ: Jackson
   * keeps them in an array that grows by at most 16 KiB at a time, which only the maximum of a
   * message's bytes bounds.
   */
  private static Map<String, IntFunction<String>> values() {
    Map<String, IntFunction<String>> values = new TreeMap<>();
    values.put("digits", n -> "1".repeat(n));
    values.put("fraction", n -> "0." + "1".repeat(n));
    values.put("numbers of 1,000 digits", n -> list(n, "[", "]", i -> "7".repeat(1000)));
    values.put("text", n -> "'" + "x".repeat(n) + "'");
    values.put("text of digits", n -> "'" + "1".repeat(n) + "'");
    values.put("escapes", n -> "'" + "\\u0041".repeat(n / 6) + "'");
    values.put("characters of 3 bytes", n -> "'" + "\u20ac".repeat(n / 3) + "'");
    values.put("arrays in arrays", n -> "[".repeat(n / 2) + "]".repeat(n / 2));
    values.put("objects in objects", n -> "{'a':".repeat(n / 6) + "1" + "}".repeat(n / 6));
    values.put("open arrays", n -> "[".repeat(n));
    values.put("numbers", n -> list(n, "[", "]", i -> "1"));
    values.put("texts", n -> list(n, "[", "]", i -> "'" + i + "m'"));
    values.put("equal texts", n -> list(n, "[", "]", i -> "'1m'"));
    values.put("names", n -> list(n, "{", "}", i -> "'n" + i + "':1"));
    values.put("names of texts", n -> list(n, "{", "}", i -> "'n" + i + "':'x'"));
    values.put("equal names", n -> list(n, "{", "}", i -> "'n':1"));
    values.put("bounds", n -> list(n, "{", "}", i -> "'" + i + "," + (i + 1) + "':1"));
    values.put("bad counts", n -> list(n, "{", "}", i -> "'" + i + "':'x'"));
    values.put("a long name", n -> "{'" + "9".repeat(n) + "':1}");
    values.put("white space", n -> " ".repeat(n) + "1");
    return values;
  }

  private static String list(int length, String open, String close, IntFunction<String> element) {
    StringBuilder list = new StringBuilder(open).append(element.apply(0));
    for (int i = 1; list.length() < length; i++) {
      list.append(',').append(element.apply(i));
    }
    return list.append(close).toString();
  }

  private static byte[] utf8(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> fields() throws IllegalAccessException {
    List<String> fields = new ArrayList<>(List.of("unknown"));
    for (Field each : FieldNames.class.getFields()) {
      fields.add((String) each.get(null));
    }
    return fields;
  }

  @Test
  void anyFieldWithAnyValueTakesLinearWork() throws IllegalAccessException {
    WorkCounter counter =
        new WorkCounter(Read.class, "io.tsdbsuite.message.", "com.fasterxml.jackson.core.");
    List<String> problems = new ArrayList<>();
    for (String type : TYPES) {
      for (String field : fields()) {
        if (!type.equals(TYPES.get(0)) && !type.contains("'" + field + "'")) {
          // Read as in the first type, and not looked at.
          continue;
        }
        values()
            .forEach(
                (kind, value) ->
                    add(
                        problems,
                        type + ", " + field + ": " + kind,
                        counter.problem(
                            n ->
                                // The last one of a name counts, but for the type.
                                utf8(
                                    field.equals(FieldNames.TYPE)
                                        ? "{'type':" + value.apply(n) + "}"
                                        : "{"
                                            + type
                                            + ",'"
                                            + field
                                            + "':"
                                            + value.apply(n)
                                            + "}"))));
        add(
            problems,
            type + ", repeated: " + field,
            counter.problem(n -> utf8(list(n, "{" + type + ",", "}", i -> "'" + field + "':1"))));
      }
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void anyNumberOfElementsTakesLinearWork() {
    WorkCounter counter =
        new WorkCounter(Read.class, "io.tsdbsuite.message.", "com.fasterxml.jackson.core.");
    List<String> problems = new ArrayList<>();
    for (String element : TYPES) {
      add(
          problems,
          element,
          counter.problem(n -> utf8(list(n, "[", "]", i -> "{" + element + "}"))));
    }
    values()
        .forEach(
            (kind, value) -> {
              add(problems, kind, counter.problem(n -> utf8(value.apply(n))));
              add(problems, "[" + kind, counter.problem(n -> utf8("[" + value.apply(n) + "]")));
            });
    assertThat(problems).isEmpty();
  }

  private static void add(List<String> problems, String what, String problem) {
    if (!problem.isEmpty()) {
      problems.add(what + ": " + problem);
    }
  }
}
