package io.tsdbsuite.hbase.load;

import io.tsdbsuite.hbase.Codecs;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** Whether this process can write the files that a column family must have. */
public final class HFileSupport {
  private HFileSupport() {}

  /**
   * Why the peers of a replicated family may lack the files' cells, as the end of a sentence that
   * begins with the table's name; null if the family is not replicated.
   *
   * @param table with its family
   */
  public static @Nullable String replication(TableLayout table) {
    int scope = table.family().getScope();
    return scope == HConstants.REPLICATION_SCOPE_LOCAL
        ? null
        : ("replicates its column family %s (REPLICATION_SCOPE => %s), and HBase replicates"
                + " loaded HFiles only if hbase.replication.bulkload.enabled is true on its region"
                + " servers")
            .formatted(Bytes.toString(table.family().getName()), scope);
  }

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
          ("encrypts its column family %s (ENCRYPTION => '%s'), and HFiles of this process"
                  + " would lie there in the clear")
              .formatted(Bytes.toString(table.family().getName()), table.encryption()));
    }
    return problems;
  }
}
