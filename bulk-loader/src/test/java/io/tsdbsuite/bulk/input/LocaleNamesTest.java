package io.tsdbsuite.bulk.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.cli.BulkLoaderMain;
import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocaleNamesTest {
  @TempDir private Path dir;

  @Test
  void aNameOfAnotherEncodingIsNoProblemWithUtf8() {
    assertThat(LocaleNames.problem("g\ufffdn", "UTF-8")).isNull();
    assertThat(LocaleNames.problem("gen", "ANSI_X3.4-1968")).isNull();
    assertThat(LocaleNames.problem("g\ufffdn", "ANSI_X3.4-1968"))
        .contains("ANSI_X3.4-1968", "LC_ALL=C.UTF-8");
  }

  /** A name in UTF-8 as an argument, and as a file of a directory, in a process of locale C. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          $n           | locale's character set | set LC_ALL to a UTF-8 locale such as C.UTF-8
          in           | locale's encoding      | LC_ALL=C.UTF-8
          file:$PWD/in | locale's encoding      | LC_ALL=C.UTF-8
          file:$PWD/in/* | locale's encoding    | LC_ALL=C.UTF-8
          """)
  void localeCIsNamed(String input, String problem, String advice)
      throws IOException, InterruptedException {
    String script =
        "mkdir in; n=in/$(printf 'g\\303\\251n.txt'); printf 'm 1600000000 1 a=b\\n' > \"$n\";"
            + " printf 'tsd.storage.hbase.zk_quorum = 127.0.0.1:1\\n' > o.conf; exec \"$0\""
            + " -cp \"$1\" \"$2\" load --tsd-config o.conf --work-dir w --input \""
            + input
            + "\"";
    ProcessBuilder builder =
        new ProcessBuilder(
                "sh",
                "-c",
                script,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                System.getProperty("java.class.path"),
                BulkLoaderMain.class.getName())
            .directory(dir.toFile())
            .redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(process.waitFor()).as(log).isEqualTo(ExitCode.USAGE.code());
    assertThat(log).contains(problem, advice);
  }
}
