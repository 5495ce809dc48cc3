package io.tsdbsuite.testkit;

import io.tsdbsuite.testkit.server.Launcher;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A kind of server.
 *
 * @param mainClass the launcher
 * @param libraries the server's libraries
 * @param flags its JVM's flags
 * @param environment variables that its JVM gets in addition
 * @param javaHome system property with the directory of another Java for this kind
 */
record ServerKind(
    String mainClass,
    Libraries libraries,
    List<String> flags,
    Map<String, String> environment,
    String javaHome) {
  private static final String SEPARATOR = File.pathSeparator;

  /** Flags of all servers: a short start-up matters more than peak speed. */
  private static final List<String> COMMON_FLAGS =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xss512k");

  static final ServerKind HBASE =
      of(
          "HBaseLauncher",
          "testkit-server-hbase",
          "-Xmx1g",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED");

  /**
   * HBase with the libraries of a Hadoop installation. Hadoop's shaded client lacks a class
   * (ZKClientConfig) that HBase meets when it acts for its own login.
   */
  static final ServerKind HBASE_ON_HADOOP =
      new ServerKind(
          HBASE.mainClass, ServerKind::hbaseOnHadoop, HBASE.flags, Map.of(), HBASE.javaHome);

  /** A TSD answers no query of more series than its stacks have room for: docs/tuning.md. */
  static final ServerKind TSD = of("TsdLauncher", "testkit-server-tsd", "-Xmx512m", "-Xss16m");

  static final ServerKind KAFKA = of("KafkaLauncher", "testkit-server-kafka", "-Xmx384m");
  static final ServerKind KAFKA_2 = of("Kafka2Launcher", "testkit-server-kafka2", "-Xmx384m");

  /** The launcher for 3.9 also works with 4: it calls the same methods. */
  static final ServerKind KAFKA_4 = of("KafkaLauncher", "testkit-server-kafka4", "-Xmx384m");

  static final ServerKind HADOOP =
      of(
          "HadoopLauncher",
          "testkit-server-hadoop",
          "-Xmx512m",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED");
  static final ServerKind KDC = of("KdcLauncher", "testkit-server-kdc", "-Xmx128m");
  static final ServerKind S3 = of("S3Launcher", "testkit-server-s3", "-Xmx192m");

  /** The same with the optimizing compiler, for benchmarks: a slower start, but full speed. */
  ServerKind optimized() {
    List<String> all = new ArrayList<>(flags);
    all.add("-XX:TieredStopAtLevel=4");
    return new ServerKind(mainClass, libraries, all, environment, javaHome);
  }

  /** The same with further flags of the JVM, after its own. */
  ServerKind with(List<String> more) {
    List<String> all = new ArrayList<>(flags);
    all.addAll(more);
    return new ServerKind(mainClass, libraries, all, environment, javaHome);
  }

  /** The same with further variables of the environment. */
  ServerKind environment(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(environment);
    all.putAll(more);
    return new ServerKind(mainClass, libraries, flags, all, javaHome);
  }

  private static String hbaseOnHadoop() throws IOException {
    List<String> jars = new ArrayList<>();
    for (String jar : libraries("testkit-server-hbase").split(SEPARATOR, -1)) {
      if (!jar.contains("hadoop-client-")) {
        jars.add(jar);
      }
    }
    jars.add(libraries("testkit-server-hadoop"));
    return String.join(SEPARATOR, jars);
  }

  private static ServerKind of(String launcher, String artifact, String... flags) {
    return new ServerKind(
        Launcher.class.getPackageName() + "." + launcher,
        () -> libraries(artifact),
        List.of(flags),
        Map.of(),
        artifact + ".java.home");
  }

  /**
   * The command of a JVM with the server's class path, up to the main class.
   *
   * @param dir a directory that the JVM may write
   * @param extraClassPath before the server's own class path
   */
  List<String> command(Path dir, List<Path> extraClassPath) throws IOException {
    Path tmp = Files.createDirectories(dir.resolve("tmp")).toAbsolutePath();
    List<String> command = new ArrayList<>();
    String home = System.getProperty(javaHome, System.getProperty("java.home"));
    Path java = Path.of(home, "bin", "java");
    String classPath = classPath(extraClassPath);
    command.add(java.toString());
    command.addAll(COMMON_FLAGS);
    // Another Java may be too old for it.
    if (System.getProperty(javaHome) == null) {
      command.addAll(new ClassArchive(archives(), java, classPath).flags());
    }
    command.addAll(flags);
    command.addAll(flagsOfTheRun());
    command.add("-Djava.io.tmpdir=" + tmp);
    command.add("-XX:ErrorFile=" + tmp.resolve("hs_err_%p.log"));
    command.add("-XX:-UsePerfData"); // Otherwise it leaves a file in the system's tmp directory.
    command.add("-cp");
    command.add(classPath);
    return command;
  }

  /** Flags after all others, so that they win: benchmarks enable the optimizing compiler. */
  private static List<String> flagsOfTheRun() {
    String flags = System.getProperty("testkit.jvm.flags", "").strip();
    return flags.isEmpty() ? List.of() : List.of(flags.split(" +", -1));
  }

  /** One directory for the servers of all modules. */
  private static Path archives() {
    return Path.of(codeSource(Launcher.class.getName())).resolveSibling("class-archives");
  }

  private String classPath(List<Path> extra) throws IOException {
    List<String> entries = new ArrayList<>();
    entries.add(codeSource(mainClass));
    entries.add(codeSource(Launcher.class.getName()));
    extra.forEach(path -> entries.add(path.toAbsolutePath().toString()));
    entries.add(libraries.classPath());
    return String.join(File.pathSeparator, entries);
  }

  /** The class path that Maven wrote for a module. */
  static String libraries(String artifact) throws IOException {
    String resource = "META-INF/testkit/" + artifact + ".classpath";
    try (InputStream in = ServerKind.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new ServerException(
            resource + " is missing: run Maven's generate-resources phase of " + artifact);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  private static String codeSource(String className) {
    try {
      // Not initialized and therefore not linked: its libraries are not on this class path.
      Class<?> type = Class.forName(className, false, ServerKind.class.getClassLoader());
      CodeSource source = Objects.requireNonNull(type.getProtectionDomain().getCodeSource());
      return Path.of(source.getLocation().toURI()).toString();
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new ServerException("launcher " + className + " is not on the class path", e);
    }
  }

  /** The libraries of a kind of server, looked up when one starts. */
  interface Libraries {
    /** A class path. */
    String classPath() throws IOException;
  }
}
