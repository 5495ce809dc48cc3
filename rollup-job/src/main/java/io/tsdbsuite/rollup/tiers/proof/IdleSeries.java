package io.tsdbsuite.rollup.tiers.proof;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.verify.RegionNames;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A set of TSUIDs, immutable. It is the bytes of its file:
 *
 * <pre>
 *   0         8          12        16
 *   +---------+----------+---------+----------------+-------+-----------
 *   | tsdbidle| format 1 | count n | length (1 to   | TSUID | ... n of them, ascending, none twice
 *   |         |          |         | 65535, 2 bytes)|       |
 *   +---------+----------+---------+----------------+-------+-----------
 * </pre>
 *
 * <p>Everything is unsigned and big-endian; so is the order of the TSUIDs, a shorter one first.
 */
public final class IdleSeries {
  /** The most series of a proof. */
  public static final int MAX_COUNT = 5_000_000;

  private static final byte[] MAGIC = "tsdbidle".getBytes(StandardCharsets.US_ASCII);
  private static final int FORMAT = 1;
  private static final int HEADER = MAGIC.length + 2 * Integer.BYTES;
  private static final int LENGTH = Short.BYTES;

  private final byte[] file;

  /** Where the TSUIDs begin in the file; one more for the end of the file. */
  private final int[] starts;

  private IdleSeries(byte[] file, int[] starts) {
    this.file = file;
    this.starts = starts;
  }

  /**
   * Reads the bytes of a file.
   *
   * @param name of the file, for messages
   * @throws JobException bad input, when they are not such a file
   */
  static IdleSeries of(String name, byte[] file) {
    if (file.length < HEADER || !Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw refused(name, "must begin with tsdbidle, a format and a count");
    }
    long format = Uids.read(file, MAGIC.length, Integer.BYTES);
    long count = Uids.read(file, MAGIC.length + Integer.BYTES, Integer.BYTES);
    if (format != FORMAT || count > MAX_COUNT) {
      throw refused(
          name,
          "must have the format %s and at most %s series, found %s and %s"
              .formatted(FORMAT, MAX_COUNT, format, count));
    }
    int[] starts = new int[(int) count + 1];
    int at = HEADER;
    for (int i = 0; i < count; i++) {
      int length = at + LENGTH > file.length ? 0 : (int) Uids.read(file, at, LENGTH);
      starts[i] = at + LENGTH;
      if (length == 0 || length > file.length - starts[i]) {
        throw refused(
            name, "must have %s series, found a damaged one after %s".formatted(count, i));
      }
      at = starts[i] + length;
      if (i > 0
          && Arrays.compareUnsigned(file, starts[i - 1], starts[i] - LENGTH, file, starts[i], at)
              >= 0) {
        throw refused(name, "must have its series in ascending order, found others at " + i);
      }
    }
    if (at != file.length) {
      throw refused(
          name,
          "must end after %s series, at %s bytes, found %s".formatted(count, at, file.length));
    }
    starts[(int) count] = at + LENGTH;
    return new IdleSeries(file, starts);
  }

  private static JobException refused(String name, String rule) {
    return JobException.badInput("the file of idle series " + name + " " + rule);
  }

  /** How many they are. */
  public int count() {
    return starts.length - 1;
  }

  /** SHA-256 of the file, 64 hex digits. */
  public String sha256() {
    return RegionNames.sha256(file);
  }

  void writeTo(OutputStream stream) throws IOException {
    stream.write(file);
  }

  /**
   * Whether the series of a row is one of them. Allocates nothing.
   *
   * @param key with a row key at an offset, which has at least {@link RowKey#tagsOffset} bytes
   * @param keys tell where salt and time are, which do not count
   */
  public boolean contains(byte[] key, int off, int len, RowKey keys) {
    int low = 0;
    int high = count() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(middle, key, off, len, keys);
      if (order == 0) {
        return true;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return false;
  }

  /** Compares a TSUID with the metric, then the tags of a key. */
  private int compare(int index, byte[] key, int off, int len, RowKey keys) {
    int start = starts[index];
    int end = starts[index + 1] - LENGTH;
    int metric = off + keys.metricOffset();
    int time = off + keys.timeOffset();
    int tags = Math.min(start + (time - metric), end);
    int order = Arrays.compareUnsigned(file, start, tags, key, metric, time);
    return order != 0
        ? order
        : Arrays.compareUnsigned(file, tags, end, key, off + keys.tagsOffset(), off + len);
  }

  /** Makes a set of TSUIDs that come in ascending order. For one use. */
  public static final class Builder {
    /** Room for 5,000,000 series of usual length; the bytes of an array are less than 2^31. */
    private static final int MAX_BYTES = 1 << 30;

    private byte[] bytes = new byte[1 << 16];
    private int end = HEADER;
    private int count;

    /**
     * Adds a series.
     *
     * @param tsuid after the ones before
     * @return false if there is no room for it
     */
    public boolean add(byte[] tsuid) {
      int size = LENGTH + tsuid.length;
      if (count == MAX_COUNT || size > MAX_BYTES - end) {
        return false;
      }
      if (end + size > bytes.length) {
        bytes =
            Arrays.copyOf(
                bytes, Math.max(end + size, (int) Math.min(MAX_BYTES, 2L * bytes.length)));
      }
      Uids.write(tsuid.length, bytes, end, LENGTH);
      System.arraycopy(tsuid, 0, bytes, end + LENGTH, tsuid.length);
      end += size;
      count++;
      return true;
    }

    /** The set; checks it as a file that is read. */
    public IdleSeries build() {
      System.arraycopy(MAGIC, 0, bytes, 0, MAGIC.length);
      Uids.write(FORMAT, bytes, MAGIC.length, Integer.BYTES);
      Uids.write(count, bytes, MAGIC.length + Integer.BYTES, Integer.BYTES);
      return of("in memory", Arrays.copyOf(bytes, end));
    }
  }
}
