package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.hbase.load.HFileSupport;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.rollup.sink.SinkException;
import java.util.List;

/** Checks whether files can be written for a table. */
final class TargetCheck {
  private TargetCheck() {}

  static void check(TableLayout table) throws SinkException {
    if (!table.hasFamily()) {
      throw fatal(table, "must have the column family " + TargetTable.FAMILY);
    }
    List<String> problems = HFileSupport.problems(table);
    if (!problems.isEmpty()) {
      throw fatal(table, String.join("; ", problems) + ": use Kafka");
    }
  }

  private static SinkException fatal(TableLayout table, String problem) {
    return new SinkException.Fatal("table " + table.name() + " " + problem);
  }
}
