package io.tsdbsuite.testkit;

import io.tsdbsuite.testkit.server.Launcher;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One child JVM that runs a launcher: the parent's side of {@link Launcher}'s protocol. */
final class ServerProcess {
  private static final int LOG_TAIL_BYTES = 6000;
  private static final String SEPARATOR = File.pathSeparator;

  /** Flags of all servers: a short start-up matters more than peak speed. */
  private static final List<String> COMMON_FLAGS =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xss512k");

  /**
   * A terminal sends Ctrl-C to all its processes. The servers must ignore it, because the parent
   * handles it and stops them in order. A JVM that is started with an ignored signal keeps ignoring
   * it.
   */
  private static final List<String> DEAF_TO_TERMINAL =
      List.of("/bin/sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh");

  /**
   * A kind of server.
   *
   * @param mainClass the launcher
   * @param libraries the server's libraries
   * @param flags its JVM's flags
   * @param environment variables that its JVM gets in addition
   * @param javaHome system property with the directory of another Java for this kind
   */
  record Kind(
      String mainClass,
      Libraries libraries,
      List<String> flags,
      Map<String, String> environment,
      String javaHome) {
    static final Kind HBASE =
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
    static final Kind HBASE_ON_HADOOP =
        new Kind(HBASE.mainClass, Kind::hbaseOnHadoop, HBASE.flags, Map.of(), HBASE.javaHome);

    static final Kind TSD = of("TsdLauncher", "testkit-server-tsd", "-Xmx512m");
    static final Kind KAFKA = of("KafkaLauncher", "testkit-server-kafka", "-Xmx384m");
    static final Kind KAFKA_2 = of("Kafka2Launcher", "testkit-server-kafka2", "-Xmx384m");

    /** The launcher for 3.9 also works with 4: it calls the same methods. */
    static final Kind KAFKA_4 = of("KafkaLauncher", "testkit-server-kafka4", "-Xmx384m");

    static final Kind HADOOP =
        of(
            "HadoopLauncher",
            "testkit-server-hadoop",
            "-Xmx512m",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED");
    static final Kind KDC = of("KdcLauncher", "testkit-server-kdc", "-Xmx128m");
    static final Kind S3 = of("S3Launcher", "testkit-server-s3", "-Xmx192m");

    /** The same with the optimizing compiler, for benchmarks: a slower start, but full speed. */
    Kind optimized() {
      List<String> all = new ArrayList<>(flags);
      all.add("-XX:TieredStopAtLevel=4");
      return new Kind(mainClass, libraries, all, environment, javaHome);
    }

    /** The same with further flags of the JVM, after its own. */
    Kind with(List<String> more) {
      List<String> all = new ArrayList<>(flags);
      all.addAll(more);
      return new Kind(mainClass, libraries, all, environment, javaHome);
    }

    /** The same with further variables of the environment. */
    Kind environment(Map<String, String> more) {
      Map<String, String> all = new LinkedHashMap<>(environment);
      all.putAll(more);
      return new Kind(mainClass, libraries, flags, all, javaHome);
    }

    private static String hbaseOnHadoop() throws IOException {
      List<String> jars = new ArrayList<>();
      for (String jar : ServerProcess.libraries("testkit-server-hbase").split(SEPARATOR, -1)) {
        if (!jar.contains("hadoop-client-")) {
          jars.add(jar);
        }
      }
      jars.add(ServerProcess.libraries("testkit-server-hadoop"));
      return String.join(SEPARATOR, jars);
    }

    private static Kind of(String launcher, String artifact, String... flags) {
      return new Kind(
          Launcher.class.getPackageName() + "." + launcher,
          () -> ServerProcess.libraries(artifact),
          List.of(flags),
          Map.of(),
          artifact + ".java.home");
    }
  }

  /** The libraries of a kind of server, looked up when one starts. */
  interface Libraries {
    /** A class path. */
    String classPath() throws IOException;
  }

  private final String name;
  private final Process process;
  private final Path log;
  private final Map<String, String> ready;
  private boolean suspended;

  private ServerProcess(String name, Process process, Path log, Map<String, String> ready) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.ready = ready;
  }

  /**
   * Starts a child and waits for its READY line.
   *
   * @param kind kind of server
   * @param name name in messages, and of the log {@code <name>.log}
   * @param dir its working directory, created if it does not exist
   * @param extraClassPath before the server's own class path, for plugins
   * @param arguments the launcher's arguments
   * @param timeout maximum time of the start
   * @throws ServerException with the end of the log when it does not start
   */
  static ServerProcess start(
      Kind kind,
      String name,
      Path dir,
      List<Path> extraClassPath,
      Map<String, String> arguments,
      Duration timeout) {
    Path log = dir.resolve(name + ".log");
    Process process;
    try {
      List<String> command = new ArrayList<>(DEAF_TO_TERMINAL);
      command.addAll(java(kind, dir, extraClassPath));
      command.add(kind.mainClass);
      arguments.forEach((key, value) -> command.add(key + "=" + value));
      process =
          builder(kind, command, dir)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " could not be started", e);
    }
    CompletableFuture<Map<String, String>> ready = new CompletableFuture<>();
    Thread reader = new Thread(() -> readProtocol(process, ready), name + "-stdout");
    reader.setDaemon(true);
    reader.start();
    try {
      return new ServerProcess(
          name, process, log, ready.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException e) {
      int rc = waitFor(process);
      throw new ServerException(
          name + " ended with exit code " + rc + " while it started; end of its log:\n" + tail(log),
          e.getCause());
    } catch (TimeoutException e) {
      process.destroyForcibly();
      waitFor(process);
      throw new ServerException(
          name
              + " did not start within "
              + timeout.toSeconds()
              + " s; end of its log:\n"
              + tail(log),
          e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while " + name + " started", e);
    }
  }

  /**
   * The command of a JVM with a server's class path, up to the main class.
   *
   * @param kind kind of server with the class path and flags
   * @param dir a directory that the JVM may write
   * @param extraClassPath before the server's own class path
   */
  static List<String> java(Kind kind, Path dir, List<Path> extraClassPath) throws IOException {
    Path tmp = Files.createDirectories(dir.resolve("tmp")).toAbsolutePath();
    List<String> command = new ArrayList<>();
    String home = System.getProperty(kind.javaHome, System.getProperty("java.home"));
    command.add(Path.of(home, "bin", "java").toString());
    command.addAll(COMMON_FLAGS);
    command.addAll(kind.flags);
    command.addAll(flagsOfTheRun());
    command.add("-Djava.io.tmpdir=" + tmp);
    command.add("-XX:ErrorFile=" + tmp.resolve("hs_err_%p.log"));
    command.add("-XX:-UsePerfData"); // Otherwise it leaves a file in the system's tmp directory.
    command.add("-cp");
    command.add(classPath(kind, extraClassPath));
    return command;
  }

  private static ProcessBuilder builder(Kind kind, List<String> command, Path dir) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
    // The options of the test JVM are not for the servers.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("CLASSPATH");
    builder.environment().putAll(kind.environment);
    return builder;
  }

  /**
   * Runs a program of a server's class path until it exits.
   *
   * @param kind kind of server with the class path and flags
   * @param dir its working directory
   * @param program flags of the JVM, the main class and its arguments
   * @param timeout maximum time
   * @throws ServerException when it takes longer
   */
  static ToolRun run(Kind kind, Path dir, List<String> program, Duration timeout) {
    try {
      List<String> command = java(kind, dir, List.of());
      command.addAll(program);
      Path output = Files.createTempFile(dir, "tool", ".log");
      Process process =
          builder(kind, command, dir)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .start();
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        throw new ServerException(
            program + " took over " + timeout.toSeconds() + " s; its output:\n" + tail(output));
      }
      return new ToolRun(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(program + " could not be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while " + program + " ran", e);
    }
  }

  /** Flags after all others, so that they win: benchmarks enable the optimizing compiler. */
  private static List<String> flagsOfTheRun() {
    String flags = System.getProperty("testkit.jvm.flags", "").strip();
    return flags.isEmpty() ? List.of() : List.of(flags.split(" +", -1));
  }

  /** The entries of the READY line. */
  Map<String, String> ready() {
    return ready;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The end of the log, for messages. */
  String logTail() {
    return tail(log);
  }

  /**
   * Stops the process cleanly and waits for its exit.
   *
   * @throws ServerException when it did not exit cleanly
   */
  void stop() {
    if (suspended) {
      resume();
    }
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The child has exited already; its exit code is checked below.
    }
    try {
      if (!process.waitFor(Launcher.STOP_SECONDS + 10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while " + name + " stopped", e);
    }
    if (process.exitValue() != 0) {
      throw new ServerException(
          name + " stopped with exit code " + process.exitValue() + "; log:\n" + tail(log));
    }
  }

  /** The processes that it has started, and theirs. */
  List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  /** Kills the process like a crash (SIGKILL) and waits for its exit. */
  void kill() {
    process.destroyForcibly();
    waitFor(process);
  }

  /** Suspends its threads like a long pause (SIGSTOP). */
  void suspend() {
    signal("STOP");
    suspended = true;
  }

  /** Resumes it (SIGCONT). */
  void resume() {
    signal("CONT");
    suspended = false;
  }

  private void signal(String signal) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
              .redirectErrorStream(true)
              .start();
      String said = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int rc = waitFor(kill);
      if (rc != 0) {
        throw new ServerException("kill -" + signal + " of " + name + " failed: " + said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void readProtocol(Process process, CompletableFuture<Map<String, String>> ready) {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.equals("READY") || line.startsWith("READY ")) {
          String[] words = line.split(" ", -1);
          ready.complete(
              Launcher.parse(List.of(words).subList(1, words.length).toArray(new String[0])));
        }
      }
    } catch (IOException e) {
      ready.completeExceptionally(e);
    }
    ready.completeExceptionally(new ServerException("standard output closed without READY"));
  }

  private static int waitFor(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while waiting for the end of a process", e);
    }
  }

  private static String classPath(Kind kind, List<Path> extra) throws IOException {
    List<String> entries = new ArrayList<>();
    entries.add(codeSource(kind.mainClass));
    entries.add(codeSource(Launcher.class.getName()));
    extra.forEach(path -> entries.add(path.toAbsolutePath().toString()));
    entries.add(kind.libraries.classPath());
    return String.join(File.pathSeparator, entries);
  }

  /** The class path that Maven wrote for a module. */
  static String libraries(String artifact) throws IOException {
    String resource = "META-INF/testkit/" + artifact + ".classpath";
    try (InputStream in = ServerProcess.class.getClassLoader().getResourceAsStream(resource)) {
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
      Class<?> type = Class.forName(className, false, ServerProcess.class.getClassLoader());
      CodeSource source = Objects.requireNonNull(type.getProtectionDomain().getCodeSource());
      return Path.of(source.getLocation().toURI()).toString();
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new ServerException("launcher " + className + " is not on the class path", e);
    }
  }

  private static String tail(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - LOG_TAIL_BYTES);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(no log: " + e + ")";
    }
  }
}
