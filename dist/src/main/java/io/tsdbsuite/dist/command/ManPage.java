package io.tsdbsuite.dist.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Writes man pages, in the macros of man(7), from the help of commands. */
public final class ManPage {
  private final String version;
  private final String date;

  /**
   * @param version of the suite
   * @param date of the pages, yyyy-MM-dd
   */
  public ManPage(String version, String date) {
    this.version = version;
    this.date = date;
  }

  /**
   * The pages of a command and of its subcommands.
   *
   * @return text by the name of the page: {@code bulk-loader.1}, {@code bulk-loader-load.1}
   */
  public Map<String, String> pages(CommandLine command) {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put(name(command.getCommandSpec()) + ".1", page(command));
    for (CommandLine sub : new LinkedHashMap<>(command.getSubcommands()).values()) {
      if (!sub.getCommandSpec().helpCommand()) {
        pages.putAll(pages(sub));
      }
    }
    return pages;
  }

  private static String name(CommandSpec spec) {
    return spec.qualifiedName().replace(' ', '-');
  }

  private String page(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    UsageMessageSpec usage = spec.usageMessage();
    List<String> description = lines(usage.description());
    StringBuilder page = new StringBuilder();
    page.append(
        String.format(
            Locale.ROOT,
            ".TH \"%s\" \"1\" \"%s\" \"opentsdb-suite %s\" \"OpenTSDB suite\"\n",
            name(spec).toUpperCase(Locale.ROOT),
            date,
            version));
    section(page, "NAME");
    String header = String.join(" ", lines(usage.header()));
    String title = header.isEmpty() ? firstSentence(description) : header;
    page.append(escape(name(spec))).append(" \\- ").append(escape(title)).append('\n');
    section(page, "SYNOPSIS");
    page.append(".B ").append(escape(spec.qualifiedName())).append('\n');
    boolean hasCommands = !spec.subcommands().isEmpty();
    page.append(escape(hasCommands ? "[COMMAND] [OPTIONS]" : "[OPTIONS]")).append('\n');
    section(page, "DESCRIPTION");
    text(page, description);
    section(page, "OPTIONS");
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        option(page, option);
      }
    }
    if (hasCommands) {
      section(page, "COMMANDS");
      commands(page, spec);
    }
    exitCodes(page, usage);
    List<String> footer = lines(usage.footer());
    if (!footer.isEmpty()) {
      section(page, "NOTES");
      text(page, footer);
    }
    return page.toString();
  }

  private static void commands(StringBuilder page, CommandSpec spec) {
    for (CommandLine sub : new LinkedHashMap<>(spec.subcommands()).values()) {
      UsageMessageSpec usage = sub.getCommandSpec().usageMessage();
      String header = String.join(" ", lines(usage.header()));
      String title = header.isEmpty() ? firstSentence(lines(usage.description())) : header;
      boolean help = sub.getCommandSpec().helpCommand();
      page.append(".TP\n.B ").append(escape(sub.getCommandName())).append('\n');
      page.append(escape(title)).append('\n');
      if (!help) {
        page.append("See ").append(escape(name(sub.getCommandSpec()))).append("(1).\n");
      }
    }
  }

  private static void exitCodes(StringBuilder page, UsageMessageSpec usage) {
    if (usage.exitCodeList().isEmpty()) {
      return;
    }
    section(page, "EXIT STATUS");
    usage
        .exitCodeList()
        .forEach(
            (code, meaning) ->
                page.append(".TP\n.B ")
                    .append(escape(code.strip()))
                    .append('\n')
                    .append(escape(unescaped(meaning)))
                    .append('\n'));
  }

  private static void option(StringBuilder page, OptionSpec option) {
    String names = String.join(", ", option.names());
    String label = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
    page.append(".TP\n.B ").append(escape(names + label)).append('\n');
    text(page, lines(option.description()));
  }

  private static void section(StringBuilder page, String name) {
    page.append(".SH ").append(name).append('\n');
  }

  /** Text as paragraphs; indented lines are examples and keep their form. */
  private static void text(StringBuilder page, List<String> lines) {
    boolean example = false;
    for (String line : lines) {
      boolean indented = line.startsWith("  ");
      if (indented != example) {
        page.append(indented ? ".PP\n.nf\n" : ".fi\n.PP\n");
        example = indented;
      }
      page.append(line.isBlank() ? ".PP" : escape(line)).append('\n');
    }
    if (example) {
      page.append(".fi\n");
    }
  }

  /** The lines of texts that may hold several, without empty ones at the beginning and the end. */
  private static List<String> lines(String... texts) {
    List<String> lines = new ArrayList<>();
    for (String text : texts) {
      lines.addAll(unescaped(text).lines().toList());
      if (text.isEmpty()) {
        lines.add("");
      }
    }
    while (!lines.isEmpty() && lines.get(0).isBlank()) {
      lines.remove(0);
    }
    while (!lines.isEmpty() && lines.get(lines.size() - 1).isBlank()) {
      lines.remove(lines.size() - 1);
    }
    return lines;
  }

  /** Texts of picocli are formats without arguments. */
  private static String unescaped(String text) {
    return text.replace("%n", "\n").replace("%%", "%");
  }

  private static String firstSentence(List<String> lines) {
    String text = lines.isEmpty() ? "" : lines.get(0);
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }

  private static String escape(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
