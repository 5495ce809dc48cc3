package io.tsdbsuite.bench.rollup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Attributes allocation to code by the JVM's allocation events: one for each new TLAB, weighted
 * with its size, and one for each object outside of TLABs.
 */
final class Allocations {
  private static final String BUFFER = "jdk.ObjectAllocationInNewTLAB";
  private static final String OBJECT = "jdk.ObjectAllocationOutsideTLAB";

  /** Classes below which files are opened and blocks read, verified, decompressed and decoded. */
  private static final Set<String> BLOCKS =
      Set.of(
          "io.tsdbsuite.hbase.read.RegionFiles",
          "org.apache.hadoop.hbase.io.hfile.HFileReaderImpl",
          "org.apache.hadoop.hbase.io.hfile.DataBlocks");

  private Allocations() {}

  /** The share of allocation outside of reading HFile blocks, 0 to 1. */
  static double shareBesideBlocks(Way way, int times, Path file) throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable(BUFFER).withStackTrace();
      recording.enable(OBJECT).withStackTrace();
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
      String type = event.getEventType().getName();
      boolean buffer = type.equals(BUFFER);
      if ((!buffer && !type.equals(OBJECT))
          || event.getThread() == null
          || !thread.equals(event.getThread().getJavaName())) {
        continue;
      }
      double weight = event.getLong(buffer ? "tlabSize" : "allocationSize");
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
