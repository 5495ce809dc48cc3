package io.tsdbsuite.trigger.snapshot;

import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.Deadline.DeadlineException;
import io.tsdbsuite.trigger.snapshot.ManifestReader.Manifest;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck.IncompleteSnapshotException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Checks that every HFile of a manifest is on S3 with its size. The sorted files are divided into
 * ranges of similar length, whatever the sizes of the regions, and several ranges are listed at the
 * same time, because S3 answers a request for a page only after 50 to 100 ms.
 *
 * @param root root of the exports
 * @param snapshot the snapshot's name, for messages
 * @param threads number of requests at the same time
 */
record HFileCheck(
    ObjectStore store, S3Location root, String snapshot, Deadline deadline, int threads) {
  /** Ranges for each thread, so that a range with many other objects does not delay the end. */
  private static final int RANGES_PER_THREAD = 4;

  /** Files of a range at least; the last page of a range also has files of the next. */
  private static final int MIN_RANGE = 500;

  /**
   * Searches all HFiles below {@code archive/data/}, where ExportSnapshot writes them, and then the
   * missing ones below {@code data/}.
   *
   * @throws IncompleteSnapshotException when HFiles are missing or have another size; the message
   *     names the first of them
   * @throws DeadlineException when the function's timeout is near
   */
  void check(Manifest manifest) {
    AtomicBoolean stopped = new AtomicBoolean();
    List<HFileRange> ranges = ranges(manifest, stopped);
    HFileProblems problems = new HFileProblems();
    if (!ranges.isEmpty()) {
      ExecutorService executor = Executors.newFixedThreadPool(Math.min(threads, ranges.size()));
      try {
        List<Future<HFileProblems>> answers =
            ranges.stream().map(range -> executor.submit(range::check)).toList();
        answers.forEach(answer -> problems.addAll(get(answer)));
      } finally {
        stopped.set(true);
        executor.shutdown();
      }
    }
    if (problems.count() > 0) {
      throw new IncompleteSnapshotException(
          snapshot,
          "%s of %s HFiles are missing or have the wrong size: %s"
              .formatted(problems.count(), manifest.fileCount(), problems.text()));
    }
  }

  private List<HFileRange> ranges(Manifest manifest, AtomicBoolean stopped) {
    Runnable beforeRequest =
        () -> {
          if (stopped.get()) {
            throw new IllegalStateException("another range has failed");
          }
          deadline.require("the check of snapshot '" + snapshot + "'");
        };
    int length = Math.max(MIN_RANGE, manifest.fileCount() / (threads * RANGES_PER_THREAD) + 1);
    List<HFileRange> ranges = new ArrayList<>();
    for (Map.Entry<String, NavigableMap<String, Long>> table : manifest.files().entrySet()) {
      List<Map.Entry<String, Long>> files = List.copyOf(table.getValue().entrySet());
      for (int from = 0; from < files.size(); from += length) {
        List<Map.Entry<String, Long>> some =
            files.subList(from, Math.min(files.size(), from + length));
        ranges.add(new HFileRange(store, root, table.getKey(), some, beforeRequest));
      }
    }
    return ranges;
  }

  private static HFileProblems get(Future<HFileProblems> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      // With its own type: the caller decides by it whether a message is delivered again.
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("a listing failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while HFiles are listed", e);
    }
  }

  /** The HFiles that are missing or have another size: their number, and a text for the first. */
  static final class HFileProblems {
    private static final int SHOWN = 3;

    private final List<String> first = new ArrayList<>();
    private int count;

    void add(String problem) {
      count++;
      if (first.size() < SHOWN) {
        first.add(problem);
      }
    }

    /** Adds the problems of later files. */
    void addAll(HFileProblems later) {
      count += later.count;
      first.addAll(later.first.subList(0, Math.min(later.first.size(), SHOWN - first.size())));
    }

    /** The number of problems. */
    int count() {
      return count;
    }

    /** The first problems, in the files' order. */
    String text() {
      return String.join("; ", first) + (count > SHOWN ? "; ..." : "");
    }
  }
}
