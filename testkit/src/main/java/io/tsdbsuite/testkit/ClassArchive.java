package io.tsdbsuite.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The class-data archive of a class path (JEP 310): its classes are in it as the JVM keeps them,
 * parsed and verified, so that a server starts with 40 % less CPU.
 *
 * <p>The first JVM of a class path lists the classes that it loads; its list counts once {@link
 * #started} says that it serves. The next JVM finds the list, and the archive is made before it
 * starts, in a JVM of its own. This and all later JVMs use it, those of other modules too. A class
 * path with a directory has no archive, because HotSpot wants jars alone. An archive that is older
 * than a jar is made again.
 *
 * <p>Several JVMs may do this at the same time: each has a list of its own, whoever renames a list
 * first makes the archive of it, and the archive gets its name when it is complete. Whatever fails
 * here, the server starts without an archive. A class path of which HotSpot crashed has none until
 * a jar is newer than HotSpot's error file.
 */
final class ClassArchive {
  /** HotSpot's messages about archives go to standard output, which belongs to the program. */
  private static final String SILENT = "-Xlog:cds*=off";

  private static final String LISTING = "-XX:DumpLoadedClassList=";
  private static final String STARTING = ".starting";
  private static final String LIST = ".classes";
  private static final Duration DUMP = Duration.ofMinutes(5);

  /** Files that are in the midst of something for so long are of a build that was killed. */
  private static final Duration KILLED = Duration.ofMinutes(10);

  private final Path dir;
  private final Path java;
  private final String classPath;
  private final String name;

  /**
   * An archive.
   *
   * @param dir the directory of all archives, created if it does not exist
   * @param java the command that runs the JVMs, of JDK 12 or later
   * @param classPath the class path, as after {@code -cp}
   */
  ClassArchive(Path dir, Path java, String classPath) {
    this.dir = dir;
    this.java = java;
    this.classPath = classPath;
    this.name =
        UUID.nameUUIDFromBytes((java + "\n" + classPath).getBytes(StandardCharsets.UTF_8))
            .toString();
  }

  /** The beginning of the names of its files. */
  String name() {
    return name;
  }

  /** The flags of a JVM that starts now, for the archive or for a list of its classes. */
  List<String> flags() {
    try {
      long newest = newestJar();
      Files.createDirectories(dir);
      Path archive = dir.resolve(name + ".jsa");
      if (Files.exists(archive) && Files.getLastModifiedTime(archive).toMillis() > newest) {
        return use(archive);
      }
      Path crash = crash();
      if (Files.exists(crash) && Files.getLastModifiedTime(crash).toMillis() > newest) {
        return List.of();
      }
      boolean starting = false;
      long killed = System.currentTimeMillis() - KILLED.toMillis();
      for (Path file : files()) {
        long written = Files.getLastModifiedTime(file).toMillis();
        boolean list = file.toString().endsWith(LIST);
        if (list && written > newest) {
          return make(file, archive) ? use(archive) : List.of();
        }
        if (list || written < killed) {
          Files.deleteIfExists(file);
        } else {
          starting = true;
        }
      }
      Path list = dir.resolve(name + "-" + UUID.randomUUID() + STARTING);
      return starting ? List.of() : List.of(LISTING + list, SILENT);
    } catch (IOException | UncheckedIOException | DirectoryIteratorException e) {
      return List.of();
    }
  }

  /**
   * Takes the list of a JVM, if it writes one.
   *
   * @param command of the JVM, with {@link #flags}
   * @param serves whether it has loaded what its work needs; else the list is deleted
   */
  static void started(List<String> command, boolean serves) {
    for (String flag : command) {
      if (flag.startsWith(LISTING)) {
        Path starting = Path.of(flag.substring(LISTING.length()));
        String name = starting.getFileName().toString();
        try {
          if (serves) {
            Files.move(starting, starting.resolveSibling(name.replace(STARTING, LIST)));
          } else {
            Files.deleteIfExists(starting);
          }
        } catch (IOException e) {
          // The next start lists again.
        }
      }
    }
  }

  private static List<String> use(Path archive) {
    return List.of("-XX:SharedArchiveFile=" + archive, SILENT);
  }

  /** When the newest jar was written, in milliseconds since the epoch. */
  private long newestJar() throws IOException {
    long newest = 0;
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      Path jar = Path.of(entry);
      if (!Files.isRegularFile(jar)) {
        throw new NoSuchFileException(entry, null, "is no jar");
      }
      newest = Math.max(newest, Files.getLastModifiedTime(jar).toMillis());
    }
    return newest;
  }

  /** HotSpot's error file, which it else writes to the working directory. */
  private Path crash() {
    return dir.resolve(name + ".crash");
  }

  /** Lists, and what is in the midst of something. */
  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(dir, name + "-*")) {
      found.forEach(files::add);
    }
    return files;
  }

  /** Makes the archive, unless another JVM does; false if there is none. */
  private boolean make(Path list, Path archive) throws IOException {
    Path own = Path.of(list + ".taken");
    try {
      Files.move(list, own, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return false;
    }
    Path whole = Path.of(list + ".whole");
    Path made = dir.resolve(name + "-" + UUID.randomUUID() + ".tmp");
    try {
      // The JVM that writes the list still runs, perhaps in the midst of a line.
      String classes = Files.readString(own, StandardCharsets.UTF_8);
      Files.writeString(whole, classes.substring(0, classes.lastIndexOf('\n') + 1));
      if (!dump(whole, made)) {
        return false;
      }
      Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } finally {
      Files.deleteIfExists(own);
      Files.deleteIfExists(whole);
      Files.deleteIfExists(made);
    }
  }

  private boolean dump(Path list, Path made) throws IOException {
    Files.deleteIfExists(crash());
    ProcessBuilder builder =
        new ProcessBuilder(
                java.toString(),
                "-Xshare:dump",
                // Its heap objects are part of the archive only with this collector.
                "-XX:+UseG1GC",
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + crash(),
                "-XX:SharedClassListFile=" + list,
                "-XX:SharedArchiveFile=" + made,
                "-cp",
                classPath)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve(name + ".log").toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    try {
      if (process.waitFor(DUMP.toSeconds(), TimeUnit.SECONDS)) {
        return process.exitValue() == 0;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
    return false;
  }
}
