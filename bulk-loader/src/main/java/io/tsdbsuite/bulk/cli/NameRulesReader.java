package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.names.MappingFile;
import io.tsdbsuite.bulk.names.NameMapping;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.format.uid.UidName;
import io.tsdbsuite.job.cli.Problems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts options of names to rules, and back to options for a resume. */
final class NameRulesReader {
  private static final String RENAME = "--rename-tag";

  private final String alsoAllowed;
  private final Problems problems;

  /**
   * A reader.
   *
   * @param alsoAllowed characters that names may have besides letters, digits and {@code - _ . /}
   */
  NameRulesReader(String alsoAllowed, Problems problems) {
    this.alsoAllowed = alsoAllowed;
    this.problems = problems;
  }

  NameRules read(NameOptions options) {
    Map<String, NameMapping.Entry> metrics = new LinkedHashMap<>();
    Map<String, NameMapping.Entry> tagKeys = new LinkedHashMap<>();
    if (options.file != null) {
      new MappingFile(options.file.toAbsolutePath(), alsoAllowed, problems::add)
          .read(metrics, tagKeys);
    }
    for (String text : options.renameTags) {
      int equals = text.lastIndexOf('=');
      String name = text.substring(equals + 1);
      legal(RENAME + "=" + text, name);
      if (equals < 1) {
        problems.add(RENAME + " must be OLD=NEW, found: " + text);
      } else if (tagKeys.put(text.substring(0, equals), new NameMapping.Entry(name, RENAME))
          != null) {
        problems.add(RENAME + " must have one new name for a tag, found another for: " + text);
      }
    }
    Map<String, String> added = new LinkedHashMap<>();
    for (String text : options.addTags) {
      int equals = text.indexOf('=');
      String key = text.substring(0, Math.max(0, equals));
      legal("--add-tag=" + text, key);
      legal("--add-tag=" + text, text.substring(equals + 1));
      if (added.put(key, text.substring(equals + 1)) != null) {
        problems.add("--add-tag must name a tag key once, found: " + text);
      }
    }
    String file = options.file == null ? "" : options.file.toAbsolutePath().toString();
    NameMapping mapping = new NameMapping(file, metrics, tagKeys);
    if (!options.merge) {
      mapping.merged().forEach(problems::add);
    }
    return new NameRules(mapping, added, replacement(options.replaceChars), options.merge);
  }

  private String replacement(@Nullable String found) {
    if (found == null) {
      return "";
    }
    if (found.length() != 1 || !UidName.isAllowed(found.charAt(0), alsoAllowed)) {
      problems.add(
          "--replace-chars must be one character that OpenTSDB accepts in names, found: '"
              + found
              + "'");
    }
    return found;
  }

  private void legal(String option, String name) {
    String problem = UidName.problem(name, alsoAllowed);
    if (problem != null) {
      problems.add(option + ": " + problem);
    }
  }

  /** Adds the options that give these rules. */
  static void arguments(NameRules rules, List<String> arguments) {
    if (!rules.replacement().isEmpty()) {
      arguments.add("--replace-chars=" + rules.replacement());
    }
    rules.addedTags().forEach((key, value) -> arguments.add("--add-tag=" + key + "=" + value));
    if (!rules.mapping().file().isEmpty()) {
      arguments.add("--names=" + rules.mapping().file());
    }
    rules
        .mapping()
        .tagKeys()
        .forEach(
            (source, entry) -> {
              if (entry.origin().equals(RENAME)) {
                arguments.add(RENAME + "=" + source + "=" + entry.name());
              }
            });
    if (rules.merge()) {
      arguments.add("--merge-names");
    }
  }
}
