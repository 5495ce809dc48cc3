package io.tsdbsuite.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a command line of {@code spark-submit} has between its name and the jar, and its
 * environment: small JVMs on loopback, without Spark's web page.
 *
 * <pre>{@code
 * SparkCommand spark = new SparkCommand("").conf("spark.executor.cores", "1");
 * List<String> command = new ArrayList<>(List.of("spark-submit", "--master", "local[2]"));
 * command.addAll(spark.options());
 * }</pre>
 */
public final class SparkCommand {
  /** For JVMs that live for seconds: compiling less saves a third of their CPU. */
  public static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private final Map<String, String> conf = new LinkedHashMap<>();
  private final List<String> options = new ArrayList<>();
  private final Map<String, String> environment = new LinkedHashMap<>();

  /**
   * A command line without a master.
   *
   * @param jvmFlags of the driver and the executors, beside {@link #SHORT_LIVED}; may be empty
   */
  public SparkCommand(String jvmFlags) {
    String flags = (SHORT_LIVED + " " + jvmFlags).strip();
    conf("spark.ui.enabled", "false");
    conf("spark.executor.memory", "640m");
    conf("spark.driver.extraJavaOptions", flags);
    conf("spark.executor.extraJavaOptions", flags);
    environment("SPARK_LOCAL_IP", "127.0.0.1");
  }

  /**
   * Sets a setting of Spark, {@code --conf KEY=VALUE}.
   *
   * @return this
   */
  public SparkCommand conf(String key, String value) {
    conf.put(key, value);
    return this;
  }

  /**
   * Adds further options of spark-submit.
   *
   * @return this
   */
  public SparkCommand with(String... more) {
    options.addAll(List.of(more));
    return this;
  }

  /**
   * Sets a variable of the environment of spark-submit.
   *
   * @return this
   */
  public SparkCommand environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /**
   * The options: all settings, then the further options.
   *
   * @return a new list
   */
  public List<String> options() {
    List<String> all = new ArrayList<>();
    conf.forEach((key, value) -> all.addAll(List.of("--conf", key + "=" + value)));
    all.addAll(options);
    return all;
  }

  /**
   * The variables of the environment.
   *
   * @return a new map
   */
  public Map<String, String> environment() {
    return new LinkedHashMap<>(environment);
  }
}
