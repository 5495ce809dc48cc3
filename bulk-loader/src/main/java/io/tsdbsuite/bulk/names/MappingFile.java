package io.tsdbsuite.bulk.names;

import io.tsdbsuite.format.uid.UidName;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a mapping file.
 *
 * <pre>
 *   # comment
 *   metric  node_load1      node.load.1
 *   metric  "disk used %"   disk.used.percent     quotes around a name with blanks, # or quotes
 *   tag     hostname        host                  \" and \\ stand for a quote and a backslash
 * </pre>
 */
public final class MappingFile {
  /** A name, or one in quotes; without a way back, for which a long name would need its stack. */
  private static final String WORD = "(\"(?:[^\"\\\\]++|\\\\.)++\"|[^\\s\"#]\\S*)";

  private static final Pattern LINE =
      Pattern.compile("\\s*(\\S+)\\s+" + WORD + "\\s+" + WORD + "\\s*(?:#.*)?");
  private static final int KIND = 1;
  private static final int SOURCE = 2;
  private static final int NAME = 3;

  private final Path file;
  private final String alsoAllowed;
  private final Consumer<String> problems;

  /**
   * A reader.
   *
   * @param alsoAllowed characters that names may have besides letters, digits and {@code - _ . /}
   * @param problems receives the problem of each bad line
   */
  public MappingFile(Path file, String alsoAllowed, Consumer<String> problems) {
    this.file = file;
    this.alsoAllowed = alsoAllowed;
    this.problems = problems;
  }

  /**
   * Adds the file's names to these.
   *
   * @throws JobException usage, when the file cannot be read
   */
  public void read(Map<String, NameMapping.Entry> metrics, Map<String, NameMapping.Entry> tagKeys) {
    int number = 0;
    for (String line : lines()) {
      number++;
      String origin = file + ":" + number;
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        problems.accept(
            origin + ": a line must be metric or tag, old name, new name; found: " + text);
        continue;
      }
      switch (parts.group(KIND)) {
        case "metric" -> add(metrics, parts, origin);
        case "tag" -> add(tagKeys, parts, origin);
        default ->
            problems.accept(
                origin + ": a line must begin with metric or tag, found: " + parts.group(KIND));
      }
    }
  }

  private void add(Map<String, NameMapping.Entry> entries, Matcher parts, String origin) {
    String source = unquoted(parts.group(SOURCE));
    String name = unquoted(parts.group(NAME));
    String problem = UidName.problem(name, alsoAllowed);
    NameMapping.Entry entry = new NameMapping.Entry(name, origin);
    if (problem != null) {
      problems.accept(origin + ": " + problem);
    }
    NameMapping.Entry other = entries.putIfAbsent(source, entry);
    if (other != null) {
      problems.accept(
          origin + ": '" + source + "' must have one new name, has one at " + other.origin());
    }
  }

  private static String unquoted(String word) {
    return word.startsWith("\"")
        ? word.substring(1, word.length() - 1).replaceAll("\\\\(.)", "$1")
        : word;
  }

  private List<String> lines() {
    try {
      List<String> lines = new ArrayList<>(Files.readAllLines(file));
      if (!lines.isEmpty() && lines.get(0).startsWith("\ufeff")) {
        lines.set(0, lines.get(0).substring(1));
      }
      return lines;
    } catch (MalformedInputException e) {
      throw JobException.usage("--names: " + file + " must be UTF-8");
    } catch (IOException e) {
      throw JobException.usage(
          "--names: " + file + " cannot be read: " + StorageFailures.reason(e));
    }
  }
}
