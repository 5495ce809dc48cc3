package io.tsdbsuite.job.spark;

/** Settings that Spark refuses when it starts. */
public final class SparkSettingFailures {
  private SparkSettingFailures() {}

  /**
   * Whether an exception of Spark is about a setting. Spark 3 throws an IllegalArgumentException
   * for most of them; for a master that it does not know, and in Spark 4 for all, it has no class
   * of its own.
   *
   * @param failure of the start of a context
   */
  public static boolean is(Exception failure) {
    String text = String.valueOf(failure.getMessage());
    return failure instanceof IllegalArgumentException
        || text.startsWith("Could not parse Master URL")
        || text.startsWith("[INVALID_SPARK_CONFIG");
  }
}
