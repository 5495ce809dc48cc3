package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.input.InputFiles;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.settings.WriteSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A command line with absolute names, for a resume from any directory. */
final class LoadArguments {
  private LoadArguments() {}

  static List<String> of(LoadSettings settings, Map<String, String> tsdKeys) {
    List<String> arguments = new ArrayList<>();
    arguments.add("load");
    arguments.add("--tsd-config=" + settings.tsd().file());
    tsdKeys.forEach((key, value) -> arguments.add("--" + key + "=" + value));
    settings
        .tsd()
        .hbaseProperties()
        .forEach((key, value) -> arguments.add("--hbase-property=" + key + "=" + value));
    InputSettings input = settings.input();
    input(input, arguments);
    names(input.names(), arguments);
    write(settings.write(), arguments);
    arguments.add("--work-dir=" + settings.run().workDir());
    // The division of the input depends on it.
    arguments.add("--threads=" + settings.run().threads());
    flag("--keep-work", settings.run().keepWork(), arguments);
    // The inputs keep their spelling: patterns, the journal and rejects name files by it.
    arguments.add("--input-base=" + InputFiles.absolute(input.base()));
    arguments.add("--input");
    arguments.addAll(input.inputs());
    return arguments;
  }

  private static void input(InputSettings input, List<String> arguments) {
    arguments.add("--format=" + input.format());
    input.patterns().include().forEach(glob -> arguments.add("--include=" + glob));
    input.patterns().exclude().forEach(glob -> arguments.add("--exclude=" + glob));
    arguments.add("--influx-precision=" + input.options().influxPrecision().key());
    unlessEmpty("--influx-database", input.influxChoice().database(), arguments);
    unlessEmpty("--influx-retention-policy", input.influxChoice().retentionPolicy(), arguments);
    input.limits().texts().forEach(limit -> arguments.add("--max-rejected=" + limit));
    arguments.add("--time-rounding=" + input.options().rounding().key());
    input.options().skip().forEach(kind -> arguments.add("--skip=" + kind.key()));
  }

  private static void names(NameRules rules, List<String> arguments) {
    unlessEmpty("--replace-chars", rules.replacement(), arguments);
    rules.addedTags().forEach((key, value) -> arguments.add("--add-tag=" + key + "=" + value));
    unlessEmpty("--names", rules.mapping().file(), arguments);
    rules
        .mapping()
        .tagKeys()
        .forEach(
            (source, entry) -> {
              if (entry.origin().equals(NameOptions.RENAME)) {
                arguments.add(NameOptions.RENAME + "=" + source + "=" + entry.name());
              }
            });
    flag("--merge-names", rules.merge(), arguments);
  }

  private static void write(WriteSettings write, List<String> arguments) {
    arguments.add("--mode=" + write.mode().key());
    arguments.add("--wal=" + write.wal().key());
    arguments.add("--max-rows-per-second=" + write.maxRowsPerSecond());
    if (write.mode() == Mode.HFILE) {
      arguments.add("--hfile-dir=" + InputFiles.absolute(write.hfileDir()));
    }
    arguments.add("--cell-timestamp=" + write.cellTimestamp());
    arguments.add("--on-conflict=" + write.onConflict().key());
    flag("--allow-active-hours", write.allowActiveHours(), arguments);
    flag("--allow-unreplicated", write.allowUnreplicated(), arguments);
    flag("--no-create", !write.create(), arguments);
    flag("--meta", write.meta(), arguments);
    unlessEmpty("--coverage-table", write.coverageTable(), arguments);
  }

  private static void flag(String option, boolean on, List<String> arguments) {
    if (on) {
      arguments.add(option);
    }
  }

  private static void unlessEmpty(String option, String value, List<String> arguments) {
    if (!value.isEmpty()) {
      arguments.add(option + "=" + value);
    }
  }
}
