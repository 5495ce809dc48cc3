package io.tsdbsuite.bulk.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The options of a command line for its report. Secrets are left out, and so are the inputs. */
final class GivenOptions {
  /** Reports list the input files by themselves. */
  private static final String INPUT = "--input";

  private static final String HIDDEN = "(not shown)";

  /** Name of a property whose value is a secret, and the value. */
  private static final Pattern SECRET =
      Pattern.compile(
          "(?is)([^=]*(?:secret|password|passwd|token|credential|jaas|[._-]sas[._-]"
              + "|(?:access|account|encryption|private|api)[._-]?key)[^=]*=).*");

  /** User and password in a URI. */
  private static final Pattern USER = Pattern.compile("://[^\\s/?#@]*@");

  private GivenOptions() {}

  /** Options and values, in the order of the command line. */
  static List<String> of(ParseResult parsed) {
    List<String> given = new ArrayList<>();
    for (OptionSpec option : parsed.matchedOptionsSet()) {
      if (option.longestName().equals(INPUT)) {
        continue;
      }
      if (option.arity().max() == 0) {
        given.add(option.longestName());
        continue;
      }
      for (String value : option.originalStringValues()) {
        given.add(option.longestName() + "=" + shown(value));
      }
    }
    return given;
  }

  private static String shown(String value) {
    Matcher secret = SECRET.matcher(value);
    String open = secret.matches() ? secret.group(1) + HIDDEN : value;
    return USER.matcher(open).replaceAll("://" + HIDDEN + "@");
  }
}
