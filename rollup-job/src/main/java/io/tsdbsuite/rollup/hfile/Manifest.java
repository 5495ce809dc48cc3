package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.rollup.report.RunProof;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The list of a run's files, for the load.
 *
 * @param format {@link RunDir#format}
 * @param run names the run
 * @param version of the job
 * @param cluster id of the HBase cluster with the tables; null if the run did not know it
 * @param stamp timestamp of all cells, milliseconds since the epoch
 * @param options every option that affects the input or its processing, by name
 * @param snapshots creation times of the snapshots, by the option that names them
 * @param tables all tables of the run, also those without files
 * @param proof what the run proves; null in manifests of versions that did not write it
 */
public record Manifest(
    int format,
    String run,
    String version,
    @Nullable String cluster,
    long stamp,
    Map<String, String> options,
    Map<String, String> snapshots,
    List<Table> tables,
    @Nullable RunProof proof) {
  /** Name of the option with {@link #suite}; not there if it is empty. */
  public static final String SUITE = "suite";

  /** The object {@code suite} of the run's rollup_config.json in its one form; empty if none. */
  public String suite() {
    return options.getOrDefault(SUITE, "");
  }

  /** Time span of a row of histograms, which is in the raw format. */
  public static final String HISTOGRAM_ROW_SPAN = "1h";

  /** Whether it has a table of histograms. */
  public boolean hasHistograms() {
    return tables.stream().anyMatch(Table::isHistogram);
  }

  /** Whether it has a table of packed rows. */
  public boolean hasPacked() {
    return tables.stream().anyMatch(Table::isPacked);
  }

  /**
   * A table.
   *
   * @param name with its namespace
   * @param level the interval of the rollups, as the rollup configuration writes it; of histograms
   *     {@code 1h.histogram}, of packed rows {@code 1h.packed}
   * @param rowSpan time span of a row, in the same form
   * @param ids numbers of the aggregators; of histograms those of the codecs, by class
   * @param regions start keys of the regions for which the files were split, in hex
   * @param files one for each region with rollups
   */
  public record Table(
      String name,
      String level,
      String rowSpan,
      Map<String, Integer> ids,
      List<String> regions,
      List<WrittenFile> files) {
    /** Interval of the rollups. */
    public String interval() {
      return CoverageRows.interval(level);
    }

    /** Whether it has histograms, and no values. */
    public boolean isHistogram() {
      return Level.isHistogram(level);
    }

    /** Whether it has packed rows, whose cells are parts. */
    public boolean isPacked() {
      return Level.isPacked(level);
    }

    /** Cells in all files. */
    public long cells() {
      return files.stream().mapToLong(WrittenFile::cells).sum();
    }

    /** Bytes of all files. */
    public long bytes() {
      return files.stream().mapToLong(WrittenFile::bytes).sum();
    }
  }

  /** Start of the window, seconds since the epoch. */
  public long from() {
    return seconds("--from");
  }

  /** End of the window, exclusive, seconds since the epoch. */
  public long to() {
    return seconds("--to");
  }

  private long seconds(String option) {
    return Instant.parse(options.get(option)).getEpochSecond();
  }

  /** Whether the run has also rolled up changed rows before the window. */
  public boolean hasChangedRows() {
    return options.containsKey("--changed-since");
  }

  /** Cells in all files, without parts of packed rows. */
  public long cells() {
    return cells(false);
  }

  /** Parts of packed rows in all files. */
  public long packedParts() {
    return cells(true);
  }

  private long cells(boolean packed) {
    return tables.stream()
        .filter(table -> table.isPacked() == packed)
        .mapToLong(Table::cells)
        .sum();
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
