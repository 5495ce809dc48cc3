package io.tsdbsuite.rollup.it;

import io.tsdbsuite.testkit.Stack;
import java.util.Map;

/** One set of servers for every integration test of a JVM; they die with it. */
final class SharedStack {
  private SharedStack() {}

  private static final class Holder {
    private static final Stack STACK =
        Stack.in(TestFiles.directory("stack"))
            // Reference files of a split must live until the snapshot: no compaction of HBase's
            // own.
            .hbase(Map.of("hbase.regionserver.compaction.enabled", "false"))
            .tsd()
            .kafka()
            .s3()
            .start();
  }

  static Stack get() {
    return Holder.STACK;
  }
}
