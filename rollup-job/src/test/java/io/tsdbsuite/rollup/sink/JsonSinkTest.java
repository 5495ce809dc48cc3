package io.tsdbsuite.rollup.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.rollup.report.RunIdentity;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonSinkTest {
  private static final RunIdentity RUN = new RunIdentity("", Map.of());

  @TempDir Path directory;

  @Test
  void commitsTheAttemptsThatCount() throws Exception {
    Path output = directory.resolve("a/b/out");
    JsonSinkFactory driver = factory(output);
    driver.check();
    JsonSinkFactory executor = roundTrip(driver);

    SinkResult first = write(executor, 0, 10, 2);
    try (RollupSink killed = executor.open(1, 11)) {
      killed.emit(TestPoints.point("half", "done"));
    }
    // An attempt whose task died without a word, and one that lost against another.
    RollupSink lost = executor.open(1, 12);
    lost.emit(TestPoints.point("lost", "lost"));
    SinkResult second = write(executor, 1, 13, 1);
    write(executor, 1, 14, 1);
    SinkResult empty = write(executor, 2, 15, 0);
    assertThat(empty.file()).isNull();
    assertThat(first.messages()).isEqualTo(2);

    driver.commit(List.of(roundTrip(first), roundTrip(second), roundTrip(empty)), RUN);
    lost.abort();

    assertThat(names(output)).containsExactly("_SUCCESS", "part-00000.jsonl", "part-00001.jsonl");
    assertThat(Files.readString(output.resolve("part-00000.jsonl")))
        .isEqualTo(line("h0") + line("h1"));
    assertThat(Files.readString(output.resolve("part-00001.jsonl"))).isEqualTo(line("h0"));
  }

  @Test
  void abortLeavesNothing() throws Exception {
    Path output = directory.resolve("a/b/out");
    JsonSinkFactory factory = factory(output);
    factory.check();
    SinkResult result = write(factory, 0, 1, 5);
    RollupSink open = factory.open(1, 2);
    open.emit(TestPoints.point("m", "h"));
    open.abort();
    open.close();
    factory.abort();
    assertThat(result.points()).isEqualTo(5);
    assertThat(names(directory)).isEmpty();
  }

  @Test
  void abortAfterCommitFailedLeavesNothingAndKeepsWhatWasThere() throws Exception {
    Path output = Files.createDirectories(directory.resolve("out"));
    JsonSinkFactory factory = factory(output);
    factory.check();
    SinkResult first = write(factory, 0, 1, 5);
    SinkResult second = write(factory, 1, 2, 5);
    Files.delete(Path.of(second.file().replaceFirst("^file:", "")));
    assertThatThrownBy(() -> factory.commit(List.of(first, second), RUN))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("cannot be completed")
        .hasMessageContaining("part-00001.jsonl");
    assertThat(names(output)).doesNotContain("_SUCCESS");
    factory.abort();
    assertThat(output).isEmptyDirectory();
  }

  @Test
  void refusesAnOutputThatIsNotEmpty() throws Exception {
    Path output = Files.createDirectories(directory.resolve("out"));
    Files.writeString(output.resolve("notes.txt"), "mine");
    JsonSinkFactory factory = factory(output);
    assertThatThrownBy(factory::check)
        .isInstanceOf(SinkException.Fatal.class)
        .hasMessageContaining("must be empty or absent")
        .hasMessageContaining("notes.txt");
    factory.abort();
    assertThat(names(output)).containsExactly("notes.txt");
  }

  @Test
  void saysWhatAnEarlierRunLeft() throws Exception {
    Path output = directory.resolve("out");
    factory(output).check();
    assertThatThrownBy(() -> factory(output).check())
        .isInstanceOf(SinkException.Fatal.class)
        .hasMessageContaining("the output of a run that was killed or still runs");
    Files.createFile(output.resolve("_SUCCESS"));
    assertThatThrownBy(() -> factory(output).check()).hasMessageContaining("a run that succeeded");
  }

  @Test
  void refusesAFileAndWhatIsNoPath() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> factory(file).check())
        .isInstanceOf(SinkException.Fatal.class)
        .hasMessageContaining("must be a directory");
    assertThatThrownBy(() -> factory(file.resolve("below")).check())
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("below");
    for (String bad : new String[] {"", "nosuchscheme://host/dir", ":"}) {
      assertThatThrownBy(() -> new JsonSinkFactory(new Configuration(), bad).check())
          .as(bad)
          .isInstanceOf(SinkException.Fatal.class)
          .hasMessageContaining("output");
    }
  }

  private static JsonSinkFactory factory(Path output) {
    JsonSinkFactory factory = new JsonSinkFactory(new Configuration(), output.toUri().toString());
    factory.asOf(1763596800123L);
    return factory;
  }

  private static SinkResult write(JsonSinkFactory factory, int partition, long attempt, int points)
      throws SinkException {
    try (RollupSink sink = factory.open(partition, attempt)) {
      for (int i = 0; i < points; i++) {
        sink.emit(TestPoints.point("m", "h" + i));
      }
      return sink.finish();
    }
  }

  private static String line(String host) {
    return "{\"metric\":\"m\",\"tags\":{\"host\":\""
        + host
        + "\"},\"timestamp\":1763510400,\"interval\":\"1h\",\"asOf\":1763596800123,\"values\":"
        + "{\"sum\":60.0,\"min\":1.0,\"max\":1.0,\"count\":60}}\n";
  }

  /** Names in a directory, sorted, without the checksums of Hadoop's local file system. */
  private static List<String> names(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .sorted()
          .toList();
    }
  }

  private static <T extends Serializable> T roundTrip(T object)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      @SuppressWarnings("unchecked") // The class of what went in.
      T copy = (T) in.readObject();
      return copy;
    }
  }
}
