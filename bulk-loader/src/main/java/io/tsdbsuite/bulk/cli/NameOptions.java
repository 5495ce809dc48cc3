package io.tsdbsuite.bulk.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of names. */
final class NameOptions {
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
      names = "--rename-tag",
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
}
