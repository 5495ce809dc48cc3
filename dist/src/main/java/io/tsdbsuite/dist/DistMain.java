package io.tsdbsuite.dist;

import io.tsdbsuite.dist.archive.PackageInfo;
import io.tsdbsuite.dist.archive.PackageWriter;
import io.tsdbsuite.dist.archive.TarWriter;
import io.tsdbsuite.dist.tree.FileTree;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.Stream;

/** Writes the distribution; the profile dist of this module runs it when all jars are built. */
public final class DistMain {
  private DistMain() {}

  /**
   * Writes the tar.gz, the packages and their SHA256SUMS. The packages are signed by the keys in
   * the files that the environment names: SIGN_KEY (PGP) and APK_KEY (RSA).
   *
   * @param args directory of the source tree, directory to write (emptied before), version, commit,
   *     time of all files (ISO-8601), the program nfpm
   * @throws IOException when a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 6) {
      throw new IllegalArgumentException("six arguments are required, found " + args.length);
    }
    Path out = Path.of(args[1]);
    Instant time = Instant.parse(args[4]);
    PackageWriter packages =
        new PackageWriter(Path.of(args[5]), time, key("SIGN_KEY"), key("APK_KEY"));
    write(Path.of(args[0]), out, args[2], args[3], time, packages);
    try (Stream<Path> written = Files.list(out)) {
      for (Path file : written.sorted().toList()) {
        System.out.printf("%,14d %s%n", Files.size(file), out.relativize(file));
      }
    }
  }

  private static Optional<Path> key(String variable) {
    return Optional.ofNullable(System.getenv(variable))
        .filter(file -> !file.isEmpty())
        .map(Path::of);
  }

  private static void write(
      Path root, Path out, String version, String commit, Instant time, PackageWriter packages)
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
    for (PackageInfo info : Packages.of(suite, version)) {
      packages.write(info, out);
    }
    FileTree written = new FileTree();
    try (Stream<Path> files = Files.list(out)) {
      files.forEach(file -> written.add(String.valueOf(file.getFileName()), file));
    }
    Files.writeString(out.resolve("SHA256SUMS"), written.checksums());
  }
}
