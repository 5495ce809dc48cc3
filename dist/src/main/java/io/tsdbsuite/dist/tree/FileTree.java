package io.tsdbsuite.dist.tree;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Files and links by their path in an archive, in the order of their paths. A path has no slash at
 * its beginning. Owner and group of everything are root.
 */
public final class FileTree {
  /** Names that builds, tests and tools leave in source directories. */
  private static final Set<String> LEFT_OUT = Set.of("target", "__pycache__", "node_modules");

  private final TreeMap<String, Entry> entries = new TreeMap<>();

  /**
   * Adds an entry.
   *
   * @throws IllegalArgumentException when the path is not relative, or has an entry
   */
  public FileTree add(String path, Entry entry) {
    if (path.isEmpty() || path.startsWith("/") || List.of(path.split("/", -1)).contains("")) {
      throw new IllegalArgumentException("a path must be relative, without empty names: " + path);
    }
    if (entries.putIfAbsent(path, entry) != null) {
      throw new IllegalArgumentException("a path must have one entry, found two of " + path);
    }
    return this;
  }

  /**
   * Adds a file with the permissions that its name asks for: scripts are executable.
   *
   * @throws IllegalArgumentException when there is no such file
   */
  public FileTree add(String path, Path source) {
    if (!Files.isRegularFile(source)) {
      throw new IllegalArgumentException("a file of the distribution is missing: " + source);
    }
    return add(path, new Entry.Copied(source, isProgram(path) ? Entry.EXECUTABLE : Entry.READABLE));
  }

  /** Adds a text file. */
  public FileTree add(String path, String text) {
    return add(
        path,
        new Entry.Made(
            text.getBytes(StandardCharsets.UTF_8),
            isProgram(path) ? Entry.EXECUTABLE : Entry.READABLE));
  }

  /**
   * Adds the files below a directory, without hidden ones and what builds leave there.
   *
   * @param isSource whether a file is wanted
   * @throws IllegalArgumentException when there is no such directory
   * @throws UncheckedIOException when the directory cannot be read
   */
  public FileTree addAll(String prefix, Path directory, Predicate<Path> isSource) {
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException(
          "a directory of the distribution is missing: " + directory);
    }
    try (Stream<Path> found = Files.list(directory)) {
      for (Path file : found.sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.startsWith(".") || LEFT_OUT.contains(name)) {
          continue;
        }
        String path = prefix + "/" + name;
        if (Files.isDirectory(file)) {
          addAll(path, file, isSource);
        } else if (isSource.test(file)) {
          add(path, file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Adds the entries of another tree whose paths begin with one of some prefixes. */
  public FileTree addAll(String prefix, FileTree other, String... of) {
    other.entries.forEach(
        (path, entry) -> {
          if (Stream.of(of).anyMatch(path::startsWith)) {
            add(prefix + "/" + path, entry);
          }
        });
    return this;
  }

  private static boolean isProgram(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return path.startsWith("bin/") || path.contains("/bin/") || name.endsWith(".sh");
  }

  /** The entries by their paths, in order. */
  public SortedMap<String, Entry> entries() {
    return Collections.unmodifiableSortedMap(entries);
  }

  /** The directories of all entries, in order, each before what is in it. */
  public SortedSet<String> directories() {
    SortedSet<String> directories = new TreeSet<>();
    for (String path : entries.keySet()) {
      for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
        directories.add(path.substring(0, slash));
      }
    }
    return directories;
  }

  /** SHA-256 of each file, as {@code sha256sum --check} reads them. Links have none. */
  public String checksums() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (var entry : entries.entrySet()) {
      if (entry.getValue() instanceof Entry.Content file) {
        lines.append(sha256(file)).append("  ").append(entry.getKey()).append('\n');
      }
    }
    return lines.toString();
  }

  private static String sha256(Entry.Content file) throws IOException {
    try (InputStream in = file.open();
        DigestInputStream digested =
            new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
      digested.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digested.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
