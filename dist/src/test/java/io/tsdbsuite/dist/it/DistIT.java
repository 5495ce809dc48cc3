package io.tsdbsuite.dist.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.cli.CommandLines;
import io.tsdbsuite.dist.command.Program;
import io.tsdbsuite.dist.command.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.cpio.CpioArchiveEntry;
import org.apache.commons.compress.archivers.cpio.CpioArchiveInputStream;
import org.eclipse.packager.rpm.RpmTag;
import org.eclipse.packager.rpm.parse.RpmInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The distribution as users get it: unpacked by tar and dpkg-deb, and run with a JDK, the coreutils
 * of a small container, and nothing else. The profile dist builds it before.
 */
class DistIT {
  private static final Path DIST = Path.of(System.getProperty("dist.directory"));
  private static final String VERSION = System.getProperty("suite.version");

  /** What the commands call: part of every container that has a shell. */
  private static final List<String> TOOLS = List.of("sh", "dirname", "readlink");

  @TempDir static Path dir;
  private static Path suite;

  private record Run(int code, String out, String err) {}

  @BeforeAll
  static void unpack() throws Exception {
    Run tar =
        run(
            System.getenv(),
            List.of(
                "tar",
                "-xzf",
                DIST.resolve("opentsdb-suite-" + VERSION + ".tar.gz").toString(),
                "-C",
                dir.toString()));
    assertThat(tar.code()).as(tar.err()).isZero();
    suite = dir.resolve("opentsdb-suite-" + VERSION);
    Path bin = Files.createDirectory(dir.resolve("container-bin"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(bin.resolve(tool), Path.of("/usr/bin", tool).toRealPath());
    }
  }

  /** Only JAVA_HOME, and a PATH of a few tools. */
  private static Map<String, String> container() {
    return Map.of(
        "JAVA_HOME", System.getProperty("java.home"),
        "PATH", dir.resolve("container-bin").toString());
  }

  private static Run run(Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(dir, "out", "");
    Path err = Files.createTempFile(dir, "err", "");
    ProcessBuilder process = new ProcessBuilder(command).directory(dir.toFile());
    process.environment().clear();
    process.environment().putAll(environment);
    int code = process.redirectOutput(out.toFile()).redirectError(err.toFile()).start().waitFor();
    return new Run(code, Files.readString(out), Files.readString(err));
  }

  private static Run command(Path root, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(words));
    command.set(0, root.resolve(words[0]).toString());
    return run(container(), command);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rollup-job", "bulk-loader", "series-report", "stream-rollup", "rollup-nightly"})
  void commandsTellVersionAndHelpWithAJdkAlone(String name) throws Exception {
    Run version = command(suite, "bin/" + name, "--version");
    assertThat(version.err()).isEmpty();
    assertThat(version.out()).startsWith(name + " " + VERSION + "\n");
    Run help = command(suite, "bin/" + name, "--help");
    assertThat(help.err()).isEmpty();
    assertThat(help.out()).contains("Usage: " + name).contains("--version");
    assertThat(version.code() + help.code()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "rollup-job,load",
    "rollup-job,verify",
    "rollup-job,prune",
    "rollup-job,tiers",
    "bulk-loader,spark-load",
    "series-report,idle"
  })
  void helpOfACommandNeedsNoSpark(String name, String command) throws Exception {
    Run help = command(suite, "bin/" + name, "help", command);
    assertThat(help.err()).isEmpty();
    assertThat(help.out()).contains("Usage: " + name + " " + command);
    assertThat(help.code()).isZero();
    assertThat(command(suite, "bin/" + name, command, "--help").out()).isEqualTo(help.out());
  }

  @Test
  void commandsRunThroughLinks() throws Exception {
    Path links = Files.createDirectory(dir.resolve("links"));
    Files.createSymbolicLink(links.resolve("absolute"), suite.resolve("bin/bulk-loader"));
    Files.createSymbolicLink(links.resolve("relative"), Path.of("absolute"));
    Run run = run(container(), List.of(links.resolve("relative").toString(), "--version"));
    assertThat(run.out()).as(run.err()).startsWith("bulk-loader " + VERSION);
  }

  @Test
  void aScriptIsMadeForAProgramThatNeedsJavaAlone() throws Exception {
    Program program =
        Program.ofJava(
            "some-tool",
            "bulk-loader",
            "all",
            "io.tsdbsuite.bulk.cli.BulkLoaderMain",
            CommandLines::create);
    Path bin = Files.createDirectory(dir.resolve("bin"));
    Path script = Files.writeString(bin.resolve("some-tool"), program.script().orElseThrow());
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Files.createSymbolicLink(dir.resolve("lib"), suite.resolve("lib"));
    Run run = command(dir, "bin/some-tool", "--version");
    assertThat(run.out()).as(run.err()).startsWith("bulk-loader " + VERSION);
    Map<String, String> environment = new TreeMap<>(container());
    environment.put("SOME_TOOL_JAR", "/nowhere.jar");
    assertThat(run(environment, List.of(script.toString())).err())
        .isEqualTo(
            "some-tool: bulk-loader-*-all.jar must be in lib/ beside bin/ or beside this command,"
                + " or SOME_TOOL_JAR name it, found: '/nowhere.jar'\n");
  }

  @Test
  void withoutSparkOneMessageSaysSo() throws Exception {
    for (String[] words :
        new String[][] {
          {"bin/rollup-job", "--day", "2026-01-01"}, {"bin/bulk-loader", "spark-load"}
        }) {
      Run run = command(suite, words);
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err())
          .contains("spark-submit of Spark 3.5 must be in SPARK_HOME or on the PATH");
    }
  }

  @Test
  void withoutJavaOneMessageSaysSo() throws Exception {
    Map<String, String> environment = Map.of("PATH", dir.resolve("container-bin").toString());
    Run run = run(environment, List.of(suite.resolve("bin/bulk-loader").toString(), "--version"));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "bulk-loader: Java 17 or later must be in JAVA_HOME or on the PATH, found neither\n");
  }

  /** A java that says what an old one says; the real thing cannot be installed everywhere. */
  @ParameterizedTest
  @CsvSource({"1.8.0_412,false", "11.0.23,false", "17.0.9,true", "21,true", "25-ea,true"})
  void anOldJavaIsNamed(String version, boolean good) throws Exception {
    Path home = Files.createTempDirectory(dir, "java");
    Path java = Files.createDirectory(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"" + version + "\" 2024' >&2\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Map<String, String> environment = new TreeMap<>(container());
    environment.put("JAVA_HOME", home.toString());
    Run run = run(environment, List.of(suite.resolve("bin/bulk-loader").toString(), "--version"));
    if (good) {
      assertThat(run.code()).as(run.err()).isZero();
    } else {
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).contains("Java 17 or later is required, found: " + version);
    }
  }

  /** spark-submit's command line, as the script that stands in for it prints it. */
  @Test
  void sparksOptionsGoBeforeTheJar() throws Exception {
    Path home = Files.createTempDirectory(dir, "spark");
    Path submit = Files.createDirectory(home.resolve("bin")).resolve("spark-submit");
    Files.writeString(submit, "#!/bin/sh\nfor word; do echo \"<$word>\"; done\n");
    assertThat(submit.toFile().setExecutable(true)).isTrue();
    Map<String, String> environment = new TreeMap<>(container());
    environment.put("SPARK_HOME", home.toString());
    environment.put("SPARK_OPTIONS", "--master yarn");
    String jar = suite.resolve("bin/../lib/rollup-job-" + VERSION + "-spark.jar").toString();
    String script = suite.resolve("bin/rollup-job").toString();
    Run run =
        run(environment, List.of(script, "--conf", "a=b c", "--", "verify", "--sample", "1 %"));
    assertThat(run.out().lines())
        .containsExactly(
            "<--master>",
            "<yarn>",
            "<--conf>",
            "<a=b c>",
            "<--class>",
            "<io.tsdbsuite.rollup.cli.RollupMain>",
            "<" + jar + ">",
            "<verify>",
            "<--sample>",
            "<1 %>");
    assertThat(run(environment, List.of(script, "prune")).out().lines())
        .containsExactly(
            "<--master>",
            "<yarn>",
            "<--class>",
            "<io.tsdbsuite.rollup.cli.RollupMain>",
            "<" + jar + ">",
            "<prune>");
  }

  @Test
  void everyFileHasItsChecksum() throws Exception {
    for (Path sums : List.of(suite, DIST)) {
      List<String> command =
          List.of("sh", "-c", "cd '" + sums + "' && sha256sum --quiet --check SHA256SUMS");
      Run check = run(System.getenv(), command);
      assertThat(check.code()).as(check.out() + check.err()).isZero();
    }
    TreeSet<String> listed = new TreeSet<>();
    Files.readAllLines(suite.resolve("SHA256SUMS")).forEach(line -> listed.add(line.substring(66)));
    assertThat(files(suite, false)).containsExactlyElementsOf(listed);
  }

  private static Set<String> files(Path root, boolean links) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      TreeSet<String> found = new TreeSet<>();
      all.filter(file -> links || !Files.isSymbolicLink(file))
          .filter(file -> Files.isSymbolicLink(file) || Files.isRegularFile(file))
          .map(file -> root.relativize(file).toString())
          .filter(file -> !file.equals("SHA256SUMS"))
          .forEach(found::add);
      return found;
    }
  }

  @Test
  void theExampleOfANightNamesTheJarOfTheJob() throws IOException {
    String share = "job.jar = /usr/share/opentsdb-suite/";
    String jar =
        Files.readAllLines(suite.resolve("conf/nightly.conf")).stream()
            .filter(line -> line.startsWith(share))
            .map(line -> line.substring(share.length()))
            .findFirst()
            .orElseThrow();
    assertThat(jar).doesNotContain(VERSION);
    assertThat(suite.resolve(jar).toRealPath())
        .isEqualTo(suite.resolve("lib/rollup-job-" + VERSION + "-spark.jar").toRealPath());
  }

  private static final List<String> PACKAGES =
      List.of(
          "opentsdb-histogram-codec",
          "opentsdb-kafka-ingest",
          "opentsdb-rollup-query",
          "opentsdb-tsuid-ratelimiter",
          "opentsdb-suite");

  private static Set<String> expected(String name) throws IOException {
    TreeSet<String> expected = new TreeSet<>();
    String doc = "usr/share/doc/" + name + "/";
    if (!name.equals("opentsdb-suite")) {
      String plugin = name.substring("opentsdb-".length());
      expected.add("usr/share/opentsdb/lib/" + plugin + "-" + VERSION + "-tsd.jar");
      for (String file :
          List.of(
              "copyright",
              plugin + ".md",
              "securing-a-tsd.md",
              plugin + ".cdx.json",
              "examples/opentsdb.conf",
              "examples/opentsdb.service",
              "examples/rollup_config.json")) {
        expected.add(doc + file);
      }
      return expected;
    }
    for (String file : files(suite, true)) {
      String top = file.contains("/") ? file.substring(0, file.indexOf('/')) : file;
      switch (top) {
        case "bin" -> {
          expected.add("usr/share/opentsdb-suite/" + file);
          expected.add("usr/" + file);
        }
        case "VERSION", "cloudformation", "conf", "lib", "licenses", "sbom" ->
            expected.add("usr/share/opentsdb-suite/" + file);
        case "completion" ->
            expected.add("usr/share/bash-completion/completions/" + file.substring(11));
        case "man" -> expected.add("usr/share/" + file + ".gz");
        case "docs", "README.md", "CHANGELOG.md", "SECURITY.md" -> expected.add(doc + file);
        case "LICENSE" -> expected.add(doc + "copyright");
        case "plugins" -> {} // packages of their own
        default -> throw new AssertionError("no package has " + file);
      }
    }
    return expected;
  }

  private static String packageVersion() {
    return VERSION.replace('-', '~');
  }

  /** Git has only the one for OpenTSDB. */
  @Test
  void hasTheDashboardForPrometheus() {
    assertThat(suite.resolve("docs/operations/grafana-dashboard-prometheus.json"))
        .content(UTF_8)
        .contains("(Prometheus)\"", "\"type\": \"prometheus\"");
  }

  @Test
  void debianPackagesHaveTheFilesOfTheTarGz() throws Exception {
    for (String name : PACKAGES) {
      Path deb = DIST.resolve(name + "_" + packageVersion() + "_all.deb");
      Path root = dir.resolve("root-" + name);
      Run extract =
          run(System.getenv(), List.of("dpkg-deb", "-x", deb.toString(), root.toString()));
      assertThat(extract.code()).as(extract.err()).isZero();
      assertThat(files(root, true)).containsExactlyElementsOf(expected(name));
      Run field =
          run(System.getenv(), List.of("dpkg-deb", "-f", deb.toString(), "Package", "Version"));
      assertThat(field.out())
          .isEqualTo("Package: " + name + "\nVersion: " + packageVersion() + "\n");
    }
    // Of a package that is unpacked, the links of /usr/bin run.
    for (Program program : Programs.all()) {
      Run run =
          command(dir.resolve("root-opentsdb-suite"), "usr/bin/" + program.name(), "--version");
      assertThat(run.out()).as(run.err()).startsWith(program.name() + " " + VERSION);
    }
  }

  @Test
  void rpmPackagesHaveTheFilesOfTheTarGz() throws Exception {
    for (String name : PACKAGES) {
      Path rpm = DIST.resolve(name + "-" + packageVersion() + "-1.noarch.rpm");
      TreeSet<String> found = new TreeSet<>();
      try (RpmInputStream in = new RpmInputStream(Files.newInputStream(rpm))) {
        assertThat(in.getPayloadHeader().getTag(RpmTag.NAME)).isEqualTo(name);
        if (name.equals("opentsdb-suite")) {
          assertThat(in.getPayloadHeader().getTag(RpmTag.RECOMMEND_NAME))
              .isEqualTo(new String[] {"(java-17-headless or java-21-headless)", "python3"});
        }
        CpioArchiveInputStream cpio = in.getCpioStream();
        for (CpioArchiveEntry entry = cpio.getNextEntry();
            entry != null;
            entry = cpio.getNextEntry()) {
          if (!entry.isDirectory()) {
            found.add(entry.getName().substring(2));
          }
        }
      }
      assertThat(found).containsExactlyElementsOf(expected(name));
    }
  }

  /** tar reads them, too: they are streams of tar in gzip. */
  @Test
  void alpinePackagesHaveTheFilesOfTheTarGz() throws Exception {
    for (String name : PACKAGES) {
      Path apk = DIST.resolve(name + "_" + VERSION.replace("-SNAPSHOT", "_pre") + "_noarch.apk");
      Run list = run(System.getenv(), List.of("tar", "-tzf", apk.toString()));
      assertThat(list.out().lines().filter(path -> !path.endsWith("/") && !path.startsWith(".")))
          .containsExactlyInAnyOrderElementsOf(expected(name));
    }
  }

  @Test
  void pythonCommandsTellTheirVersion() throws Exception {
    for (String name : List.of("report-metrics", "stream-metrics", "rollup-aws")) {
      Run run = run(System.getenv(), List.of(suite.resolve("bin/" + name).toString(), "--version"));
      assertThat(run.out()).as(run.err()).isEqualTo(name + " " + VERSION + "\n");
    }
  }

  /** bash reads each file, and knows the command's options afterwards. */
  @Test
  void completionIsReadByBash() throws Exception {
    for (Program program : Programs.all()) {
      String script =
          "source '%s' && complete -p %s"
              .formatted(suite.resolve("completion").resolve(program.name()), program.name());
      Run run = run(System.getenv(), List.of("bash", "-c", script));
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out()).contains("_complete_" + program.name());
    }
    assertThat(new String(Files.readAllBytes(suite.resolve("VERSION")), UTF_8)).startsWith(VERSION);
  }
}
