package io.tsdbsuite.cluster;

import io.tsdbsuite.testkit.WorkDirs;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** rollup-nightly on HDFS and YARN, verified against snapshots of the rollup tables. */
@Tag("slow")
class NightlyIT {
  @Test
  void nights() throws Exception {
    try (ClusterStack stack = ClusterStack.open(WorkDirs.fresh("NightlyIT"), 2)) {
      YarnSubmit submit = stack.submit(Mode.CLIENT, stack.directory("submit"));
      new NightlyRuns(stack, "plain", submit, "/jobs", "/exports", List.of())
          .set("hbase-root", stack.hbase().master().rootDir())
          .set("verify.against", "snapshot")
          .nights();
    }
  }
}
