package io.tsdbsuite.dist.archive;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.dist.tree.Entry;
import io.tsdbsuite.dist.tree.FileTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes Debian, RPM and Alpine packages for all architectures by nFPM, which reads a file with the
 * package's fields and contents. The same files make the same bytes, unless they are signed.
 */
public final class PackageWriter {
  private static final List<String> FORMATS = List.of("deb", "rpm", "apk");
  private static final String SNAPSHOT = "-SNAPSHOT";

  private final Path nfpm;
  private final Instant time;
  private final Optional<Path> pgpKey;
  private final Optional<Path> rsaKey;
  private final ObjectMapper json = new ObjectMapper();

  /**
   * @param nfpm the program
   * @param time the time of every file
   * @param pgpKey private key that signs Debian and RPM packages; its passphrase is in the
   *     environment, NFPM_PASSPHRASE
   * @param rsaKey private key that signs Alpine packages, PEM
   * @throws IllegalArgumentException when the program or a key is missing
   */
  public PackageWriter(Path nfpm, Instant time, Optional<Path> pgpKey, Optional<Path> rsaKey) {
    this.nfpm = required("nfpm", nfpm);
    this.time = time;
    this.pgpKey = pgpKey.map(key -> required("SIGN_KEY", key));
    this.rsaKey = rsaKey.map(key -> required("APK_KEY", key));
  }

  private static Path required(String what, Path file) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException(what + " must be a file that can be read, found: " + file);
    }
    return file.toAbsolutePath();
  }

  /**
   * Writes a package in each format.
   *
   * @param directory receives {@code NAME_VERSION_all.deb}, {@code NAME-VERSION-1.noarch.rpm} and
   *     {@code NAME_VERSION_noarch.apk}
   * @throws IOException when nFPM fails, with its output
   */
  public void write(PackageInfo info, Path directory) throws IOException {
    Path work = Files.createTempDirectory("packages");
    try {
      ArrayNode contents = contents(info, work);
      for (String format : FORMATS) {
        Path config = work.resolve(format + ".json");
        json.writeValue(config.toFile(), config(info, format).set("contents", contents));
        run(config, format, directory.toAbsolutePath());
      }
    } finally {
      try (Stream<Path> files = Files.walk(work)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private ObjectNode config(PackageInfo info, String format) {
    ObjectNode config =
        json.createObjectNode()
            .put("name", info.name())
            .put("arch", "all")
            .put("platform", "linux")
            .put("version", version(info.version(), format))
            .put("version_schema", "semver")
            .put("section", "database")
            .put("priority", "optional")
            .put("maintainer", PackageInfo.MAINTAINER)
            .put("description", description(info, format))
            .put("license", "Apache-2.0")
            .put("mtime", time.toString())
            .put("disable_globbing", true);
    // Alpine's tool has no recommendations: a dependency would bring a Java that is not wanted.
    if (!format.equals("apk")) {
      ArrayNode recommends = config.putArray("recommends");
      (format.equals("deb") ? info.debRecommends() : info.rpmRecommends()).forEach(recommends::add);
    }
    ObjectNode own = config.putObject(format);
    switch (format) {
      case "deb" -> own.putObject("fields").put("Enhances", "opentsdb");
      case "rpm" ->
          own.put("summary", info.summary())
              .put("group", "Applications/Databases")
              .put("packager", PackageInfo.MAINTAINER)
              // Of the machine: no build would be like another.
              .put("buildhost", "localhost");
      default -> {}
    }
    (format.equals("apk") ? rsaKey : pgpKey)
        .ifPresent(key -> own.putObject("signature").put("key_file", key.toString()));
    return config;
  }

  /** RPM has a field for the summary, the others take it from the first line. */
  private static String description(PackageInfo info, String format) {
    String lines = String.join("\n", info.description());
    return format.equals("rpm") ? lines : info.summary() + "\n" + lines;
  }

  /** Each tool sorts its snapshots before the release: Alpine's knows a few suffixes only. */
  private static String version(String version, String format) {
    return format.equals("apk") ? version.replace(SNAPSHOT, "-pre") : version;
  }

  private ArrayNode contents(PackageInfo info, Path work) throws IOException {
    ArrayNode contents = json.createArrayNode();
    FileTree tree = info.files();
    for (String directory : tree.directories()) {
      if (info.owns(directory)) {
        contents.add(content(directory, "dir", "", Entry.EXECUTABLE));
      }
    }
    for (Map.Entry<String, Entry> each : tree.entries().entrySet()) {
      String path = each.getKey();
      if (each.getValue() instanceof Entry.Copied file) {
        // nFPM refuses a path with "..".
        String source = file.source().toAbsolutePath().normalize().toString();
        contents.add(content(path, "file", source, file.mode()));
      } else if (each.getValue() instanceof Entry.Made file) {
        Path source = Files.write(work.resolve("content-" + contents.size()), file.bytes());
        contents.add(content(path, "file", source.toString(), file.mode()));
      } else if (each.getValue() instanceof Entry.Link link) {
        contents.add(content(path, "symlink", link.target(), 0777));
      }
    }
    return contents;
  }

  private ObjectNode content(String path, String type, String source, int mode) {
    ObjectNode content = json.createObjectNode().put("dst", "/" + path).put("type", type);
    content.put("src", source);
    content
        .putObject("file_info")
        .put("mode", mode)
        .put("mtime", time.toString())
        .put("owner", "root")
        .put("group", "root");
    return content;
  }

  private void run(Path config, String format, Path directory) throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
            nfpm.toString(), "package", "-f", config.toString(), "-p", format, "-t", ".");
    // In the place of the machine's time.
    command.environment().put("SOURCE_DATE_EPOCH", Long.toString(time.getEpochSecond()));
    Process process = command.directory(directory.toFile()).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException("nfpm cannot write a package of " + config + ": " + output);
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while nfpm writes " + format, e);
    }
  }
}
