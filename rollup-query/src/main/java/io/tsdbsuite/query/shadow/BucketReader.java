package io.tsdbsuite.query.shadow;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a check compares, one row at a time. Its methods wait for HBase. */
public interface BucketReader {
  /**
   * Series that have raw data in an hour, whether or not they have rollups: those that follow a
   * series in the order of their keys.
   *
   * @param hour first second of the hour
   * @param after a TSUID; null: the first ones of a salt bucket
   * @param salt a random number; of it follows the bucket if {@code after} is null
   * @param limit how many at most
   * @return TSUIDs
   * @throws Exception if HBase does not answer
   */
  List<byte[]> rawSeries(
      ShadowBucket bucket, long hour, byte @Nullable [] after, int salt, int limit)
      throws Exception;

  /**
   * The bucket of one series.
   *
   * @param maxCells after so many cells, or points of a percentile, the reading ends; the values
   *     are not whole then
   * @return empty if only OpenTSDB's own reader can read its raw data
   * @throws Exception if HBase does not answer, or a cell of the rollup cannot be read
   */
  Optional<SeriesValues> read(ShadowBucket bucket, byte[] tsuid, long maxCells) throws Exception;

  /**
   * The series for a person, such as {@code cpu{host=a}}.
   *
   * @throws Exception if HBase does not answer
   */
  String name(ShadowBucket bucket, byte[] tsuid) throws Exception;
}
