package io.tsdbsuite.synthetic.text;

import io.tsdbsuite.synthetic.UsageException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Synthetic text in files, about as many lines in each. A file has a dot before its name until it
 * is whole; loaders leave such files out.
 */
public final class TextFiles {
  private static final int BUFFER = 1 << 16;

  private final SyntheticText text;
  private final Path directory;
  private final String name;
  private final int files;
  private final boolean gzip;

  /**
   * @param directory is made if it is not there
   * @param name prefix of the names of the files
   * @param files number of files, at least 1; fewer are written when there are fewer lines
   */
  public TextFiles(SyntheticText text, Path directory, String name, int files, boolean gzip) {
    this.text = text;
    this.directory = directory;
    this.name = name;
    this.files = (int) Math.min(files, text.lines());
    this.gzip = gzip;
  }

  /** Number of files. */
  public int count() {
    return files;
  }

  /** The file of this number, from 0. */
  public Path path(int file) {
    int digits = String.valueOf(files).length();
    String number = String.valueOf(file + 1);
    String suffix = "." + text.format().suffix() + (gzip ? ".gz" : "");
    return directory.resolve(name + "-" + "0".repeat(digits - number.length()) + number + suffix);
  }

  /**
   * Writes all files, one after the other.
   *
   * @throws UsageException with all files that exist already
   * @throws IOException when a file cannot be written; the message names it
   */
  public List<TextFile> writeAll() throws IOException {
    requireNone();
    List<TextFile> written = new ArrayList<>();
    for (int file = 0; file < files; file++) {
      written.add(write(file));
    }
    return List.copyOf(written);
  }

  /**
   * Makes sure that nothing is overwritten.
   *
   * @throws UsageException with all files that exist already
   */
  public void requireNone() {
    List<String> problems = new ArrayList<>();
    for (int file = 0; file < files; file++) {
      if (Files.exists(path(file))) {
        problems.add("a generated file must not overwrite another one, found " + path(file));
      }
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
  }

  /**
   * Writes one file. Several can be written at the same time.
   *
   * @throws IOException when the file cannot be written; the message names it
   */
  public TextFile write(int file) throws IOException {
    long from = first(file);
    long to = first(file + 1);
    Path path = path(file);
    Path part = path.resolveSibling("." + path.getFileName());
    try {
      Files.createDirectories(directory);
      long bytes;
      try (OutputStream out = open(part)) {
        bytes = text.write(out, from, to);
      }
      Files.move(part, path);
      return new TextFile(path, to - from, bytes);
    } catch (IOException e) {
      throw new IOException("the generated file " + path + " cannot be written: " + e, e);
    }
  }

  private OutputStream open(Path part) throws IOException {
    OutputStream raw = Files.newOutputStream(part);
    return gzip ? new FastGzip(new BufferedOutputStream(raw, BUFFER)) : raw;
  }

  private long first(int file) {
    long lines = text.lines();
    return lines / files * file + lines % files * file / files;
  }
}
