package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.uid.UidDictionary;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.File;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The dictionary of UIDs in an executor, which is a JVM of its own, of two slots. */
@Tag("slow")
class NamesBroadcastIT {
  private static final int SLOTS = 2;
  private static final int TASKS = 8;
  private static final int NAMES = 100_000;
  private static final int WIDTH = 3;

  /** What a task has seen: its JVM, and which object the dictionary is there. */
  private record Seen(long jvm, int object, String name) implements Serializable {}

  /** What a task does. */
  private record Look(Broadcast<UidNames> names) implements Function<Integer, Seen> {
    @Override
    public Seen call(Integer task) {
      ByteSlice name = new ByteSlice();
      boolean found = names.value().lookup(UidKind.TAGV, task + 1L, name);
      return new Seen(
          ProcessHandle.current().pid(),
          System.identityHashCode(names.value()),
          found ? name.toString() : "");
    }
  }

  @Test
  void allTasksOfAnExecutorShareOne() throws Exception {
    try (SparkCluster cluster = SparkCluster.start(SLOTS, SparkCluster.FIRST)) {
      SparkConf conf =
          new SparkConf()
              .setAppName("names")
              .set("spark.ui.enabled", "false")
              .set("spark.driver.host", "127.0.0.1")
              .set("spark.driver.bindAddress", "127.0.0.1")
              .set("spark.scheduler.minRegisteredResourcesRatio", "1")
              // This class is not in the jar, and must find the classes of the jar.
              .set(
                  "spark.executor.extraClassPath",
                  Path.of("target", "test-classes").toAbsolutePath()
                      + File.pathSeparator
                      + System.getProperty("spark.jar"));
      cluster.settings().forEach(conf::set);
      try (JavaSparkContext spark = new JavaSparkContext(conf)) {
        Broadcast<UidNames> names = spark.broadcast(names());
        List<Integer> tasks = IntStream.range(0, TASKS).boxed().toList();
        List<Seen> seen = spark.parallelize(tasks, TASKS).map(new Look(names)).collect();
        assertThat(seen).extracting(Seen::name).containsExactly(expected());
        assertThat(seen)
            .extracting(Seen::jvm)
            .doesNotContain(ProcessHandle.current().pid())
            .containsOnly(seen.get(0).jvm());
        assertThat(seen).extracting(Seen::object).containsOnly(seen.get(0).object());
      }
    }
  }

  private static String[] expected() {
    return IntStream.range(0, TASKS).mapToObj(task -> name(task + 1)).toArray(String[]::new);
  }

  private static String name(int uid) {
    return "host" + uid;
  }

  private static UidNames names() {
    UidDictionary.Builder builder = new UidDictionary.Builder(WIDTH, WIDTH, WIDTH);
    for (int uid = 1; uid <= NAMES; uid++) {
      byte[] name = name(uid).getBytes(StandardCharsets.ISO_8859_1);
      builder.add(UidKind.TAGV, Uids.bytes(uid, WIDTH), 0, WIDTH, name, 0, name.length);
    }
    return builder.build();
  }
}
