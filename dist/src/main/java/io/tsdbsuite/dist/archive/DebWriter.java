package io.tsdbsuite.dist.archive;

import io.tsdbsuite.dist.tree.Entry;
import io.tsdbsuite.dist.tree.FileTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;

/**
 * Writes Debian packages, format 2.0 (deb(5)).
 *
 * <pre>
 *   ar archive
 *     debian-binary     "2.0\n"
 *     control.tar.gz    ./control, ./md5sums
 *     data.tar.gz       ./usr/...
 * </pre>
 */
public final class DebWriter {
  private final Instant time;

  /**
   * @param time the time of every file
   */
  public DebWriter(Instant time) {
    this.time = time;
  }

  /**
   * Writes a package for all architectures.
   *
   * @return the file: {@code NAME_VERSION_all.deb} in the directory
   */
  public Path write(PackageInfo info, Path directory) throws IOException {
    Path file = directory.resolve(info.name() + "_" + info.packageVersion() + "_all.deb");
    FileTree control =
        new FileTree().add("control", control(info)).add("md5sums", md5sums(info.files()));
    // The length of the data stands before them.
    Path data = Files.createTempFile(directory, info.name(), ".tar.gz");
    try (OutputStream out = Files.newOutputStream(file);
        ArArchiveOutputStream ar = new ArArchiveOutputStream(out)) {
      try (OutputStream tar = Files.newOutputStream(data)) {
        new TarWriter(time).write(info.files(), "./", tar);
      }
      ByteArrayOutputStream about = new ByteArrayOutputStream();
      new TarWriter(time).write(control, "./", about);
      put(ar, "debian-binary", made("2.0\n".getBytes(StandardCharsets.US_ASCII)));
      put(ar, "control.tar.gz", made(about.toByteArray()));
      put(ar, "data.tar.gz", new Entry.Copied(data, Entry.READABLE));
    } finally {
      Files.delete(data);
    }
    return file;
  }

  private static String control(PackageInfo info) throws IOException {
    StringBuilder text = new StringBuilder();
    field(text, "Package", info.name());
    field(text, "Version", info.packageVersion());
    field(text, "Architecture", "all");
    field(text, "Maintainer", PackageInfo.MAINTAINER);
    field(text, "Installed-Size", Long.toString(kibibytes(info.files())));
    field(
        text,
        "Recommends",
        String.join(", ", info.recommends().stream().map(Recommendation::deb).toList()));
    field(text, "Enhances", String.join(", ", info.enhances()));
    field(text, "Section", "database");
    field(text, "Priority", "optional");
    field(text, "Description", info.summary());
    for (String line : info.description()) {
      text.append(' ').append(line.isEmpty() ? "." : line).append('\n');
    }
    return text.toString();
  }

  private static void field(StringBuilder text, String name, String value) {
    if (!value.isEmpty()) {
      text.append(name).append(": ").append(value).append('\n');
    }
  }

  private static long kibibytes(FileTree files) throws IOException {
    long sum = 0;
    for (Entry entry : files.entries().values()) {
      sum += entry instanceof Entry.Content file ? (file.size() + 1023) / 1024 : 0;
    }
    return sum;
  }

  private static String md5sums(FileTree files) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<String, Entry> entry : files.entries().entrySet()) {
      if (entry.getValue() instanceof Entry.Content file) {
        lines.append(FileTree.digest("MD5", file));
        lines.append("  ").append(entry.getKey()).append('\n');
      }
    }
    return lines.toString();
  }

  private static Entry.Content made(byte[] bytes) {
    return new Entry.Made(bytes, Entry.READABLE);
  }

  private void put(ArArchiveOutputStream ar, String name, Entry.Content file) throws IOException {
    ar.putArchiveEntry(new ArArchiveEntry(name, file.size(), 0, 0, 0100644, time.getEpochSecond()));
    try (InputStream in = file.open()) {
      in.transferTo(ar);
    }
    ar.closeArchiveEntry();
  }
}
