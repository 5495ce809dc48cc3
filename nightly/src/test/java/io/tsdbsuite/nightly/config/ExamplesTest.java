package io.tsdbsuite.nightly.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files in docs/examples. */
class ExamplesTest {
  private static final Path EXAMPLES = Path.of("..", "docs", "examples");
  private static final String COMMAND =
      "/usr/bin/rollup-nightly --config /etc/opentsdb-suite/nightly.conf";

  /**
   * Prints the keyword arguments of the calls of DAG and BashOperator. Airflow itself, which is
   * large, reads the file in AirflowIT.
   */
  private static final String PARSE =
      """
      import ast, sys
      tree = ast.parse(open(sys.argv[1], encoding="utf-8").read())
      names = {n.targets[0].id: n.value.value for n in tree.body if isinstance(n, ast.Assign)}
      for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
          if getattr(call.func, "id", "") in ("DAG", "BashOperator"):
              for k in call.keywords:
                  v = names[k.value.id] if isinstance(k.value, ast.Name) else ast.unparse(k.value)
                  print(call.func.id, k.arg, v)
      """;

  @TempDir private Path dir;

  private NightlyConfig read(String text) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    Map<String, String> values = new HashMap<>();
    properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
    values.put("tsd-config", Files.writeString(dir.resolve("opentsdb.conf"), "").toString());
    values.put("job.jar", JobJar.write(dir.resolve("job.jar"), "rollup-job").toString());
    values.replace("tiers.policy", Files.writeString(dir.resolve("tiers.json"), "[]").toString());
    return ConfigReader.read(values);
  }

  @Test
  void theConfiguration() throws IOException {
    String text = Files.readString(EXAMPLES.resolve("nightly.conf"));
    // An update of the package removes the jar with the version in its name.
    assertThat(text).contains("\njob.jar = /usr/share/opentsdb-suite/lib/rollup-job-spark.jar\n");
    NightlyConfig plain = read(text);
    assertThat(plain.place().snapshotRoot()).isEqualTo("hdfs://nameservice1/hbase");
    assertThat(plain.verify().against()).isEqualTo(NightlyConfig.VerifySettings.Against.NONE);
    NightlyConfig all = read(text.replaceAll("(?m)^#(?=[a-z])", ""));
    assertThat(all.place().snapshotRoot()).isEqualTo("hdfs://backup/hbase");
    assertThat(all.metrics().command()).containsExactly("report-metrics");
  }

  @Test
  void cronAndSystemd() throws IOException {
    assertThat(Files.readString(EXAMPLES.resolve("rollup-nightly.cron")))
        .contains("\nLC_ALL=C.UTF-8\n")
        .contains("\nHADOOP_CONF_DIR=/etc/hadoop/conf\n")
        .containsPattern("(?m)^30 1 \\* \\* \\* rollup " + COMMAND + "$");
    assertThat(Files.readString(EXAMPLES.resolve("rollup-nightly.service")))
        .contains("\nDocumentation=file:/usr/share/doc/opentsdb-suite/docs/nightly.md\n")
        .contains("\nRestart=on-failure\nRestartPreventExitStatus=1 2 4\nRestartSec=15min\n")
        .contains("\nEnvironment=LC_ALL=C.UTF-8\n")
        .contains("ExecStart=" + COMMAND + "\n")
        .contains("Environment=HADOOP_CONF_DIR=/etc/hadoop/conf HBASE_CONF_DIR=/etc/hbase/conf\n");
    assertThat(Files.readString(EXAMPLES.resolve("rollup-nightly.timer")))
        .contains("OnCalendar=*-*-* 01:30:00 UTC\n");
  }

  /** A night that fails slowly, too; without an answer of systemd the run starts. */
  @Test
  void fourStartsOfANight() throws IOException, InterruptedException {
    Matcher check =
        Pattern.compile("(?m)^ExecStart=/bin/sh -c '([^']+)'\n(?=ExecStart=" + COMMAND + "$)")
            .matcher(Files.readString(EXAMPLES.resolve("rollup-nightly.service")));
    assertThat(check.find()).isTrue();
    List<Integer> exitCodes = new ArrayList<>();
    for (String answer : List.of("NRestarts=0", "NRestarts=3", "NRestarts=4", "")) {
      String systemctl =
          "systemctl() { test \"$3\" = rollup-nightly.service && echo " + answer + "; }";
      exitCodes.add(
          new ProcessBuilder("/bin/sh", "-c", systemctl + "\n" + check.group(1)).start().waitFor());
    }
    assertThat(exitCodes).containsExactly(0, 0, 1, 0);
  }

  /** systemd itself reads the units; it knows no rollup-nightly on this machine. */
  @Test
  void systemdAcceptsTheUnits() throws IOException, InterruptedException {
    Path program = Path.of("/usr/bin/systemd-analyze");
    assumeTrue(Files.isExecutable(program));
    String service = Files.readString(EXAMPLES.resolve("rollup-nightly.service"));
    Path unit = dir.resolve("rollup-nightly.service");
    Files.writeString(unit, service.replace(COMMAND, "/bin/true"));
    Files.copy(EXAMPLES.resolve("rollup-nightly.timer"), dir.resolve("rollup-nightly.timer"));
    Process verify =
        new ProcessBuilder(
                program.toString(),
                "verify",
                unit.toString(),
                dir.resolve("rollup-nightly.timer").toString())
            .redirectErrorStream(true)
            .start();
    String out = new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(verify.waitFor()).as(out).isZero();
    assertThat(out).doesNotContain("rollup-nightly.service:", "rollup-nightly.timer:");
  }

  @Test
  void airflow() throws IOException, InterruptedException {
    Process python =
        new ProcessBuilder(
                "python3", "-c", PARSE, EXAMPLES.resolve("rollup_nightly_dag.py").toString())
            .redirectErrorStream(true)
            .start();
    String out = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(python.waitFor()).as(out).isZero();
    assertThat(out.lines())
        .contains(
            "DAG schedule '30 1 * * *'",
            "DAG catchup False",
            "DAG max_active_runs 1",
            "BashOperator bash_command " + COMMAND);
  }
}
