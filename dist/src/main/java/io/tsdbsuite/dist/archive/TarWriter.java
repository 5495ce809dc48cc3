package io.tsdbsuite.dist.archive;

import io.tsdbsuite.dist.tree.Entry;
import io.tsdbsuite.dist.tree.FileTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.zip.Deflater;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/** Writes a tree as tar.gz. */
public final class TarWriter {
  private final Instant time;

  /**
   * @param time the time of every entry, whole seconds
   */
  public TarWriter(Instant time) {
    this.time = time;
  }

  /**
   * Writes directories, files and links in the order of their paths.
   *
   * @param prefix of every path, with a slash at its end
   * @param out stays open
   */
  public void write(FileTree tree, String prefix, OutputStream out) throws IOException {
    GzipParameters parameters = new GzipParameters();
    parameters.setCompressionLevel(Deflater.BEST_COMPRESSION);
    GzipCompressorOutputStream gzip = new GzipCompressorOutputStream(out, parameters);
    TarArchiveOutputStream tar = new TarArchiveOutputStream(gzip, StandardCharsets.UTF_8.name());
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
    put(tar, entry(prefix, TarConstants.LF_DIR, Entry.EXECUTABLE));
    for (String directory : tree.directories()) {
      put(tar, entry(prefix + directory + "/", TarConstants.LF_DIR, Entry.EXECUTABLE));
    }
    for (Map.Entry<String, Entry> each : tree.entries().entrySet()) {
      String path = prefix + each.getKey();
      if (each.getValue() instanceof Entry.Content file) {
        TarArchiveEntry entry = entry(path, TarConstants.LF_NORMAL, file.mode());
        entry.setSize(file.size());
        tar.putArchiveEntry(entry);
        try (InputStream in = file.open()) {
          in.transferTo(tar);
        }
        tar.closeArchiveEntry();
      } else if (each.getValue() instanceof Entry.Link link) {
        TarArchiveEntry entry = entry(path, TarConstants.LF_SYMLINK, 0777);
        entry.setLinkName(link.target());
        put(tar, entry);
      }
    }
    tar.finish();
    gzip.finish();
  }

  private TarArchiveEntry entry(String path, byte type, int mode) {
    TarArchiveEntry entry = new TarArchiveEntry(path, type);
    entry.setMode(mode);
    entry.setModTime(time.toEpochMilli());
    entry.setIds(0, 0);
    entry.setNames("root", "root");
    return entry;
  }

  /** An entry without content. */
  private static void put(TarArchiveOutputStream tar, TarArchiveEntry entry) throws IOException {
    tar.putArchiveEntry(entry);
    tar.closeArchiveEntry();
  }
}
