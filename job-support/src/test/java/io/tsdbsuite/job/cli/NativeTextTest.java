package io.tsdbsuite.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class NativeTextTest {
  private final Problems problems = new Problems();

  @Command(name = "some-job")
  private static final class SomeJob {
    @Option(names = "--metrics")
    private String metrics = "";
  }

  /** What the JVM makes of an é in the locale C. */
  @Test
  void wordsThatTheJvmCouldNotRead() {
    SomeJob job = new SomeJob();
    CommandLine tree = new CommandLine(job);
    CommandTree.parse(
        tree, new PrintWriter(new StringWriter()), problems, "--metrics", "adv.g\uFFFD\uFFFDn*");
    assertThat(job.metrics).hasSize(9);
    assertThat(problems.all())
        .singleElement()
        .asString()
        .startsWith("the command line must have only characters of the locale's character set, ")
        .endsWith(": set LC_ALL to a UTF-8 locale such as C.UTF-8, found: 'adv.g\uFFFD\uFFFDn*'");
  }

  @Test
  void wordsThatTheJvmCanWrite() {
    NativeText.requireWritable(problems, "job.options", "--metrics adv.gen*");
    assertThat(problems.isEmpty()).isTrue();
    // Half of a pair: no character set has it.
    NativeText.requireWritable(problems, "job.options", "\uD83D");
    assertThat(problems.all()).hasSize(1);
  }
}
