package io.tsdbsuite.rollup.hfile;

import java.util.List;
import java.util.Map;

/**
 * What a run has written, for the load.
 *
 * @param format {@link RunDir#FORMAT}
 * @param run names the run
 * @param version of the job
 * @param cluster id of the HBase cluster that has the tables; null when the run did not know it
 * @param stamp timestamp of all cells, milliseconds since the epoch
 * @param options every option that decided what was read and how, by name
 * @param snapshots when the snapshots were taken, by the option that names them
 * @param tables that have files
 */
public record Manifest(
    int format,
    String run,
    String version,
    String cluster,
    long stamp,
    Map<String, String> options,
    Map<String, String> snapshots,
    List<Table> tables) {

  /**
   * A table.
   *
   * @param name with its namespace
   * @param interval of the rollups, as the rollup configuration writes it
   * @param rowSpan what a row spans, likewise
   * @param aggregatorIds numbers of the aggregators
   * @param regions first keys of the regions that the files were cut for, in hex
   * @param files one for each region that has rollups
   */
  public record Table(
      String name,
      String interval,
      String rowSpan,
      Map<String, Integer> aggregatorIds,
      List<String> regions,
      List<WrittenFile> files) {
    /** Cells in all files. */
    public long cells() {
      return files.stream().mapToLong(WrittenFile::cells).sum();
    }

    /** Bytes of all files. */
    public long bytes() {
      return files.stream().mapToLong(WrittenFile::bytes).sum();
    }
  }

  /** Cells in all files. */
  public long cells() {
    return tables.stream().mapToLong(Table::cells).sum();
  }

  /** Bytes of all files. */
  public long bytes() {
    return tables.stream().mapToLong(Table::bytes).sum();
  }

  /** Number of files. */
  public int files() {
    return tables.stream().mapToInt(table -> table.files().size()).sum();
  }
}
