package io.tsdbsuite.bulk.write.it;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.WorkDirs;
import java.util.Map;

/** One HBase for the integration tests of writing; it dies with the JVM. */
final class WriteStack {
  private WriteStack() {}

  private static final class Holder {
    private static final Stack STACK = start();

    /** Bulk loads move files, as on HDFS. */
    private static Stack start() {
      return Stack.in(WorkDirs.fresh("bulk-write"))
          .hbase(Map.of("fs.file.impl", "io.tsdbsuite.testkit.server.MovingLocalFileSystem"))
          .start();
    }
  }

  static Stack get() {
    return Holder.STACK;
  }

  static HBaseServer hbase() {
    return get().hbase();
  }
}
