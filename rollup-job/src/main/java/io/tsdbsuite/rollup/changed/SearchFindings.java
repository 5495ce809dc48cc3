package io.tsdbsuite.rollup.changed;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.input.ChangedSince;
import io.tsdbsuite.rollup.plan.ChangedRowSet;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.report.SkipReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The results of a search for the operator: counts for the report, and warnings. */
final class SearchFindings {
  private final ChangedSince since;
  private final long oldest;
  private final Map<String, String> counts = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();

  /**
   * @param oldest seconds since the epoch; older rows may have lost points to the table's TTL
   */
  SearchFindings(ChangedSince since, long oldest) {
    this.since = since;
    this.oldest = oldest;
    counts.put("changedSince", since.time().toString());
  }

  /** Counts by the names of the JSON report. */
  Map<String, String> counts() {
    return counts;
  }

  /** Warnings for the operator. */
  List<String> warnings() {
    return warnings;
  }

  /**
   * Adds the results of the tasks.
   *
   * @throws JobException usage, when changed rows cannot be identified and that is not allowed
   */
  void add(ChangedRowsTask.Found found) {
    counts.put("filesOlder", Integer.toString(found.older()));
    counts.put("filesSearched", Integer.toString(found.searched()));
    counts.put("filesNewAsAWhole", Integer.toString(found.whole()));
    counts.put("filesCompacted", Integer.toString(found.compacted()));
    counts.put("bytesSearched", Long.toString(found.books().count(Count.BYTES_READ)));
    bulkLoadsCompacted(found.bulkLoadsCompacted());
    expired(found.expired());
    counts.put(
        "changedRowsBelowFloor", Long.toString(found.books().skipped(SkipReason.BELOW_FLOOR)));
    counts.put("changedRows", Long.toString(found.rows().changedRows()));
  }

  /** Adds what the search since an earlier snapshot has found besides. */
  void refreshed(ChangedSince.Earlier earlier, ChangedRowSet rows) {
    counts.put("refreshedSince", earlier.time().toString());
    counts.put("changedRows", Long.toString(rows.changedRows()));
  }

  /**
   * Reports bulk-loaded files merged by compactions: their new cells are among older ones, and
   * their timestamps do not show when they were loaded.
   */
  private void bulkLoadsCompacted(Set<String> compacted) {
    Set<String> earlier = since.files();
    if (earlier == null) {
      if (since.table() != null) {
        warnings.add(
            "the earlier report does not name the HFiles of its snapshot: the search does not find"
                + " rows that a bulk load or replication has added since with older timestamps");
      }
      return;
    }
    List<String> unknown =
        compacted.stream().filter(name -> !earlier.contains(name)).sorted().toList();
    if (unknown.isEmpty()) {
      return;
    }
    String text =
        ("%s HFiles were bulk loaded since the earlier snapshot and compacted with others before"
                + " this one, so the changed rows cannot be identified; the first file is %s")
            .formatted(unknown.size(), unknown.get(0));
    if (!since.allowLost()) {
      throw JobException.usage(
          text
              + ": roll up the loaded days with --from and --to, then repeat this run with"
              + " --allow-lost");
    }
    warnings.add(text);
  }

  /**
   * Reports expired rows. Rolling up the rest of such a row would replace a correct rollup by one
   * of the late points alone.
   */
  private void expired(ChangedRowSet rows) {
    counts.put("changedRowsExpired", Long.toString(rows.changedRows()));
    if (rows.size() > 0) {
      warnings.add(
          rows.changedRows()
              + " changed rows begin before "
              + Instant.ofEpochSecond(oldest)
              + ", and the table's TTL may have removed other points of them: the job does not roll"
              + " them up again and leaves their stored rollups; the first is row "
              + HexFormat.of().formatHex(rows.key(0)));
    }
  }
}
