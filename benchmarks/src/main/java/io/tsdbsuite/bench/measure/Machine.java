package io.tsdbsuite.bench.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** Description of the measuring machine, for documents. */
public final class Machine {
  private Machine() {}

  /** For example {@code 2 cores (amd64)}. */
  public static String cores() {
    return Runtime.getRuntime().availableProcessors()
        + " cores ("
        + System.getProperty("os.arch")
        + ")";
  }

  /** Family, model and name of the processor by Linux; empty on other systems. */
  public static String processor() throws IOException {
    Path file = Path.of("/proc/cpuinfo");
    if (!Files.exists(file)) {
      return "";
    }
    return Files.readAllLines(file).stream()
        .takeWhile(line -> !line.isEmpty())
        .filter(line -> line.startsWith("cpu family") || line.startsWith("model"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .collect(Collectors.joining(" "));
  }

  /** The commit that is measured, from the launcher. */
  public static String commit() {
    return System.getProperty("bench.commit", "unknown");
  }

  /** The JVM's version. */
  public static String jdk() {
    return System.getProperty("java.vm.version");
  }

  /** Load average of the last minute; negative if the system has none. */
  public static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
