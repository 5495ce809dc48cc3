package io.tsdbsuite.rollup.prune;

/**
 * A number of files and their size.
 *
 * @param files their number
 * @param bytes their total size
 */
public record Amount(long files, long bytes) {
  static final Amount NONE = new Amount(0, 0);

  Amount plus(StoredFile file) {
    return new Amount(files + 1, bytes + file.bytes());
  }

  Amount plus(Amount other) {
    return new Amount(files + other.files, bytes + other.bytes);
  }

  @Override
  public String toString() {
    return files + " files, " + bytes + " bytes";
  }
}
