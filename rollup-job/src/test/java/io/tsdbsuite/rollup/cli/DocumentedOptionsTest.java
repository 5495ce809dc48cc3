package io.tsdbsuite.rollup.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The option tables of the documents name the options that the commands have, with defaults. */
class DocumentedOptionsTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern NAME = Pattern.compile("`(--[a-z-]+)[^`]*`");
  private static final Pattern TOLD = Pattern.compile("Default: ([\\w.]+)\\.$");
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9,]*");

  /** Default cells of the options that a document's table has, by name. */
  private static Map<String, String> table(String document, String headline) throws IOException {
    Map<String, String> defaults = new LinkedHashMap<>();
    boolean inside = false;
    for (String line : Files.readAllLines(DOCS.resolve(document))) {
      if (line.startsWith(headline)) {
        inside = true;
      } else if (!line.startsWith("|")) {
        inside = false;
      } else if (inside) {
        String[] cells = line.replace("\\|", "/").split("\\|", -1);
        Matcher names = NAME.matcher(cells[1]);
        for (int i = 0; names.find(); i++) {
          String[] each = cells[2].split("(?<!\\d), ?", -1);
          defaults.put(names.group(1), each[Math.min(i, each.length - 1)].strip());
        }
      }
    }
    return defaults;
  }

  private static Map<String, OptionSpec> options(Object command) {
    Map<String, OptionSpec> options = new TreeMap<>();
    for (OptionSpec option : new CommandLine(command).getCommandSpec().options()) {
      if (!option.usageHelp() && !option.versionHelp()) {
        options.put(option.longestName(), option);
      }
    }
    return options;
  }

  @Test
  void ofAJob() throws IOException {
    Map<String, String> documented = table("rollup-job.md", "| Option | Default |");
    Map<String, OptionSpec> options = options(new RollupCommand());
    assertThat(documented.keySet()).containsExactlyInAnyOrderElementsOf(options.keySet());
    documented.forEach((name, text) -> requireDefault(options.get(name), text));
  }

  @Test
  void ofLoad() throws IOException {
    assertThat(table("rollup-job.md", "| Option of `load`").keySet())
        .containsExactlyInAnyOrderElementsOf(options(new LoadCommand()).keySet());
  }

  @Test
  void ofPack() throws IOException {
    assertThat(table("rollup-job.md", "| Option of `pack`").keySet())
        .containsExactlyInAnyOrderElementsOf(options(new PackCommand()).keySet());
  }

  @Test
  void ofPrune() throws IOException {
    Map<String, String> documented = table("prune.md", "| Option | Default |");
    Map<String, OptionSpec> options = options(new PruneCommand());
    assertThat(documented.keySet()).containsExactlyInAnyOrderElementsOf(options.keySet());
    documented.forEach((name, text) -> requireDefault(options.get(name), text));
  }

  @Test
  void ofTiersPlan() throws IOException {
    Map<String, String> documented = table("tiers.md", "| Option | Default |");
    Map<String, OptionSpec> options = options(new TiersPlanCommand());
    assertThat(documented.keySet()).containsExactlyInAnyOrderElementsOf(options.keySet());
    documented.forEach((name, text) -> requireDefault(options.get(name), text));
  }

  @Test
  void ofTiersProve() throws IOException {
    Map<String, String> documented = table("tiers.md", "| Option of `prove`");
    Map<String, OptionSpec> options = options(new TiersProveCommand());
    assertThat(documented.keySet()).containsExactlyInAnyOrderElementsOf(options.keySet());
    documented.forEach((name, text) -> requireDefault(options.get(name), text));
  }

  @Test
  void ofTiersApply() throws IOException {
    Map<String, String> documented = table("tiers.md", "| Option of `apply`");
    Map<String, OptionSpec> options = options(new TiersApplyCommand());
    assertThat(documented.keySet()).containsExactlyInAnyOrderElementsOf(options.keySet());
    documented.forEach((name, text) -> requireDefault(options.get(name), text));
  }

  @Test
  void ofTiersUndo() throws IOException {
    Map<String, String> documented = table("tiers.md", "| Option of `undo`");
    Map<String, OptionSpec> options = options(new TiersUndoCommand());
    assertThat(documented.keySet()).containsExactlyInAnyOrderElementsOf(options.keySet());
    documented.forEach((name, text) -> requireDefault(options.get(name), text));
  }

  @Test
  void ofCoverage() throws IOException {
    TreeSet<String> options = new TreeSet<>();
    for (Object command :
        List.of(
            new CoverageListCommand(),
            new CoverageAddCommand(),
            new CoverageVerifyCommand(),
            new CoverageRemoveCommand(),
            new CoverageUpgradeCommand())) {
      options.addAll(options(command).keySet());
    }
    assertThat(table("coverage.md", "| Option of `coverage`").keySet())
        .containsExactlyInAnyOrderElementsOf(options);
  }

  /** Verify's own table has the options that the job does not have or that mean something else. */
  @Test
  void ofVerify() throws IOException {
    Map<String, String> documented = table("rollup-verify.md", "| Option | Default |");
    Map<String, OptionSpec> options = options(new VerifyCommand());
    TreeSet<String> own = new TreeSet<>(options.keySet());
    own.removeAll(options(new RollupCommand()).keySet());
    assertThat(documented.keySet()).containsAll(own).isSubsetOf(options.keySet());
    documented.forEach((name, text) -> requireDefault(options.get(name), text));
  }

  /** A number or a code word in the table is the default; words may say more than the option. */
  private static void requireDefault(OptionSpec option, String text) {
    String actual = defaultOf(option);
    String code = text.startsWith("`") ? text.substring(1, text.indexOf('`', 1)) : text;
    if (NUMBER.matcher(code).matches() || (actual != null && text.startsWith("`"))) {
      assertThat(code.replace(",", "")).as(option.longestName()).isEqualTo(actual);
    }
    if (text.isEmpty() && option.arity().max() > 0) {
      assertThat(actual).as("%s, whose default the table lacks", option.longestName()).isNull();
    }
  }

  /** By picocli, or by the option's own help text where code works the default out. */
  private static String defaultOf(OptionSpec option) {
    Matcher told = TOLD.matcher(String.join(" ", option.description()));
    return option.defaultValue() == null && told.find() ? told.group(1) : option.defaultValue();
  }
}
