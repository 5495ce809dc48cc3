package io.tsdbsuite.bulk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GivenOptionsTest {
  private static List<String> of(String... arguments) {
    return GivenOptions.of(CommandLines.create().parseArgs(arguments).subcommand());
  }

  @Test
  void areThoseOfTheCommandLineWithoutTheInput() {
    assertThat(
            of(
                "load",
                "--mode",
                "put",
                "--max-rejected=0",
                "--max-rejected=badValue=1%",
                "--skip=nan,strings",
                "--keep-work",
                "--replace-chars",
                "--tsd.storage.salt.width=1",
                "--input",
                "a",
                "b"))
        .containsExactlyInAnyOrder(
            "--mode=put",
            "--max-rejected=0",
            "--max-rejected=badValue=1%",
            "--skip=nan,strings",
            "--keep-work",
            "--replace-chars=_",
            "--tsd.storage.salt.width=1");
  }

  @Test
  void secretsAreNotShown() {
    String all =
        String.join(
            "\n",
            of(
                "load",
                "--hbase-property=fs.s3a.secret.key=hush1",
                "--hbase-property=fs.s3a.access.key=hush2",
                "--hbase-property=fs.s3a.session.token=hush3=",
                "--hbase-property=fs.azure.account.key.x.net=hush4",
                "--hbase-property=ssl.client.keystore.password=hush5",
                "--hbase-property=hbase.client.retries.number=7",
                "--hfile-dir=hdfs://user:hush6@nn/tmp",
                "--input=a"));
    assertThat(all)
        .doesNotContain("hush")
        .contains("--hbase-property=fs.s3a.secret.key=(not shown)")
        .contains("--hbase-property=hbase.client.retries.number=7")
        .contains("--hfile-dir=hdfs://(not shown)@nn/tmp");
  }
}
