package io.tsdbsuite.format.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.schema.SchemaException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistogramCodecsTest {
  private static final String TWO =
      "{\"net.opentsdb.core.SimpleHistogramDecoder\": 0,"
          + " \"io.tsdbsuite.histogram.SketchCodec\": 127}";

  private static void expectTwo(HistogramCodecs codecs) {
    assertThat(codecs.id(HistogramCodecs.SIMPLE)).isZero();
    assertThat(codecs.id(HistogramCodecs.SKETCH)).isEqualTo(127);
    assertThat(codecs.id("com.example.Codec")).isNull();
    assertThat(codecs.codec(0)).isEqualTo("net.opentsdb.core.SimpleHistogramDecoder");
    assertThat(codecs.codec(127)).isEqualTo("io.tsdbsuite.histogram.SketchCodec");
    assertThat(codecs.codec(1)).isNull();
    assertThat(codecs.codec(255)).isNull();
  }

  @Test
  void inlineOrAFile(@TempDir Path directory) throws Exception {
    expectTwo(HistogramCodecs.load(TWO));
    Path file = Files.write(directory.resolve("codecs.json"), TWO.getBytes(StandardCharsets.UTF_8));
    expectTwo(HistogramCodecs.load(file.toString()));
    assertThat(HistogramCodecs.load("{}").codec(0)).isNull();
    assertThat(HistogramCodecs.NONE.id(HistogramCodecs.SKETCH)).isNull();
    Path none = directory.resolve("none.json");
    assertThatThrownBy(() -> HistogramCodecs.load(none.toString()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(none.toString());
    Files.write(file, new byte[] {'['});
    assertThatThrownBy(() -> HistogramCodecs.load(file.toString()))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void goToExecutors() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(HistogramCodecs.load(TWO));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      expectTwo((HistogramCodecs) in.readObject());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | must be an object of class names with ids, found []",
        "{\"a\": 128} | a: must have an id of 0 to 127, found 128",
        "{\"a\": -1} | a: must have an id of 0 to 127, found -1",
        "{\"a\": 1.0} | a: must have an id of 0 to 127, found 1.0",
        "{\"a\": \"1\"} | a: must have an id of 0 to 127, found \"1\"",
        "{\"a\": 5, \"b\": 5} | b: must have an id of its own, found 5"
      })
  void refused(String json, String problem) {
    SchemaException e =
        catchThrowableOfType(SchemaException.class, () -> HistogramCodecs.load(json));
    assertThat(e.problems()).containsExactly(problem);
    assertThat(e).hasMessageContaining("histogram codecs");
  }

  @Test
  void allProblemsAtOnce() {
    SchemaException e =
        catchThrowableOfType(
            SchemaException.class, () -> HistogramCodecs.load("{\"a\": null, \"b\": 300}"));
    assertThat(e.problems())
        .containsExactly(
            "a: must have an id of 0 to 127, found null",
            "b: must have an id of 0 to 127, found 300");
    for (String broken : new String[] {"{\"a\": 1", "{\"a\": 1, \"a\": 2}", "tsdb"}) {
      e = catchThrowableOfType(SchemaException.class, () -> HistogramCodecs.load(broken));
      assertThat(e.problems()).singleElement().asString().startsWith("must be JSON, found ");
    }
  }
}
