package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** bin/test-changed, in a repository of four modules: b needs a, and c needs b. */
class TestChangedTest {
  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <artifactId>%s</artifactId><name>Suite: %s</name>%s
      </project>
      """;

  @TempDir private Path root;

  @BeforeEach
  void commitModules() throws Exception {
    pom("", "root", "<modules>%s</modules>".formatted(modules("a", "b", "c", "cloudformation")));
    pom("a", "artifact-a", "");
    pom("b", "artifact-b", needs("artifact-a"));
    pom("c", "artifact-c", needs("artifact-b"));
    pom("cloudformation", "cloudformation", "");
    write(".gitignore", "target/\nmaven.txt\n");
    write("a/src/test/java/T.java", "read(\"../docs/page.md\")");
    write("docs/page.md", "text");
    write("docs/other.md", "text");
    git("init", "--quiet", "--initial-branch=main");
    commit();
    git("checkout", "--quiet", "-b", "work");
  }

  private static String modules(String... names) {
    return "<module>" + String.join("</module><module>", names) + "</module>";
  }

  private static String needs(String artifact) {
    return "<dependencies><dependency><artifactId>%s</artifactId></dependency></dependencies>"
        .formatted(artifact);
  }

  private void pom(String directory, String artifact, String rest) throws IOException {
    write(Path.of(directory, "pom.xml").toString(), POM.formatted(artifact, artifact, rest));
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text, StandardCharsets.UTF_8);
  }

  @Test
  void nothingDiffers() throws Exception {
    assertThat(changed("--list", "main")).isEqualTo("tested: nothing");
  }

  @Test
  void aModuleAndWhatDependsOnIt() throws Exception {
    write("b/src/main/java/B.java", "class B {}");
    assertThat(changed("--list", "main")).as("not committed").isEqualTo("tested: b, c");
    commit();
    assertThat(changed("--list", "main")).as("committed").isEqualTo("tested: b, c");
  }

  @Test
  void whatOthersChangedInTheMeantimeIsLeftOut() throws Exception {
    git("checkout", "--quiet", "main");
    write("a/src/main/java/A.java", "class A {}");
    commit();
    git("checkout", "--quiet", "work");
    write("c/src/main/java/C.java", "class C {}");
    assertThat(changed("--list", "main")).isEqualTo("tested: c");
  }

  @Test
  void aFileThatWentAway() throws Exception {
    Files.delete(root.resolve("a/src/test/java/T.java"));
    assertThat(changed("--list", "main")).isEqualTo("tested: a, b, c");
  }

  @Test
  void aDocumentTestsTheModulesThatNameIt() throws Exception {
    write("docs/other.md", "changed");
    assertThat(changed("--list", "main")).isEqualTo("tested: cloudformation");
    write("docs/page.md", "changed");
    assertThat(changed("--list", "main")).isEqualTo("tested: a, b, c, cloudformation");
  }

  @Test
  void aFileOfTheWholeBuildTestsAll() throws Exception {
    write("Makefile", "test:\n");
    assertThat(changed("--list", "main")).isEqualTo("tested: a, b, c, cloudformation");
  }

  @Test
  void mavenTestsTheMarkedModulesOnly() throws Exception {
    write("a/target/changed", "of a run before");
    write("b/src/main/java/B.java", "class B {}");
    write("maven.txt", "");
    String output =
        changed("main", "sh", "-c", "echo \"$0 $@\" >>maven.txt; ls */target/changed >>maven.txt");
    assertThat(output).startsWith("tested: b, c\n").contains("passed");
    assertThat(Files.readAllLines(root.resolve("maven.txt")))
        .containsExactly(
            "-Daws.check.skip=true -Dtest.changed -pl b,c -am verify",
            "b/target/changed",
            "c/target/changed");
  }

  private void commit() throws IOException, InterruptedException {
    git("add", "--all");
    git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "t");
  }

  private void git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    run(command);
  }

  private String changed(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add("python3");
    command.add(Path.of("bin", "test-changed").toAbsolutePath().toString());
    command.addAll(List.of(arguments));
    return run(command);
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
    return output.strip();
  }
}
