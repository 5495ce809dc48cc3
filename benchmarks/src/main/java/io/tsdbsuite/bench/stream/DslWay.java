package io.tsdbsuite.bench.stream;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@link DslTopology} with the defaults of Kafka Streams: RocksDB, changelogs, commits by 30 s. */
final class DslWay implements Way {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final String classPath;
  private final List<String> flags;

  /**
   * @param classPath the benchmarks' own
   * @param flags further flags of its JVM
   */
  DslWay(String classPath, List<String> flags) {
    this.classPath = classPath;
    this.flags = List.copyOf(flags);
  }

  @Override
  public String name() {
    return "Kafka Streams DSL";
  }

  @Override
  public List<String> arguments(Run run, int threads) throws IOException {
    Path temporary = Files.createDirectories(run.dir().resolve("tmp"));
    List<String> arguments = new ArrayList<>(flags);
    arguments.addAll(
        List.of(
            "-Xms" + run.heap(),
            "-Xmx" + run.heap(),
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            classPath,
            DslMain.class.getName(),
            run.bootstrapServers(),
            run.name(),
            run.points(),
            run.rollups(),
            state(run).toString(),
            Integer.toString(threads)));
    return arguments;
  }

  private static Path state(Run run) {
    return run.dir().resolve("state");
  }

  @Override
  public long stateBytes(Run run) throws IOException {
    return Checkpoints.bytes(state(run));
  }

  @Override
  public boolean isChangelog(Run run, String topic) {
    return topic.startsWith(run.name() + "-") && topic.endsWith("-changelog");
  }

  @Override
  public void awaitSaved(Run run, boolean isQuiet) {
    if (!isQuiet) {
      // It commits every 30 s whatever comes; the changelogs have every update at once.
      return;
    }
    KafkaTopics topics = new KafkaTopics(run.bootstrapServers());
    Await.until(
        "the commit of all offsets", PATIENCE, () -> topics.lag(run.name(), run.points()) == 0);
  }
}
