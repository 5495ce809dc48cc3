package io.tsdbsuite.dist;

import io.tsdbsuite.dist.archive.DebWriter;
import io.tsdbsuite.dist.archive.PackageInfo;
import io.tsdbsuite.dist.archive.RpmFileWriter;
import io.tsdbsuite.dist.archive.TarWriter;
import io.tsdbsuite.dist.tree.FileTree;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;

/** Writes the distribution; the profile dist of this module runs it when all jars are built. */
public final class DistMain {
  private DistMain() {}

  /**
   * Writes the tar.gz, the packages and their SHA256SUMS.
   *
   * @param args directory of the source tree, directory to write (emptied before), version, commit,
   *     time of all files (ISO-8601)
   * @throws IOException when a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 5) {
      throw new IllegalArgumentException("five arguments are required, found " + args.length);
    }
    Path out = Path.of(args[1]);
    write(Path.of(args[0]), out, args[2], args[3], Instant.parse(args[4]));
    try (Stream<Path> written = Files.list(out)) {
      for (Path file : written.sorted().toList()) {
        System.out.printf("%,14d %s%n", Files.size(file), out.relativize(file));
      }
    }
  }

  private static void write(Path root, Path out, String version, String commit, Instant time)
      throws IOException {
    Files.createDirectories(out);
    try (Stream<Path> old = Files.list(out)) {
      for (Path file : old.toList()) {
        Files.delete(file);
      }
    }
    FileTree suite =
        SuiteFiles.of(root, version, commit, time.atZone(ZoneOffset.UTC).toLocalDate());
    String name = "opentsdb-suite-" + version;
    try (OutputStream tar = Files.newOutputStream(out.resolve(name + ".tar.gz"))) {
      new TarWriter(time).write(suite, name + "/", tar);
    }
    List<PackageInfo> packages = Packages.of(suite, version);
    for (PackageInfo info : packages) {
      new DebWriter(time).write(info, out);
      new RpmFileWriter(time).write(info, out);
    }
    FileTree written = new FileTree();
    try (Stream<Path> files = Files.list(out)) {
      files.forEach(file -> written.add(String.valueOf(file.getFileName()), file));
    }
    Files.writeString(out.resolve("SHA256SUMS"), written.checksums());
  }
}
