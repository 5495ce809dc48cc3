package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.rollup.sink.SinkException;

/** Whether files can be written for a table. */
final class TargetCheck {
  private TargetCheck() {}

  static void check(TableLayout table) throws SinkException {
    if (!table.hasFamily()) {
      throw fatal(table, "must have the column family " + TargetTable.FAMILY);
    }
    if (!Codecs.canWrite(table.compression())) {
      throw fatal(
          table,
          "compresses with "
              + table.compression()
              + ", which this process cannot write: use Kafka");
    }
    if (table.isMobEnabled()) {
      throw fatal(table, "keeps large cells apart (MOB): use Kafka");
    }
  }

  private static SinkException fatal(TableLayout table, String problem) {
    return new SinkException.Fatal("table " + table.name() + " " + problem, null);
  }
}
