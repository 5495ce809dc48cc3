package io.tsdbsuite.rollup.load;

import io.tsdbsuite.rollup.hfile.Manifest;
import java.io.IOException;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.client.Table;

/** A run whose rollups are in their tables, for {@link LoadedCoverage}. */
interface StoredRun {
  /** What the run has written, with a proof; of a run to Kafka without files. */
  Manifest manifest();

  /** Tells its windows from others of the same time, as of the coverage's rows. */
  String writer();

  /** Which report proves it, for people. */
  String evidence();

  /**
   * Whether its windows were written before.
   *
   * @throws IOException when storage fails
   */
  boolean isCovered() throws IOException;

  /**
   * Notes that its windows were written.
   *
   * @throws IOException when storage fails
   */
  void markCovered(String windows) throws IOException;

  /**
   * Looks at its rollups before its window.
   *
   * @throws IOException when HBase fails
   */
  void lookBefore(Table rollups, SeenRollups found, Manifest.Table of) throws IOException;

  /**
   * Why the tables have other cells of the run than it has written; empty if they have those.
   *
   * @param found cells, as of {@link SeenRollups#ofRun}
   */
  String difference(ToLongFunction<Manifest.Table> found);
}
