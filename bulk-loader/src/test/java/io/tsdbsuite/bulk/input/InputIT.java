package io.tsdbsuite.bulk.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.Recorder;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Input in S3. */
class InputIT {
  private static final Formats AUTO = TestData.auto(InfluxChoice.NONE);

  private static S3Server s3;
  private static Configuration conf;

  @BeforeAll
  static void start() {
    s3 = S3Server.start(WorkDirs.fresh("InputIT"));
    s3.createBucket("export");
    conf = new Configuration();
    s3.readOnlyView().s3aProperties().forEach(conf::set);
  }

  @AfterAll
  static void stop() {
    s3.stop();
  }

  private static List<InputFile> find(String... arguments) {
    java.nio.file.Path base = java.nio.file.Path.of("");
    return InputFiles.find(List.of(arguments), base, FilePatterns.ALL, conf, System.in).files();
  }

  private static List<String> read(InputPart part, Position from) throws IOException {
    Recorder recorder = new Recorder();
    new PartReader(AUTO).read(part, from, recorder);
    return recorder.events();
  }

  /** Writes through S3A: a file that is put into the server's directory has no ETag. */
  private static void put(String name, byte[] content) throws IOException {
    Configuration writer = new Configuration();
    s3.s3aProperties().forEach(writer::set);
    URI uri = URI.create("s3a://export/" + name);
    try (FileSystem fs = FileSystem.newInstance(uri, writer);
        OutputStream out = fs.create(new Path(uri))) {
      out.write(content);
    }
  }

  @Test
  void globsDirectoriesAndEveryCompression() throws IOException {
    for (Compression how : Compression.values()) {
      put("a/" + how, TestData.compress(how, TestData.lines("m", 1000)));
    }
    put("a/_SUCCESS", new byte[0]);
    put("a/sub/x", TestData.lines("m", 1));
    assertThat(TestData.names(find("s3a://export/a/*IP*")))
        .containsExactly("s3a://export/a/BZIP2", "s3a://export/a/GZIP");
    assertThat(TestData.names(find("s3a://export/{a,b}/[PZ]*")))
        .containsExactly("s3a://export/a/PLAIN", "s3a://export/a/ZSTD");
    List<InputFile> files = find("s3a://export/a");
    assertThat(TestData.names(files)).hasSize(5).contains("s3a://export/a/sub/x");
    for (InputFile file : find("s3a://export/a/*[2PND]")) {
      assertThat(file.modifiedMillis()).isPositive();
      assertThat(read(InputPart.whole(file), Position.START)).hasSize(1000);
    }
  }

  @Test
  void slicesAndResume() throws IOException {
    byte[] bytes = TestData.lines("m", 100_000);
    put("large.txt", bytes);
    InputFile file = find("s3a://export/large.txt").get(0);
    assertThat(file.size()).isEqualTo(bytes.length);
    List<String> whole = read(InputPart.whole(file), Position.START);
    assertThat(whole).hasSize(100_000);
    List<InputUnit> units = InputUnits.plan(List.of(file), f -> true, 1_000_000L);
    assertThat(units).hasSize(3);
    List<String> all = new ArrayList<>();
    for (InputUnit unit : units) {
      all.addAll(read(unit.parts().get(0), Position.START));
    }
    assertThat(all).isEqualTo(whole);
    Recorder first = new Recorder().stopAfter(2);
    new PartReader(AUTO).read(units.get(1).parts().get(0), Position.START, first);
    List<String> rest = read(units.get(1).parts().get(0), first.positions().get(1));
    List<String> second = new ArrayList<>(first.events());
    second.addAll(rest);
    assertThat(second).isEqualTo(read(units.get(1).parts().get(0), Position.START));
  }

  @Test
  void whatIsNotThere() {
    assertThatThrownBy(() -> find("s3a://export/none", "s3a://export/none/*.gz"))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .satisfies(
            e ->
                assertThat(e.getMessage().lines())
                    .containsExactly(
                        "s3a://export/none: no such file or directory",
                        "s3a://export/none/*.gz: must name at least one file, found none"));
  }

  @Test
  void anObjectThatIsGoneOrCutNamesItself() throws IOException {
    byte[] stored = TestData.compress(Compression.GZIP, TestData.lines("m", 1000));
    put("gone.gz", stored);
    InputFile gone = find("s3a://export/gone.gz").get(0);
    assertThat(s3.directory("export").resolve("gone.gz").toFile().delete()).isTrue();
    assertThatThrownBy(() -> read(InputPart.whole(gone), Position.START))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE))
        .hasMessageStartingWith("s3a://export/gone.gz: ");
    put("cut.gz", Arrays.copyOf(stored, stored.length / 2));
    InputFile cut = find("s3a://export/cut.gz").get(0);
    assertThatThrownBy(() -> read(InputPart.whole(cut), Position.START))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_INPUT))
        .hasMessageStartingWith("s3a://export/cut.gz: at byte ");
  }
}
