package io.tsdbsuite.bulk.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputFilesTest {
  @TempDir private Path dir;

  @BeforeEach
  void files() {
    for (String name :
        List.of(
            "b.txt",
            "a.txt",
            "c.gz",
            ".hidden",
            "_SUCCESS",
            "d1/2.txt",
            "d1/1.txt",
            "d2/1.txt",
            "d1/sub/3.txt",
            "_tmp/1.txt",
            "odd[1].txt")) {
      TestData.write(dir, name, TestData.lines(name, 1));
    }
  }

  private List<String> find(String prefix, String... patterns) {
    String[] arguments = new String[patterns.length];
    for (int i = 0; i < patterns.length; i++) {
      arguments[i] = prefix + dir + "/" + patterns[i];
    }
    return TestData.find(arguments).stream()
        .map(file -> file.name().substring(file.name().indexOf(dir.toString())))
        .map(name -> name.substring(dir.toString().length() + 1))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file://", "file:"})
  void localPathsAndUris(String prefix) {
    assertThat(find(prefix, "b.txt", "a.txt")).containsExactly("b.txt", "a.txt");
    assertThat(find(prefix, "c.gz", "?.txt")).containsExactly("c.gz", "a.txt", "b.txt");
    assertThat(find(prefix, "[ab].txt")).containsExactly("a.txt", "b.txt");
    assertThat(find(prefix, "{b,c}.*")).containsExactly("b.txt", "c.gz");
    assertThat(find(prefix, "d*/1.txt")).containsExactly("d1/1.txt", "d2/1.txt");
    assertThat(find(prefix, "d1")).containsExactly("d1/1.txt", "d1/2.txt", "d1/sub/3.txt");
    assertThat(find(prefix, "d?")).hasSize(4);
    assertThat(find(prefix, "")).hasSize(8).doesNotContain(".hidden", "_SUCCESS", "_tmp/1.txt");
    assertThat(find(prefix, "*/1.txt")).containsExactly("d1/1.txt", "d2/1.txt");
    assertThat(find(prefix, "_*/1.txt", "_S*")).containsExactly("_tmp/1.txt", "_SUCCESS");
    assertThat(find(prefix, ".hidden")).containsExactly(".hidden");
  }

  /** A file system that, as that of HDFS, decodes names of other bytes than UTF-8. */
  public static final class Decoding extends RawLocalFileSystem {
    @Override
    public FileStatus[] listStatus(org.apache.hadoop.fs.Path directory) throws IOException {
      FileStatus[] all = super.listStatus(directory);
      for (FileStatus each : all) {
        if (each.getPath().getName().equals("b.txt")) {
          each.setPath(new org.apache.hadoop.fs.Path(directory, "\ufffd.txt"));
        }
      }
      return all;
    }
  }

  @Test
  void aNameThatIsNotInUtf8IsNamed() {
    Configuration conf = new Configuration();
    conf.set("fs.file.impl", Decoding.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
    assertThatThrownBy(
            () ->
                InputFiles.find(
                    List.of("file:" + dir), Path.of(""), FilePatterns.ALL, conf, System.in))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("/\ufffd.txt' must be in UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file:"})
  void whatIsLeftOutForItsNameIsTold(String prefix) {
    InputFiles.Found found =
        InputFiles.find(
            List.of(prefix + dir),
            Path.of(""),
            new FilePatterns(List.of(), List.of("*.gz")),
            new Configuration(),
            System.in);
    assertThat(found.leftOut())
        .containsExactly(
            prefix + dir + "/c.gz",
            prefix + dir + "/.hidden",
            prefix + dir + "/_SUCCESS",
            prefix + dir + "/_tmp");
  }

  /** A resume runs in another directory than its load. */
  @ParameterizedTest
  @ValueSource(strings = {"d1/1.txt", "d*/1.txt", "d1", "./d1/sub", "."})
  void relativeNamesBeginInTheBase(String argument) throws IOException {
    String leaf = dir.getFileName().toString();
    Path base = argument.equals(".") ? dir : dir.getParent();
    String given = base.equals(dir) ? argument : leaf + "/" + argument;
    FilePatterns byPath =
        new FilePatterns(List.of(given.equals(".") ? "./**.txt" : leaf + "/**.txt"), List.of());
    InputFiles.Found found =
        InputFiles.find(List.of(given), base, byPath, new Configuration(), System.in);
    assertThat(found.files())
        .isNotEmpty()
        .allMatch(file -> file.name().startsWith(given.equals(".") ? "./" : leaf + "/"));
    assertThat(found.files().get(0).head(1)).hasSize(1);
  }

  @Test
  void aPatternMustMatchAFile() {
    FilePatterns mistyped = new FilePatterns(List.of("*.txt", "*.tx"), List.of("_*", "*.log"));
    assertThatThrownBy(
            () ->
                InputFiles.find(
                    List.of(dir.toString()), Path.of(""), mistyped, new Configuration(), System.in))
        .isInstanceOfSatisfying(
            JobException.class,
            e -> {
              assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
              assertThat(e.getMessage().lines())
                  .containsExactly(
                      "--include must match a file of --input, found none for *.tx among 11",
                      "--exclude must match a file of --input, found none for *.log among 11");
            });
  }

  @Test
  void aFileWhoseNameLooksLikeAGlob() {
    assertThat(find("", "odd[1].txt")).containsExactly("odd[1].txt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file://"})
  void sizesAndTimes(String prefix) throws IOException {
    Path path = dir.resolve("a.txt");
    InputFile file = TestData.find(prefix + path).get(0);
    assertThat(file.size()).isEqualTo(Files.size(path));
    assertThat(file.modifiedMillis()).isEqualTo(Files.getLastModifiedTime(path).toMillis());
    try (InputStream in = file.open(3)) {
      assertThat(in.readAllBytes()).hasSize((int) file.size() - 3);
    }
  }

  @Test
  void allProblemsAtOnce() throws IOException {
    Files.createDirectory(dir.resolve("empty"));
    String a = dir + "/a.txt";
    Files.createSymbolicLink(dir.resolve("link.txt"), Path.of(a));
    List<String> arguments =
        List.of(
            a,
            dir + "/none.txt",
            dir + "/none*.txt",
            dir + "/empty",
            "file://" + a,
            dir + "/link.txt",
            "file://" + dir + "/none.txt",
            "file://" + dir + "/x*",
            "nofs://bucket/a",
            "/dev/null",
            "-",
            "-");
    assertThatThrownBy(() -> TestData.find(arguments.toArray(String[]::new)))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .satisfies(
            e ->
                assertThat(e.getMessage().lines())
                    .containsExactly(
                        dir + "/none.txt: no such file or directory",
                        dir + "/none*.txt: must name at least one file, found none",
                        dir + "/empty: must name at least one file, found none",
                        "file://" + a + ": file:" + a + " must be named once, was named by " + a,
                        dir
                            + "/link.txt: "
                            + dir
                            + "/link.txt must be named once, was named by "
                            + a,
                        "file://" + dir + "/none.txt: no such file or directory",
                        "file://" + dir + "/x*: must name at least one file, found none",
                        "nofs://bucket/a: must be of a file system that Hadoop knows, s3a, hdfs or"
                            + " file: No FileSystem for scheme \"nofs\"",
                        "/dev/null: /dev/null must be a regular file or a directory; pipe others"
                            + " into standard input, -",
                        "-: - must be named once, was named by -"));
    assertThatThrownBy(() -> TestData.find()).hasMessageContaining("at least one file");
  }

  @Test
  void standardInput() {
    InputFile file = TestData.find("-").get(0);
    assertThat(file.isStdin()).isTrue();
    assertThat(file.name()).isEqualTo("-");
    assertThat(file.size()).isEqualTo(-1);
    assertThat(file.modifiedMillis()).isEqualTo(-1);
  }
}
