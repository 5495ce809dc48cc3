package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.names.MappingFile;
import io.tsdbsuite.bulk.names.NameMapping;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.format.uid.UidName;
import io.tsdbsuite.job.cli.Problems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of names. */
final class NameOptions {
  /** Also the origin of the names that it gives. */
  static final String RENAME = "--rename-tag";

  @Option(
      names = "--replace-chars",
      arity = "0..1",
      fallbackValue = "_",
      paramLabel = "C",
      description =
          "Replace each character that OpenTSDB refuses in names by this one, or by _. Without it"
              + " points with such names are rejected.")
  @Nullable String replaceChars;

  @Option(
      names = "--add-tag",
      paramLabel = "KEY=VALUE",
      description = "Tag that each series gets; repeatable.")
  List<String> addTags = new ArrayList<>();

  @Option(
      names = RENAME,
      paramLabel = "OLD=NEW",
      description = "New name of a tag key; repeatable.")
  List<String> renameTags = new ArrayList<>();

  @Option(
      names = "--names",
      paramLabel = "FILE",
      description =
          "Mapping file with lines 'metric OLD NEW' and 'tag OLD NEW': new names of metrics and tag"
              + " keys. Entries that the input does not have are told.")
  @Nullable Path file;

  @Option(
      names = "--merge-names",
      description =
          "Two names of the source may become one name. Without it points of the second one are"
              + " rejected.")
  boolean merge;

  /** How names of the source become names of OpenTSDB. */
  NameRules read(@Nullable TsdSettings tsd, Problems problems) {
    String special = tsd == null ? null : tsd.config().get("tsd.core.tag.allow_specialchars");
    String alsoAllowed = special == null ? "" : special;
    Map<String, NameMapping.Entry> metrics = new LinkedHashMap<>();
    Map<String, NameMapping.Entry> tagKeys = new LinkedHashMap<>();
    String path = file == null ? "" : file.toAbsolutePath().toString();
    if (file != null) {
      new MappingFile(file.toAbsolutePath(), alsoAllowed, problems::add).read(metrics, tagKeys);
    }
    for (String text : renameTags) {
      int equals = text.lastIndexOf('=');
      String name = text.substring(equals + 1);
      legal(RENAME + "=" + text, name, alsoAllowed, problems);
      if (equals < 1) {
        problems.add(RENAME + " must be OLD=NEW, found: " + text);
      } else if (tagKeys.put(text.substring(0, equals), new NameMapping.Entry(name, RENAME))
          != null) {
        problems.add(RENAME + " must have one new name for a tag, found another for: " + text);
      }
    }
    Map<String, String> added = new LinkedHashMap<>();
    for (String text : addTags) {
      int equals = text.indexOf('=');
      String key = text.substring(0, Math.max(0, equals));
      legal("--add-tag=" + text, key, alsoAllowed, problems);
      legal("--add-tag=" + text, text.substring(equals + 1), alsoAllowed, problems);
      if (added.put(key, text.substring(equals + 1)) != null) {
        problems.add("--add-tag must name a tag key once, found: " + text);
      }
    }
    NameMapping mapping = new NameMapping(path, metrics, tagKeys);
    if (!merge) {
      mapping.merged().forEach(problems::add);
    }
    String replacement = replaceChars == null ? "" : replaceChars;
    if (replaceChars != null
        && (replacement.length() != 1 || !UidName.isAllowed(replacement.charAt(0), alsoAllowed))) {
      problems.add(
          "--replace-chars must be one character that OpenTSDB accepts in names, found: '"
              + replacement
              + "'");
    }
    return new NameRules(mapping, added, replacement, merge);
  }

  private static void legal(String option, String name, String alsoAllowed, Problems problems) {
    String problem = UidName.problem(name, alsoAllowed);
    if (problem != null) {
      problems.add(option + ": " + problem);
    }
  }
}
