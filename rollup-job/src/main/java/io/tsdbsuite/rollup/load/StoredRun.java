package io.tsdbsuite.rollup.load;

import io.tsdbsuite.rollup.hfile.Manifest;
import java.io.IOException;
import java.util.List;
import java.util.function.ToLongBiFunction;

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
   * Where in a table its rollups of before its window are.
   *
   * @param all parts of the whole table
   */
  List<KeyRange> before(Manifest.Table of, List<KeyRange> all);

  /**
   * Why the tables have other cells of the run than it has written; empty if they have those.
   *
   * @param found cells of a level, as of {@link SeenRollups#ofRun}
   */
  String difference(ToLongBiFunction<Manifest.Table, String> found);
}
