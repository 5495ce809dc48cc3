package io.tsdbsuite.bench.stream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * What the parts share.
 *
 * @param broker the broker
 * @param dir files of this benchmark
 * @param sizes sizes of the runs
 * @param now the present, behind all times of messages
 */
record Setting(Broker broker, Path dir, Sizes sizes, Instant now) {
  /** A run with topics and a directory of its own. */
  Way.Run run(String name) throws IOException, InterruptedException {
    Way.Run run =
        new Way.Run(
            name,
            broker.bootstrapServers(),
            Files.createDirectories(dir.resolve(name)),
            sizes.heap());
    broker.create(run);
    return run;
  }

  /** Starts the job of a run on the first core. */
  JobJvm startOnOneCore(Way way, Way.Run run) throws IOException {
    return JobJvm.start(Cores.first(), way.arguments(run, 1), run.dir().resolve("job.log"));
  }
}
