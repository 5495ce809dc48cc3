package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** bin/run-tests, with a shell script in the place of Maven. */
class RunTestsTest {
  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <artifactId>%s</artifactId><name>Suite: %s</name>
        <modules>%s</modules>
      </project>
      """;
  private static final String END_OF_A =
      "[INFO] --- maven-failsafe-plugin:3.5.2:verify (default) @ a ---";

  @TempDir private Path root;
  private int exit;

  @BeforeEach
  void modules() throws IOException {
    Files.writeString(
        root.resolve("pom.xml"),
        POM.formatted("root", "root", "<module>a</module><module>b</module>"));
    for (String module : new String[] {"a", "b"}) {
      Files.createDirectories(root.resolve(module).resolve("target").resolve("surefire-reports"));
      Files.writeString(root.resolve(module).resolve("pom.xml"), POM.formatted(module, module, ""));
    }
  }

  private void report(String module, String cases) throws IOException {
    Path reports = root.resolve(module).resolve("target").resolve("surefire-reports");
    Path report = reports.resolve("TEST-io.tsdbsuite.XTest.xml");
    Files.writeString(report, "<testsuite>" + cases + "</testsuite>");
    // Of the run, which begins later; Python may need seconds for its start.
    assertThat(report.toFile().setLastModified(System.currentTimeMillis() + 600_000)).isTrue();
    Files.writeString(reports.resolve("io.tsdbsuite.XTest-output.txt"), "a log");
  }

  private String run(int mavenExit, String... lines) throws IOException, InterruptedException {
    return run(List.of(), mavenExit, lines);
  }

  private String run(List<String> options, int mavenExit, String... lines)
      throws IOException, InterruptedException {
    return run(options, "exit " + mavenExit, lines);
  }

  /** With what the script does after its lines. */
  private String run(List<String> options, String end, String... lines)
      throws IOException, InterruptedException {
    Path maven = root.resolve("maven.txt");
    Files.write(maven, List.of(lines));
    List<String> command = new ArrayList<>();
    command.add("python3");
    command.add(Path.of("bin", "run-tests").toAbsolutePath().toString());
    command.add("target/test.log");
    command.addAll(options);
    command.addAll(List.of("sh", "-c", "cat maven.txt; " + end));
    Process process =
        new ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    exit = process.waitFor();
    assertThat(root.resolve("target").resolve("test.log")).hasContent(String.join("\n", lines));
    return output;
  }

  @Test
  void oneLineForEachModule() throws Exception {
    report("a", "<testcase classname='io.X' name='t'/><testcase name='u'><skipped/></testcase>");
    String output =
        run(
            0,
            "[INFO] --- maven-compiler-plugin:3.13.0:compile (default-compile) @ a ---",
            "server: an error that a test expects",
            "\u001b[0m" + END_OF_A,
            "[INFO] Suite: a ........ SUCCESS [ 1 s]",
            "[INFO] Suite: b ........ SUCCESS [ 1 s]");
    assertThat(exit).isZero();
    assertThat(output.lines())
        .hasSize(3)
        .first()
        .asString()
        .matches(" +ok a +2 tests, 1 skipped +0 s");
    assertThat(output)
        .containsPattern("ok b +1 s\\n")
        .contains("2 tests, 1 skipped: passed")
        .contains("log: target/test.log");
  }

  @Test
  void aFailingTestNamesItsFile() throws Exception {
    report(
        "b",
        """
        <testcase classname='io.tsdbsuite.XTest' name='t'><failure>AssertionError: 2 is not 3
        &#9;at org.junit.Some.thing(Some.java:1)
        &#9;at io.tsdbsuite.XTest.t(XTest.java:7)
        </failure></testcase>\
        """);
    String output =
        run(
            1,
            END_OF_A,
            "[INFO] --- maven-surefire-plugin:3.5.2:test (default-test) @ b ---",
            "[ERROR] There are test failures.",
            "[INFO] Suite: a ........ SUCCESS [ 1 s]",
            "[INFO] Suite: b ........ FAILURE [ 1 s]");
    assertThat(exit).isEqualTo(1);
    assertThat(output)
        .contains(" FAILED b")
        .contains("XTest.t")
        .contains("2 is not 3")
        .contains("at io.tsdbsuite.XTest.t(XTest.java:7)")
        .contains("output: b/target/surefire-reports/io.tsdbsuite.XTest-output.txt")
        .contains("1 tests, 1 failed: FAILED (Maven ended with 1)")
        .doesNotContain("There are test failures")
        .doesNotContain("org.junit");
  }

  @Test
  void aBuildThatFailsWithoutATestPrintsMavensErrors() throws Exception {
    report("a", "<testcase classname='io.X' name='t'/>");
    String output =
        run(
            1,
            END_OF_A,
            "[INFO] --- maven-compiler-plugin:3.13.0:compile (default-compile) @ b ---",
            "[ERROR] Y.java:[1,1] cannot find symbol",
            "[INFO] Suite: a ........ FAILURE [ 1 s]",
            "[INFO] Suite: b ........ SKIPPED");
    assertThat(exit).isEqualTo(1);
    // Maven's own time, where its last goal was not seen.
    assertThat(output).containsPattern("skipped b\\n");
    assertThat(output)
        .contains("Y.java:[1,1] cannot find symbol")
        .contains("FAILED a                          after its tests")
        .contains("skipped b");
  }

  @Test
  void anErrorBesideAFailingTestIsPrinted() throws Exception {
    report("a", "<testcase classname='io.X' name='t'><failure>no</failure></testcase>");
    String output =
        run(
            1,
            END_OF_A,
            "[INFO] --- maven-surefire-plugin:3.5.2:test (default-test) @ b ---",
            "[ERROR] The forked VM terminated without saying properly goodbye.",
            "[INFO] Suite: a ........ FAILURE [ 1 s]",
            "[INFO] Suite: b ........ FAILURE [ 1 s]");
    assertThat(output).contains("X.t").contains("FAILED b").contains("The forked VM terminated");
  }

  /** With --fail-at-end Maven builds what does not need the module that failed. */
  @Test
  void modulesAfterAFailureAreTold() throws Exception {
    report("a", "<testcase classname='io.X' name='t'><failure>no</failure></testcase>");
    report("b", "<testcase classname='io.Y' name='t'/>");
    String output =
        run(
            1,
            "[INFO] --- maven-surefire-plugin:3.5.2:test (default-test) @ a ---",
            END_OF_A.replace("@ a", "@ b"),
            "[INFO] Suite: root ........ SKIPPED",
            "[INFO] Suite: a ........ FAILURE [ 1 s]",
            "[INFO] Suite: b ........ SUCCESS [ 1 s]");
    assertThat(exit).isEqualTo(1);
    assertThat(output)
        .containsPattern("(?m)^ FAILED a +1 tests, 1 failed")
        .containsPattern("(?m)^     ok b +1 tests")
        .containsPattern("(?m)^skipped root$")
        .contains("2 tests, 1 failed: FAILED (Maven ended with 1)");
    String makefile = Files.readString(Path.of("..", "Makefile"));
    assertThat(makefile).contains("RUN_MVN := $(MVN) -B --fail-at-end\n");
  }

  @Test
  void aCommandBesideMavenHasALineOfItsOwn() throws Exception {
    assertThat(run(List.of("--beside=" + command("true")), 0, END_OF_A))
        .containsPattern("(?m)^     ok \\./check +0 s$")
        .contains("0 tests: passed");
    assertThat(exit).isZero();
    assertThat(run(List.of("--beside=" + command("echo a wrong template; exit 3")), 0, END_OF_A))
        .containsPattern("(?m)^ FAILED \\./check")
        .contains("a wrong template")
        .contains("output: target/check.log")
        .contains("0 tests: FAILED (./check)");
    assertThat(exit).isEqualTo(1);
    assertThat(run(List.of("--beside=" + command("exit 3")), 2, END_OF_A))
        .contains("FAILED (Maven ended with 2)");
    assertThat(exit).isEqualTo(2);
  }

  @Test
  void theTimeOfTheCommandEndsWithIt() throws Exception {
    List<String> options = List.of("--beside=" + command("touch ended"));
    String output = run(options, "until [ -e ended ]; do sleep 0.1; done; sleep 4", END_OF_A);
    Matcher times =
        Pattern.compile("\\./check +(\\d+) s\\n.* (\\d+) min (\\d+) s;").matcher(output);
    assertThat(times.find()).as(output).isTrue();
    int all = 60 * Integer.parseInt(times.group(2)) + Integer.parseInt(times.group(3));
    assertThat(Integer.parseInt(times.group(1))).isLessThan(all);
  }

  private String command(String body) throws IOException {
    Path check = root.resolve("check");
    Files.writeString(check, "#!/bin/sh\n" + body + "\n");
    assertThat(check.toFile().setExecutable(true)).isTrue();
    return "./check";
  }

  @Test
  void reportsOfAnEarlierRunDoNotCount() throws Exception {
    report("a", "<testcase classname='io.X' name='t'><failure>old</failure></testcase>");
    Path report = root.resolve("a/target/surefire-reports/TEST-io.tsdbsuite.XTest.xml");
    assertThat(report.toFile().setLastModified(1_000_000_000_000L)).isTrue();
    assertThat(run(0, END_OF_A)).contains("\n0 tests: passed");
  }
}
