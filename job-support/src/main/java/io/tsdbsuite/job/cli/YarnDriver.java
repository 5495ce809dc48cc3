package io.tsdbsuite.job.cli;

/** Whether YARN runs this driver. */
public final class YarnDriver {
  private YarnDriver() {}

  /** If so, {@code System.exit} must not be called after success: YARN takes it for a failure. */
  public static boolean isThis() {
    return "yarn".equals(System.getProperty("spark.master"))
        && "cluster".equals(System.getProperty("spark.submit.deployMode"));
  }
}
