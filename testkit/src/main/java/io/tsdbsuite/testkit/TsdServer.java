package io.tsdbsuite.testkit;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An unpatched TSD 2.4.1 in its own JVM.
 *
 * <p>Its tables must exist ({@link OpenTsdbTables}). Stop it before HBase, because its shutdown
 * hangs without HBase.
 */
public final class TsdServer extends ManagedServer {
  /**
   * The value of {@code tsd.core.histograms.config} with sketches: ids 42 and 43. A TSD with it
   * needs {@link #sketchCodec} on its class path.
   */
  public static final String SKETCH_CONFIG =
      "{\"" + HistogramCodecs.SIMPLE + "\": 42, \"" + HistogramCodecs.SKETCH + "\": 43}";

  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration TOOL = Duration.ofMinutes(5);
  private static final Duration DUMP = Duration.ofSeconds(30);

  private final String name;
  private final Path dir;
  private final Path configFile;
  private final int port;
  private final List<Path> extraClassPath;
  private final ServerKind kind;
  private final TsdClient client;

  private TsdServer(
      Path dir,
      String name,
      Map<String, String> conf,
      List<Path> extraClassPath,
      int port,
      ServerKind kind) {
    this.name = name;
    this.kind = kind;
    this.dir = dir.toAbsolutePath();
    this.extraClassPath = List.copyOf(extraClassPath);
    this.port = port;
    this.configFile = this.dir.resolve("opentsdb.conf");
    this.client = new TsdClient(URI.create("http://127.0.0.1:" + port + "/"), this::dumpThreads);
    writeConfig(conf);
  }

  /**
   * Starts a TSD.
   *
   * @param dir all of its files
   * @param name names it in messages, and its log
   * @param zkQuorum {@link HBaseServer#zkQuorum()}
   * @param conf added to the defaults of {@link #defaults}, or instead of them
   * @param extraClassPath jars or class directories of plugins
   * @return the running TSD
   * @throws ServerException with the end of the log when it does not start
   */
  public static TsdServer start(
      Path dir, String name, String zkQuorum, Map<String, String> conf, List<Path> extraClassPath) {
    return start(dir, name, zkQuorum, conf, extraClassPath, false);
  }

  /**
   * Starts a TSD whose JVM has further flags, for example for Kerberos.
   *
   * @param dir all of its files
   * @param name names it in messages, and its log
   * @param zkQuorum {@link HBaseServer#zkQuorum()}
   * @param conf added to the defaults of {@link #defaults}, or instead of them
   * @param extraClassPath jars or class directories of plugins
   * @param jvmFlags flags of its JVM, after the testkit's
   * @return the running TSD
   * @throws ServerException with the end of the log when it does not start
   */
  public static TsdServer start(
      Path dir,
      String name,
      String zkQuorum,
      Map<String, String> conf,
      List<Path> extraClassPath,
      List<String> jvmFlags) {
    return start(dir, name, zkQuorum, conf, extraClassPath, ServerKind.TSD.with(jvmFlags));
  }

  static TsdServer start(
      Path dir,
      String name,
      String zkQuorum,
      Map<String, String> conf,
      List<Path> extraClassPath,
      boolean optimized) {
    ServerKind kind = ServerKind.TSD;
    return start(dir, name, zkQuorum, conf, extraClassPath, optimized ? kind.optimized() : kind);
  }

  private static TsdServer start(
      Path dir,
      String name,
      String zkQuorum,
      Map<String, String> conf,
      List<Path> extraClassPath,
      ServerKind kind) {
    Path work = dir.toAbsolutePath();
    int port =
        conf.containsKey("tsd.network.port")
            ? Integer.parseInt(conf.get("tsd.network.port"))
            : FreePorts.next();
    Map<String, String> all = defaults(work, zkQuorum, port);
    all.putAll(conf);
    TsdServer server = new TsdServer(work, name, all, extraClassPath, port, kind);
    server.start();
    return server;
  }

  /**
   * The default configuration of the testkit's TSDs: metrics are created automatically, compaction
   * is off (a query would rewrite old rows), duplicates are resolved, request bodies have up to 64
   * MB, query limits are off, the simple histogram codec is set, and a flush runs every 50 ms, so
   * that synchronous puts do not wait for a second.
   *
   * @param dir the TSD's directory
   * @param zkQuorum ZooKeeper quorum of HBase
   * @param port the port to listen on
   * @return the keys of an opentsdb.conf
   */
  public static Map<String, String> defaults(Path dir, String zkQuorum, int port) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.network.bind", "127.0.0.1");
    conf.put("tsd.network.port", Integer.toString(port));
    conf.put("tsd.http.staticroot", dir.resolve("static").toString());
    conf.put("tsd.http.cachedir", dir.resolve("cache").toString());
    conf.put("tsd.http.request.enable_chunked", "true");
    conf.put("tsd.http.request.max_chunk", "67108864");
    conf.put("tsd.http.show_stack_trace", "true");
    conf.put("tsd.core.auto_create_metrics", "true");
    conf.put("tsd.core.histograms.config", "{\"net.opentsdb.core.SimpleHistogramDecoder\": 42}");
    conf.put("tsd.query.limits.bytes.default", "0");
    conf.put("tsd.query.limits.data_points.default", "0");
    conf.put("tsd.storage.enable_compaction", "false");
    conf.put("tsd.storage.fix_duplicates", "true");
    // 2.4.1 ignores tsd.storage.flush_interval; asynchbase reads its own key in this file.
    conf.put("hbase.rpcs.buffered_flush_interval", "50");
    conf.put("tsd.storage.hbase.zk_quorum", zkQuorum);
    return conf;
  }

  /**
   * Class path entries by which a TSD has the codec of sketches.
   *
   * @throws IllegalStateException when the test's module does not depend on histogram-codec
   */
  public static List<Path> sketchCodec() {
    return Stream.of(HistogramCodecs.SKETCH, Sketch.class.getName()).map(TsdServer::root).toList();
  }

  /** The jar or directory of a class. It may not be loadable here: the TSD has its superclass. */
  private static Path root(String className) {
    String file = className.replace('.', '/') + ".class";
    URL url = TsdServer.class.getClassLoader().getResource(file);
    if (url == null) {
      throw new IllegalStateException("must be on the class path: " + className);
    }
    String root = url.toString().replaceFirst("^jar:", "").replaceFirst("!?/" + file + "$", "");
    return Path.of(URI.create(root));
  }

  private void writeConfig(Map<String, String> conf) {
    StringBuilder text = new StringBuilder();
    // OpenTSDB reads it as java.util.Properties, where backslashes are escapes.
    conf.forEach(
        (key, value) ->
            text.append(key).append(" = ").append(value.replace("\\", "\\\\")).append('\n'));
    try {
      Files.createDirectories(Path.of(conf.get("tsd.http.staticroot")));
      Files.createDirectories(Path.of(conf.get("tsd.http.cachedir")));
      Files.createDirectories(dir);
      Files.writeString(configFile, text, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  ServerProcess launch() {
    return ServerProcess.start(
        kind, name, dir, extraClassPath, Map.of("config", configFile.toString()), START);
  }

  /** Appends a thread dump to {@code <name>.threads.txt} beside the log: a request is late. */
  void dumpThreads(String path) {
    Path file = dir.resolve(name + ".threads.txt");
    System.out.printf("/%s is late, threads of the TSD: %s%n", path, file);
    try {
      Process jcmd =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                  Long.toString(pid()),
                  "Thread.print",
                  "-l")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(file.toFile()))
              .start();
      // A TSD that is suspended does not answer.
      if (!jcmd.waitFor(DUMP.toSeconds(), TimeUnit.SECONDS)) {
        jcmd.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Its name.
   *
   * @return the name passed to {@link #start}
   */
  public String name() {
    return name;
  }

  /**
   * The port for HTTP and telnet, on 127.0.0.1.
   *
   * @return the port
   */
  public int port() {
    return port;
  }

  /**
   * The TSD's configuration, for jobs that read it.
   *
   * @return its opentsdb.conf
   */
  public Path configFile() {
    return configFile;
  }

  /**
   * A client of its HTTP API.
   *
   * @return the client
   */
  public TsdClient client() {
    return client;
  }

  /**
   * Runs one of OpenTSDB's command line tools until it exits, with this TSD's configuration, in its
   * own JVM: {@code tsdb uid fsck} is {@code tool("UidManager", "fsck")}.
   *
   * @param tool a class of net.opentsdb.tools
   * @param arguments arguments after the configuration
   * @return exit code and output
   * @throws ServerException when it takes over 5 minutes
   */
  public ToolRun tool(String tool, String... arguments) {
    List<String> program = new ArrayList<>();
    program.add("-Dtestkit.log.level=INFO");
    program.add("net.opentsdb.tools." + tool);
    program.add("--config=" + configFile);
    program.addAll(List.of(arguments));
    return ServerProcess.run(ServerKind.TSD, dir, program, TOOL);
  }

  /**
   * A client of its telnet interface.
   *
   * @return a new connection
   */
  public TelnetClient telnet() {
    return new TelnetClient(port);
  }
}
