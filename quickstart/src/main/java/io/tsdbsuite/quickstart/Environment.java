package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.query.QueryClient;
import io.tsdbsuite.quickstart.stream.KafkaIngest;
import io.tsdbsuite.quickstart.stream.PointMessages;
import io.tsdbsuite.quickstart.stream.Topics;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What all steps of a run share.
 *
 * @param stack HBase, Kafka and S3
 * @param tsd the TSD, with both plugins
 * @param rollups its rollup configuration
 * @param rate the points of all whole days and of the last days
 * @param window the times of the run
 * @param console receives progress and results
 * @param clock the present
 */
record Environment(
    Stack stack,
    TsdServer tsd,
    RollupConfig rollups,
    RequestRate rate,
    Timeline window,
    Console console,
    Clock clock) {
  private static final Path MODULES = Path.of("..").toAbsolutePath().normalize();

  /**
   * Creates topics and tables, and starts the TSD with the plugins that the build has made.
   *
   * @param stack HBase and Kafka
   * @param directory receives the TSD's rollup_config.json
   */
  static Environment start(
      Stack stack, Path directory, RequestRate rate, Timeline window, Console console, Clock clock)
      throws IOException {
    List<Path> plugins = List.of(jar("kafka-ingest", "tsd"), jar("rollup-query", "tsd"));
    Path rollups = directory.resolve("rollup_config.json");
    try (InputStream in = Environment.class.getResourceAsStream("/rollup_config.json")) {
      Files.write(rollups, in.readAllBytes());
    }
    Topics.create(stack.kafka(), PointMessages.partitions(rate));
    Map<String, String> conf = configuration(rollups, stack.kafka().bootstrapServers());
    stack.create(OpenTsdbTables.of(conf).coverage(QueryClient.COVERAGE));
    TsdServer tsd = stack.startTsd("tsd", conf, plugins);
    RollupConfig config = RollupConfig.load(rollups.toString());
    return new Environment(stack, tsd, config, rate, window, console, clock);
  }

  /** The TSD's opentsdb.conf. */
  static Map<String, String> configuration(Path rollups, String kafka) {
    Map<String, String> conf = KafkaIngest.configuration(kafka);
    conf.put("tsd.core.enable_ui", "false");
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", rollups.toString());
    conf.merge("tsd.http.rpc.plugins", QueryClient.PLUGIN, (former, added) -> former + "," + added);
    return conf;
  }

  /**
   * Looks for all jars of a run, before anything is started or deleted.
   *
   * @throws IllegalStateException when one is missing or there are several
   */
  static void requireJars() throws IOException {
    for (String plugin : List.of("kafka-ingest", "rollup-query")) {
      Path unused = jar(plugin, "tsd");
    }
    Path unused = jar("stream-rollup", "flink");
  }

  /**
   * Finds a jar that the build has made.
   *
   * @throws IllegalStateException when there is not exactly one
   */
  static Path jar(String module, String kind) throws IOException {
    Path target = MODULES.resolve(module).resolve("target");
    String pattern = module + "-*-" + kind + ".jar";
    List<Path> jars = new ArrayList<>();
    if (Files.isDirectory(target)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(target, pattern)) {
        found.forEach(jars::add);
      }
    }
    if (jars.size() != 1) {
      throw new IllegalStateException(
          target + " must have one " + pattern + " ('make quickstart' builds it), has " + jars);
    }
    return jars.get(0);
  }

  TsdClient client() {
    return tsd.client();
  }

  /** The TSD's opentsdb.conf. */
  Path tsdConfig() {
    return tsd.configFile();
  }

  QueryClient queries() {
    return new QueryClient(tsd);
  }

  KafkaIngest kafkaIngest() {
    return new KafkaIngest(client(), stack.kafka().topics());
  }

  /** An interval of the rollup configuration. */
  RollupInterval interval(String name) {
    return Objects.requireNonNull(rollups.interval(name), name);
  }

  void step(String format, Object... args) {
    console.step(format, args);
  }
}
