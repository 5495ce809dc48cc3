package io.tsdbsuite.bench.measure;

import java.lang.management.ManagementFactory;

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
