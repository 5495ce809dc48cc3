package io.tsdbsuite.trigger.snapshot;

import io.tsdbsuite.trigger.s3.ObjectPage;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.S3Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/**
 * Checks that every HFile of a manifest is on S3 with its size. Objects are listed 1000 at a time
 * and merged with the expected files, which are in the same order. If the next expected file is
 * beyond the end of a page, the next listing starts right before that file. The number of requests
 * is therefore at most the number of pages and at most the number of HFiles: many HFiles need no
 * HEAD request each, and few HFiles need no listing of all older HFiles.
 */
final class HFileCheck {
  private static final String ARCHIVE = "archive/data/";
  private static final String DATA = "data/";
  private static final int SHOWN = 3;

  private final ObjectStore store;
  private final S3Location root;
  private final String snapshot;
  private final Deadline deadline;
  private final List<String> problems = new ArrayList<>();
  private int failures;

  HFileCheck(ObjectStore store, S3Location root, String snapshot, Deadline deadline) {
    this.store = store;
    this.root = root;
    this.snapshot = snapshot;
    this.deadline = deadline;
  }

  /**
   * Searches all HFiles below {@code archive/data/}, where ExportSnapshot writes them, and then the
   * missing ones below {@code data/}.
   *
   * @throws IncompleteSnapshotException when HFiles are missing or have another size; the message
   *     names the first of them
   * @throws DeadlineException when the function's timeout is near
   */
  void check(Manifest manifest) {
    int checked = 0;
    for (Map.Entry<String, NavigableMap<String, Long>> table : manifest.files().entrySet()) {
      List<Map.Entry<String, Long>> files = List.copyOf(table.getValue().entrySet());
      checked += files.size();
      List<Map.Entry<String, Long>> rest = strikeOff(ARCHIVE + table.getKey() + "/", files);
      for (Map.Entry<String, Long> missing : strikeOff(DATA + table.getKey() + "/", rest)) {
        fail(ARCHIVE + table.getKey() + "/" + missing.getKey() + " is missing");
      }
    }
    if (failures > 0) {
      throw new IncompleteSnapshotException(
          snapshot,
          failures
              + " of "
              + checked
              + " HFiles are missing or have the wrong size: "
              + String.join("; ", problems)
              + (failures > SHOWN ? "; ..." : ""));
    }
  }

  /** The files that are not below the directory; a wrong size counts as found. */
  private List<Map.Entry<String, Long>> strikeOff(
      String directory, List<Map.Entry<String, Long>> files) {
    List<Map.Entry<String, Long>> missing = new ArrayList<>();
    S3Location place = root.resolve(directory);
    S3Location prefix = root.resolve(directory.substring(0, directory.length() - 1));
    String after = "";
    int next = 0;
    while (next < files.size()) {
      deadline.require("the check of snapshot '" + snapshot + "'");
      String before = justBefore(place.key() + files.get(next).getKey());
      after = after.compareTo(before) > 0 ? after : before;
      ObjectPage page = store.list(prefix, after);
      next = strikeOff(place.key(), files, next, page, missing);
      if (!page.more()) {
        missing.addAll(files.subList(next, files.size()));
        break;
      }
      after = page.objects().get(page.objects().size() - 1).key();
    }
    return missing;
  }

  /**
   * Merges a page with the files from {@code next} on; returns the index of the first file after
   * the page.
   */
  private int strikeOff(
      String prefix,
      List<Map.Entry<String, Long>> files,
      int next,
      ObjectPage page,
      List<Map.Entry<String, Long>> missing) {
    int file = next;
    for (ObjectPage.Entry object : page.objects()) {
      int order = -1;
      while (file < files.size()
          && (order = (prefix + files.get(file).getKey()).compareTo(object.key())) < 0) {
        missing.add(files.get(file++));
      }
      if (file < files.size() && order == 0) {
        requireSize(files.get(file++), object);
      }
    }
    return file;
  }

  private void requireSize(Map.Entry<String, Long> file, ObjectPage.Entry object) {
    long size = file.getValue();
    if (size != Manifest.UNKNOWN_SIZE && size != object.size()) {
      fail(object.key() + " has " + object.size() + " bytes, but the manifest states " + size);
    }
  }

  private void fail(String problem) {
    failures++;
    if (problems.size() < SHOWN) {
      problems.add(problem);
    }
  }

  /** A key that sorts closely before the given one. */
  private static String justBefore(String key) {
    return key.substring(0, key.length() - 1);
  }
}
