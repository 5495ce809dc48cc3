package io.tsdbsuite.bench.stream;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A way to roll up points from Kafka, on the topics of one {@link Run}. */
interface Way {
  /** The name in tables. */
  String name();

  /**
   * Arguments of java that start its job; a job that was killed continues.
   *
   * @param run topics and files
   * @param threads number of tasks or threads that process points
   */
  List<String> arguments(Run run, int threads) throws IOException;

  /** What it has on disk for its state, bytes. */
  long stateBytes(Run run) throws IOException;

  /**
   * Whether a topic is a changelog of its state.
   *
   * @param run topics and files
   * @param topic name of a topic
   */
  boolean isChangelog(Run run, String topic);

  /**
   * Waits until the state is saved with every point until now.
   *
   * @param isQuiet whether no message comes meanwhile
   */
  void awaitSaved(Run run, boolean isQuiet) throws IOException;

  /**
   * Topics and files of one run.
   *
   * @param name unique name, part of all topics and groups
   * @param bootstrapServers the broker
   * @param dir files
   * @param heap maximum heap, for example 4g
   */
  record Run(String name, String bootstrapServers, Path dir, String heap) {
    /** Topic of the points. */
    String points() {
      return name + "-points";
    }

    /** Topic of the rollups. */
    String rollups() {
      return name + "-rollups";
    }

    /** Topic of requests to repair rollups. */
    String requests() {
      return name + "-requests";
    }

    /** Topic of watermarks. */
    String watermarks() {
      return name + "-watermarks";
    }
  }
}
