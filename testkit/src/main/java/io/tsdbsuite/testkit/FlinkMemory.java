package io.tsdbsuite.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The memory of a TaskManager. A TaskManager that is started without Flink's scripts must find
 * every part in its configuration, and its JVM's limits must fit to them.
 *
 * @param taskHeap heap of the tasks, MiB
 */
record FlinkMemory(int taskHeap) {
  /** Of the tasks, enough for some 100,000 small states. */
  static final FlinkMemory DEFAULT = new FlinkMemory(160);

  private static final int FRAMEWORK_HEAP = 64;
  private static final int FRAMEWORK_OFF_HEAP = 64;
  private static final int TASK_OFF_HEAP = 32;
  private static final int NETWORK = 32;
  private static final int MANAGED = 32;
  private static final int METASPACE = 192;
  private static final int OVERHEAD = 128;

  /** The keys {@code taskmanager.memory.*}. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    put(settings, "framework.heap.size", FRAMEWORK_HEAP);
    put(settings, "framework.off-heap.size", FRAMEWORK_OFF_HEAP);
    put(settings, "task.heap.size", taskHeap);
    put(settings, "task.off-heap.size", TASK_OFF_HEAP);
    put(settings, "network.min", NETWORK);
    put(settings, "network.max", NETWORK);
    put(settings, "managed.size", MANAGED);
    put(settings, "jvm-metaspace.size", METASPACE);
    put(settings, "jvm-overhead.min", OVERHEAD);
    put(settings, "jvm-overhead.max", OVERHEAD);
    return settings;
  }

  private static void put(Map<String, String> settings, String part, int mebibytes) {
    settings.put("taskmanager.memory." + part, mebibytes + "m");
  }

  /** The limits of the JVM. */
  List<String> jvmFlags() {
    return List.of(
        "-Xmx" + (FRAMEWORK_HEAP + taskHeap) + "m",
        "-XX:MaxDirectMemorySize=" + (FRAMEWORK_OFF_HEAP + TASK_OFF_HEAP + NETWORK) + "m",
        "-XX:MaxMetaspaceSize=" + METASPACE + "m");
  }
}
