package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;

/**
 * All hours of some runs as pieces for a shuffle: each with the row key, its number in the row, and
 * points later than the points of the previous piece.
 */
public final class HourPieces implements Closeable {
  private final HourMerger merger;
  private boolean inHour;
  private int number;

  /**
   * Opens runs.
   *
   * @param runs in any order, no spill twice; no more than {@link RunMerger#fanIn}
   */
  public HourPieces(List<RunFile> runs, OnConflict onConflict, RowKey rowKey) throws IOException {
    byte[] all = {};
    List<RunFile> ordered = runs.stream().sorted(Comparator.comparing(RunFile::first)).toList();
    this.merger = new HourMerger(ordered, all, all, onConflict, rowKey);
  }

  /**
   * Goes to the next piece; false at the end.
   *
   * @throws JobException bad input, when values of one instant contradict each other
   */
  public boolean next() throws IOException {
    while (true) {
      if (!inHour) {
        if (!merger.nextHour()) {
          return false;
        }
        inHour = true;
        number = -1;
      }
      if (merger.nextChunk()) {
        number++;
        return true;
      }
      inHour = false;
    }
  }

  /** Row key, from the first byte on; valid until the next call. */
  public byte[] key() {
    return merger.key;
  }

  /** Length of the row key, bytes. */
  public int keyLength() {
    return merger.keyLength;
  }

  /** Number of the piece in its row, from 0. */
  public int number() {
    return number;
  }

  /** The array that the points are in; valid until the next call. */
  public byte[] packed() {
    return merger.packed;
  }

  /** Where they begin. */
  public int off() {
    return merger.off;
  }

  /** Their length, bytes. */
  public int length() {
    return merger.length;
  }

  /** Adds the points dropped since the last call. */
  public void drainTo(Tally tally) {
    merger.drainTo(tally);
  }

  @Override
  public void close() throws IOException {
    merger.close();
  }
}
