package io.tsdbsuite.testkit.seed;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints with each test that fails how to draw its data again; JUnit finds it by itself. */
public final class SeedOfFailures implements TestExecutionListener {
  /** Made by JUnit. */
  public SeedOfFailures() {}

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      System.out.println(test.getLegacyReportingName() + " failed with " + Seed.describe());
    }
  }
}
