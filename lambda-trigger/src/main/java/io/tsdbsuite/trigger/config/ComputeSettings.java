package io.tsdbsuite.trigger.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The service that runs the job, and the sizes of Spark's processes.
 *
 * @param kind COMPUTE_KIND; default EMR
 * @param sizes settings of Spark from EXECUTOR_CORES, EXECUTOR_MEMORY, MAX_EXECUTORS, DRIVER_CORES
 *     and DRIVER_MEMORY; without those that are not set
 */
public record ComputeSettings(Kind kind, Map<String, String> sizes) {
  /** Heap of an executor. */
  public static final String EXECUTOR_MEMORY = "spark.executor.memory";

  /** Maximum number of executors. */
  public static final String MAX_EXECUTORS = "spark.dynamicAllocation.maxExecutors";

  private static final Pattern MEMORY = Pattern.compile("[1-9][0-9]{0,5}[mg]");
  private static final int MAX_CORES = 256;
  private static final int EXECUTOR_LIMIT = 100_000;

  /** The service that runs the job. */
  public enum Kind {
    /** spark-submit on the primary node of an EMR cluster, in client mode. */
    EMR,
    /** A job run of an EMR Serverless application. */
    SERVERLESS
  }

  static ComputeSettings read(EnvironmentReader variables) {
    Kind kind = Kind.EMR;
    String text = variables.text("COMPUTE_KIND");
    if (text.equals(Kind.SERVERLESS.name())) {
      kind = Kind.SERVERLESS;
    } else if (!List.of("", Kind.EMR.name()).contains(text)) {
      variables.problem("COMPUTE_KIND", "must be EMR or SERVERLESS", text);
    }
    Map<String, String> sizes = new LinkedHashMap<>();
    number(variables, "EXECUTOR_CORES", MAX_CORES, "spark.executor.cores", sizes);
    memory(variables, "EXECUTOR_MEMORY", EXECUTOR_MEMORY, sizes);
    number(variables, "MAX_EXECUTORS", EXECUTOR_LIMIT, MAX_EXECUTORS, sizes);
    number(variables, "DRIVER_CORES", MAX_CORES, "spark.driver.cores", sizes);
    memory(variables, "DRIVER_MEMORY", "spark.driver.memory", sizes);
    return new ComputeSettings(kind, sizes);
  }

  private static void number(
      EnvironmentReader variables,
      String name,
      int maximum,
      String setting,
      Map<String, String> sizes) {
    int value = variables.number(name, 1, maximum, 0);
    if (value > 0) {
      sizes.put(setting, Integer.toString(value));
    }
  }

  private static void memory(
      EnvironmentReader variables, String name, String setting, Map<String, String> sizes) {
    String value = variables.text(name);
    if (value.isEmpty()) {
      return;
    }
    if (!MEMORY.matcher(value).matches()) {
      variables.problem(name, "must be a whole number with m or g, such as 12g", value);
    }
    sizes.put(setting, value);
  }
}
