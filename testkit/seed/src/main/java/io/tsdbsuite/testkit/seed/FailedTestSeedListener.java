package io.tsdbsuite.testkit.seed;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints the seed after each failing test. JUnit finds this listener as a service. */
public final class FailedTestSeedListener implements TestExecutionListener {
  /** Called by JUnit. */
  public FailedTestSeedListener() {}

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      System.out.println(test.getLegacyReportingName() + " failed with " + Seed.describe());
    }
  }
}
