package io.tsdbsuite.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class CommandTreeTest {
  /** A command with one option. */
  @Command(name = "job")
  static final class Job {
    @Option(names = "--metrics")
    String metrics = "";
  }

  @TempDir private Path dir;

  /** A program that passes options on would not see those of the file. */
  @Test
  void optionsAreNotReadFromAFile() throws IOException {
    Path file = Files.writeString(dir.resolve("job.args"), "--metrics sys.*");
    Job job = new Job();
    Problems problems = new Problems();
    CommandTree.parse(
        CommandTree.of(job), new PrintWriter(new StringWriter()), problems, "@" + file);
    assertThat(job.metrics).isEmpty();
    assertThat(problems.all()).singleElement().asString().contains("@" + file);
  }
}
