package io.tsdbsuite.trigger.snapshot;

import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.ObjectStore.ObjectPage;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.HFileCheck.HFileProblems;
import io.tsdbsuite.trigger.snapshot.ManifestReader.Manifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Checks successive HFiles of one table. Objects are listed 1000 at a time and merged with the
 * expected files, which are in the same order. If the next expected file is beyond the end of a
 * page, the next listing starts right before that file. The number of requests is therefore at most
 * the number of pages and at most the number of HFiles: many HFiles need no HEAD request each, and
 * few HFiles need no listing of all older HFiles. Only one page is in memory at a time.
 */
final class HFileRange {
  private static final String ARCHIVE = "archive/data/";
  private static final String DATA = "data/";

  private final ObjectStore store;
  private final S3Location root;
  private final String table;
  private final List<Map.Entry<String, Long>> files;
  private final Runnable beforeRequest;
  private final HFileProblems problems = new HFileProblems();

  /**
   * @param root root of the exports
   * @param table {@code <ns>/<table>}
   * @param files the expected files, path below the table and size in bytes, sorted by path
   * @param beforeRequest called before each request; its exception ends the check
   */
  HFileRange(
      ObjectStore store,
      S3Location root,
      String table,
      List<Map.Entry<String, Long>> files,
      Runnable beforeRequest) {
    this.store = store;
    this.root = root;
    this.table = table;
    this.files = files;
    this.beforeRequest = beforeRequest;
  }

  /**
   * Searches the files below {@code archive/data/}, where ExportSnapshot writes them, and then the
   * missing ones below {@code data/}.
   */
  HFileProblems check() {
    List<Map.Entry<String, Long>> rest = strikeOff(ARCHIVE + table + "/", files);
    for (Map.Entry<String, Long> missing : strikeOff(DATA + table + "/", rest)) {
      problems.add(ARCHIVE + table + "/" + missing.getKey() + " is missing");
    }
    return problems;
  }

  /** The files that are not below the directory; a wrong size counts as found. */
  private List<Map.Entry<String, Long>> strikeOff(
      String directory, List<Map.Entry<String, Long>> expected) {
    List<Map.Entry<String, Long>> missing = new ArrayList<>();
    S3Location place = root.resolve(directory);
    S3Location prefix = root.resolve(directory.substring(0, directory.length() - 1));
    String after = "";
    int next = 0;
    while (next < expected.size()) {
      beforeRequest.run();
      String before = justBefore(place.key() + expected.get(next).getKey());
      after = after.compareTo(before) > 0 ? after : before;
      ObjectPage page = store.list(prefix, after);
      next = strikeOff(place.key(), expected, next, page, missing);
      if (!page.more()) {
        missing.addAll(expected.subList(next, expected.size()));
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
      List<Map.Entry<String, Long>> expected,
      int next,
      ObjectPage page,
      List<Map.Entry<String, Long>> missing) {
    int file = next;
    for (ObjectPage.Entry object : page.objects()) {
      int order = -1;
      while (file < expected.size()
          && (order = (prefix + expected.get(file).getKey()).compareTo(object.key())) < 0) {
        missing.add(expected.get(file++));
      }
      if (file == expected.size()) {
        break;
      }
      if (order == 0) {
        requireSize(expected.get(file++), object);
      }
    }
    return file;
  }

  private void requireSize(Map.Entry<String, Long> file, ObjectPage.Entry object) {
    long size = file.getValue();
    if (size != Manifest.UNKNOWN_SIZE && size != object.size()) {
      problems.add(
          object.key() + " has " + object.size() + " bytes, but the manifest states " + size);
    }
  }

  /** A key that sorts closely before the given one. */
  private static String justBefore(String key) {
    return key.substring(0, key.length() - 1);
  }
}
