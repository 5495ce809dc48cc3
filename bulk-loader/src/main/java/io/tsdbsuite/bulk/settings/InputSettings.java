package io.tsdbsuite.bulk.settings;

import io.tsdbsuite.bulk.input.FilePatterns;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.report.RejectLimits;
import java.io.Serializable;
import java.util.List;

/**
 * Settings of the input.
 *
 * @param inputs files, globs, URIs, {@code -}
 * @param base directory where relative names of local files begin; empty for the current one
 * @param patterns which of the files are input
 * @param format name of a format, or auto
 * @param options of the readers
 * @param influxChoice which lines of InfluxDB exports are loaded
 * @param names how names of the source become names of OpenTSDB
 * @param limits of rejected points
 */
public record InputSettings(
    List<String> inputs,
    String base,
    FilePatterns patterns,
    String format,
    ParseOptions options,
    InfluxChoice influxChoice,
    NameRules names,
    RejectLimits limits)
    implements Serializable {
  /** No input. */
  public static final InputSettings NONE = of(List.of(), "auto");

  /** Settings without options. */
  public static InputSettings of(List<String> inputs, String format) {
    return new InputSettings(
        inputs,
        "",
        FilePatterns.ALL,
        format,
        ParseOptions.DEFAULT,
        InfluxChoice.NONE,
        NameRules.NONE,
        RejectLimits.ZERO);
  }

  /** The same with a choice of lines of InfluxDB exports. */
  public InputSettings with(InfluxChoice choice) {
    return new InputSettings(inputs, base, patterns, format, options, choice, names, limits);
  }

  /** The same with other limits. */
  public InputSettings with(RejectLimits other) {
    return new InputSettings(inputs, base, patterns, format, options, influxChoice, names, other);
  }
}
