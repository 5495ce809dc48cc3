package io.tsdbsuite.quickstart.stream;

import io.tsdbsuite.testkit.KafkaServer;

/** The topics of the quickstart. */
public final class Topics {
  /** Points, which the TSD stores and stream-rollup reads. */
  public static final String POINTS = "points";

  /** Rollups of rollup-job. */
  public static final String ROLLUPS = "rollups";

  /** Rollups of stream-rollup. */
  public static final String STREAM_ROLLUPS = "stream-rollups";

  /** Requests to repair rollups. */
  public static final String REQUESTS = "rollup-requests";

  /** How far stream-rollup has come. */
  public static final String WATERMARKS = "rollup-watermark";

  /** Messages that cannot be stored. */
  public static final String DEAD_LETTERS = "dead-letters";

  private static final int ROLLUP_PARTITIONS = 4;

  private Topics() {}

  /**
   * Creates all of them.
   *
   * @param kafka the broker
   * @param pointPartitions partitions of {@link #POINTS}; each must get points, since an idle
   *     partition holds stream-rollup back
   */
  public static void create(KafkaServer kafka, int pointPartitions) {
    kafka.createTopic(POINTS, pointPartitions);
    kafka.createTopic(ROLLUPS, ROLLUP_PARTITIONS);
    kafka.createTopic(STREAM_ROLLUPS, ROLLUP_PARTITIONS);
    kafka.createTopic(REQUESTS, 1);
    kafka.createTopic(WATERMARKS, 1);
    kafka.createTopic(DEAD_LETTERS, 1);
  }
}
