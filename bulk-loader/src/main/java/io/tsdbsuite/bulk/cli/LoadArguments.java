package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.input.InputFiles;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.settings.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    arguments.add("--format=" + settings.input().format());
    settings.input().patterns().include().forEach(glob -> arguments.add("--include=" + glob));
    settings.input().patterns().exclude().forEach(glob -> arguments.add("--exclude=" + glob));
    influx(settings, arguments);
    values(settings.input(), arguments);
    NameRulesReader.arguments(settings.input().names(), arguments);
    write(settings, arguments);
    arguments.add("--work-dir=" + settings.run().workDir());
    // The division of the input depends on it.
    arguments.add("--threads=" + settings.run().threads());
    if (settings.run().keepWork()) {
      arguments.add("--keep-work");
    }
    // The inputs keep their spelling: patterns, the journal and rejects name files by it.
    arguments.add("--input-base=" + InputFiles.absolute(settings.input().base()));
    arguments.add("--input");
    arguments.addAll(settings.input().inputs());
    return arguments;
  }

  private static void write(LoadSettings settings, List<String> arguments) {
    arguments.add("--mode=" + lower(settings.write().mode()));
    arguments.add("--wal=" + lower(settings.write().wal()));
    arguments.add("--max-rows-per-second=" + settings.write().maxRowsPerSecond());
    if (settings.write().mode() == Mode.HFILE) {
      arguments.add("--hfile-dir=" + InputFiles.absolute(settings.write().hfileDir()));
    }
    arguments.add("--cell-timestamp=" + settings.write().cellTimestamp());
    arguments.add("--on-conflict=" + lower(settings.write().onConflict()));
    if (settings.write().allowActiveHours()) {
      arguments.add("--allow-active-hours");
    }
    if (settings.write().allowUnreplicated()) {
      arguments.add("--allow-unreplicated");
    }
    if (!settings.write().create()) {
      arguments.add("--no-create");
    }
    if (settings.write().meta()) {
      arguments.add("--meta");
    }
    if (!settings.write().coverageTable().isEmpty()) {
      arguments.add("--coverage-table=" + settings.write().coverageTable());
    }
  }

  private static void values(InputSettings input, List<String> arguments) {
    input.limits().texts().forEach(limit -> arguments.add("--max-rejected=" + limit));
    arguments.add("--time-rounding=" + input.options().rounding().key());
    input.options().skip().forEach(kind -> arguments.add("--skip=" + kind.key()));
  }

  private static void influx(LoadSettings settings, List<String> arguments) {
    arguments.add("--influx-precision=" + settings.input().options().influxPrecision().key());
    InfluxChoice choice = settings.input().influxChoice();
    if (!choice.database().isEmpty()) {
      arguments.add("--influx-database=" + choice.database());
    }
    if (!choice.retentionPolicy().isEmpty()) {
      arguments.add("--influx-retention-policy=" + choice.retentionPolicy());
    }
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
