package io.tsdbsuite.report.run;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts of rows by result: {@code read = listed + left off + not matching + never tracked +
 * skipped}. Skipped rows have a bad key, bad tags or a bad counter.
 */
public final class Books {
  private long read;
  private long listed;
  private long leftOff;
  private long notMatching;
  private long neverTracked;
  private long badKey;
  private long badTags;
  private long badCounter;
  private long unnamed;
  private long unreadable;

  void addRead(long rows) {
    read += rows;
  }

  void addListed(long series) {
    listed += series;
  }

  void addLeftOff(long series) {
    leftOff += series;
  }

  void addNotMatching() {
    notMatching++;
  }

  void addNeverTracked() {
    neverTracked++;
  }

  void addBadKey() {
    badKey++;
  }

  void addBadTags() {
    badTags++;
  }

  void addBadCounter() {
    badCounter++;
  }

  void setUnnamed(long count) {
    unnamed = count;
  }

  void setUnreadable(long count) {
    unreadable = count;
  }

  /** Number of rows read from the source. */
  public long read() {
    return read;
  }

  /** Number of series in the report or in its groups. */
  public long listed() {
    return listed;
  }

  /** Number of matching series that {@code --limit} leaves out. */
  public long leftOff() {
    return leftOff;
  }

  /** Number of series that do not match time, metric or tags. */
  public long notMatching() {
    return notMatching;
  }

  /** Number of series that match metric and tags but have no {@code ts_ctr}. */
  public long neverTracked() {
    return neverTracked;
  }

  /** Number of rows whose key does not have the length of a TSUID. */
  public long badKey() {
    return badKey;
  }

  /** Number of rows whose tag pairs do not ascend by tag key UID, or have a tag key twice. */
  public long badTags() {
    return badTags;
  }

  /** Number of rows whose {@code ts_ctr} is not 8 bytes long. */
  public long badCounter() {
    return badCounter;
  }

  /** Number of listed series or groups with a UID that has no name of its own. */
  public long unnamed() {
    return unnamed;
  }

  /** Whether the sum of the counts is the number of rows read. */
  public boolean closes() {
    return read == listed + leftOff + notMatching + neverTracked + badKey + badTags + badCounter;
  }

  /** The counts as lines for standard error. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        ("rows read %s = listed %s + left off by --limit %s + not matching %s + never"
                + " tracked %s + skipped %s%s")
            .formatted(
                read,
                listed,
                leftOff,
                notMatching,
                neverTracked,
                badKey + badTags + badCounter,
                closes() ? "" : ": THE BOOKS DO NOT CLOSE"));
    if (badKey > 0) {
      lines.add(
          ("skipped: %s rows whose key has no length of a TSUID; if they are many, the UID"
                  + " widths are wrong")
              .formatted(badKey));
    }
    if (badTags > 0) {
      lines.add(
          ("skipped: %s rows whose tag pairs do not ascend by tagk UID, or have a tag key"
                  + " twice: no TSD stores points of such a series (TSDs before 2.2 wrote such rows"
                  + " beside the right ones)")
              .formatted(badTags));
    }
    if (badCounter > 0) {
      lines.add("skipped: " + badCounter + " rows whose ts_ctr is not 8 bytes");
    }
    if (unnamed > 0) {
      lines.add(
          unnamed
              + " of the listed have a UID without a name of its own in tsdb-uid, shown in hex");
    }
    if (unreadable > 0) {
      lines.add(unreadable + " of the listed have a ts_meta that is no JSON: no time of creation");
    }
    return lines;
  }
}
