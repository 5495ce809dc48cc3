package io.tsdbsuite.report.it;

import io.tsdbsuite.report.cli.SeriesReport;
import io.tsdbsuite.testkit.Stack;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One run of bin/series-report, with the jar that users install.
 *
 * @param exitCode of the process
 * @param out standard output
 * @param err standard error
 */
record ReportProcess(int exitCode, String out, String err) {
  private static final int MINUTES = 5;

  /** With the class path of a TSD. */
  static ReportProcess live(Path dir, String... arguments) throws Exception {
    return run(dir, "TSD_CLASSPATH", classPath("testkit-server-tsd"), arguments);
  }

  /** With what {@code hbase classpath} prints: HBase's libraries, then Hadoop's own. */
  static ReportProcess snapshot(Path dir, String... arguments) throws Exception {
    String jars = libraries("hadoop-client-") + File.pathSeparator + hadoop();
    return run(dir, "HBASE_CLASSPATH", jars, arguments);
  }

  /** With what {@code hadoop classpath} prints: Hadoop's own libraries, then those of S3A. */
  static ReportProcess hadoop(Path dir, String... arguments) throws Exception {
    String jars = hadoop() + File.pathSeparator + libraries("hadoop-client-|hbase-");
    return run(dir, "HBASE_CLASSPATH", jars, arguments);
  }

  private static String hadoop() throws IOException {
    return classPath("testkit-server-hadoop");
  }

  /**
   * The class path of the testkit's HBase.
   *
   * @param without beginnings of the names of jars that are left out; Hadoop's shaded client is
   *     what an installation does not have
   */
  private static String libraries(String without) throws IOException {
    Pattern left = Pattern.compile(without);
    return Stream.of(classPath("testkit-server-hbase").split(File.pathSeparator))
        .filter(jar -> !left.matcher(Path.of(jar).getFileName().toString()).lookingAt())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Without a process, which takes seconds: for what the class path does not decide. */
  static ReportProcess inThisJvm(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream messages = new PrintStream(err, true, StandardCharsets.UTF_8);
    int exitCode = SeriesReport.run(arguments, Clock.systemUTC(), out, messages);
    return new ReportProcess(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static ReportProcess run(Path dir, String variable, String classPath, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("bin/series-report"));
    command.addAll(List.of(arguments));
    Path out = dir.resolve("report.out");
    Path err = dir.resolve("report.err");
    Path tmp = Files.createDirectories(dir.resolve("tmp"));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SERIES_REPORT_JAR", System.getProperty("report.jar"));
    builder
        .environment()
        .put(
            "JAVA_OPTS",
            "-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Djava.io.tmpdir="
                + tmp.toAbsolutePath());
    builder.environment().put(variable, classPath);
    Process process = builder.start();
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        throw new AssertionError(
            command + " did not end in " + MINUTES + " minutes: " + Files.readString(err));
      }
    } finally {
      process.destroyForcibly();
    }
    return new ReportProcess(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  private static String classPath(String server) throws IOException {
    String resource = "META-INF/testkit/" + server + ".classpath";
    try (InputStream in = Stack.class.getClassLoader().getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }
}
