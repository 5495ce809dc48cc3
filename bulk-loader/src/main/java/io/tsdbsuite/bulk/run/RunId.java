package io.tsdbsuite.bulk.run;

import java.time.Instant;

/** Name of the files of a load outside of its work directory. */
public final class RunId {
  private RunId() {}

  /** The name of the load that began then: letters and digits. */
  public static String of(Instant began) {
    return "load" + began.toEpochMilli();
  }
}
