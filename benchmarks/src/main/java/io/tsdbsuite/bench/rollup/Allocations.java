package io.tsdbsuite.bench.rollup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * What a way allocates for, by the JVM's own allocation profiler: an event each time that a thread
 * needs new memory, weighted with the bytes that it used since.
 */
final class Allocations {
  private static final String EVENT = "jdk.ObjectAllocationSample";

  /** Blocks of an HFile are read, verified, decompressed and decoded below these. */
  private static final List<String> BLOCKS =
      List.of(
          "org.apache.hadoop.hbase.io.hfile.HFileReaderImpl", "io.tsdbsuite.rollup.read.Blocks");

  private Allocations() {}

  /** The share of what is allocated that no block of an HFile is made of, 0 to 1. */
  static double shareBesideBlocks(Way way, int times, Path file) throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable(EVENT).with("throttle", "off").withStackTrace();
      recording.start();
      for (int i = 0; i < times; i++) {
        way.run();
      }
      recording.stop();
      recording.dump(file);
    }
    try {
      return share(RecordingFile.readAllEvents(file), Thread.currentThread().getName());
    } finally {
      Files.delete(file);
    }
  }

  private static double share(List<RecordedEvent> events, String thread) throws IOException {
    double all = 0;
    double beside = 0;
    for (RecordedEvent event : events) {
      if (!event.getEventType().getName().equals(EVENT)
          || event.getThread() == null
          || !thread.equals(event.getThread().getJavaName())) {
        continue;
      }
      double weight = event.getLong("weight");
      all += weight;
      beside += isForBlocks(event) ? 0 : weight;
    }
    if (all == 0) {
      throw new IOException("the recording must have allocations, found none");
    }
    return beside / all;
  }

  private static boolean isForBlocks(RecordedEvent event) {
    if (event.getStackTrace() == null) {
      return false;
    }
    for (RecordedFrame frame : event.getStackTrace().getFrames()) {
      if (BLOCKS.contains(frame.getMethod().getType().getName())) {
        return true;
      }
    }
    return false;
  }
}
