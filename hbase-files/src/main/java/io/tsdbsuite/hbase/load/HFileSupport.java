package io.tsdbsuite.hbase.load;

import io.tsdbsuite.hbase.Codecs;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** Whether this process can write the files that a column family must have. */
public final class HFileSupport {
  private HFileSupport() {}

  /**
   * The reasons against it, as ends of sentences that begin with the table's name; empty if there
   * are none.
   *
   * @param table with its family
   */
  public static List<String> problems(TableLayout table) {
    List<String> problems = new ArrayList<>();
    if (!Codecs.canWrite(table.compression())) {
      problems.add("compresses with " + table.compression() + ", which this process cannot write");
    }
    if (table.isMobEnabled()) {
      problems.add("keeps large cells apart (MOB), which this process cannot do");
    }
    if (table.encryption() != null) {
      problems.add(
          "encrypts its column family "
              + Bytes.toString(table.family().getName())
              + " (ENCRYPTION => '"
              + table.encryption()
              + "'), and HFiles of this process would lie there in the clear");
    }
    return problems;
  }
}
