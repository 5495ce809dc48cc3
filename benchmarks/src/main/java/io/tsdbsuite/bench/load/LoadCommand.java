package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.RoundShape;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The command line's options and their checks. */
@Command(
    name = "load-generator",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Writes one point per series and round into TSDs; counts accepted and failed points.",
    description = {
      "A round is METRICS metrics load.metric.1, load.metric.2 and so on, each with every"
          + " combination of the tags tagk1 to tagkN with the values tagv1 to tagvM:"
          + " METRICS x TAGVS^TAGKS series, all with the same timestamp. With them go five points"
          + " of the generator itself: loadtest.metrics, .tagks, .tagvs, .sleep (seconds) and .rate"
          + " (points per second), tag generator=load-generator.",
      "The TSD must create metrics automatically (tsd.core.auto_create_metrics), or have UIDs for"
          + " them.",
      "",
      "  load-generator --tsd tsd1:4242",
      "  load-generator --tsd tsd1:4242,tsd2:4242 --metrics 100 --sleep 10s",
      "  load-generator --tsd tsd1:4242 --protocol http --sleep 0 --duration 1m",
      ""
    },
    footer = {
      "",
      "The environment variables METRICS, TAGKS, TAGVS and SLEEP set the defaults of"
          + " --metrics, --tagks, --tagvs and --sleep.",
      "Accepted means that a TSD took the point, not that HBase stored it. Later errors of HBase"
          + " are reported over telnet; over HTTP they are only in the TSD's statistics"
          + " (tsd.rpc.errors)."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, every point was accepted",
      "1:done, points were refused",
      "2:wrong usage, nothing was sent",
      "3:a TSD could not be reached or broke a connection, or the books do not close"
    })
final class LoadCommand {
  private static final int MAX_NAMES = 1_000_000;
  private static final int MAX_TAGS = 8;
  private static final long MAX_SERIES = 100_000_000;
  private static final int MAX_BATCH = 10_000;
  private static final int MAX_CONNECTIONS = 1000;
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  @Option(
      names = "--tsd",
      paramLabel = "HOST:PORT[,...]",
      description = "TSDs to write to; they share the load. Default: ${DEFAULT-VALUE}.")
  String tsd = "localhost:4242";

  @Option(
      names = "--protocol",
      paramLabel = "telnet|http",
      description = "telnet: lines of put; http: JSON arrays to /api/put. Default: telnet.")
  Protocol protocol = Protocol.TELNET;

  @Option(
      names = "--metrics",
      paramLabel = "METRICS",
      description = "Number of metrics, 1 to 1000000. Default: ${DEFAULT-VALUE}.")
  int metrics = 10;

  @Option(
      names = "--tagks",
      paramLabel = "TAGKS",
      description = "Tags per series, 1 to 8. Default: ${DEFAULT-VALUE}.")
  int tagks = 2;

  @Option(
      names = "--tagvs",
      paramLabel = "TAGVS",
      description = "Values per tag, 1 to 1000000. Default: ${DEFAULT-VALUE}.")
  int tagvs = 2;

  @Option(
      names = "--sleep",
      paramLabel = "SLEEP",
      converter = Durations.class,
      description =
          "Time between the starts of two rounds: 500ms, 2s, 1m; seconds without a unit. Timestamps"
              + " have the same distance, in seconds for whole seconds, else in milliseconds. 0: as"
              + " fast as possible, timestamps 1 ms apart (with few series they run ahead of the"
              + " clock). Default: 2s.")
  Duration sleep = Duration.ofSeconds(2);

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Connections per TSD, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  int connections = 1;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description =
          "Points per request or write, 1 to 10000. A TSD accepts request bodies over 8 kB, some"
              + " 70 points, only with tsd.http.request.enable_chunked. Default: ${DEFAULT-VALUE}.")
  int batch = 50;

  @Option(names = "--rounds", paramLabel = "N", description = "Ends after N rounds.")
  @Nullable Long rounds;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Ends after this time. Without --rounds and --duration: runs until Ctrl-C.")
  @Nullable Duration duration;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Time between two progress lines. Default: 10s.")
  Duration interval = Duration.ofSeconds(10);

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  private final List<String> problems = new ArrayList<>();

  /** Problems of the options' values, one sentence each. */
  List<String> problems() {
    problems.clear();
    List<TsdAddress> unused = TsdAddress.parse("--tsd", tsd, problems);
    between("--metrics", metrics, MAX_NAMES);
    between("--tagks", tagks, MAX_TAGS);
    between("--tagvs", tagvs, MAX_NAMES);
    between("--connections", connections, MAX_CONNECTIONS);
    between("--batch", batch, MAX_BATCH);
    long series = shape().series();
    if (problems.isEmpty() && series > MAX_SERIES) {
      problems.add(
          "--metrics x --tagvs^--tagks must be at most %s series, found %s x %s^%s"
              .formatted(MAX_SERIES, metrics, tagvs, tagks));
    }
    if (!sleep.isZero() && sleep.compareTo(MILLISECOND) < 0) {
      problems.add("--sleep must be 0 or at least 1ms, found " + sleep.toNanos() + " ns");
    }
    if (rounds != null && rounds < 1) {
      problems.add("--rounds must be at least 1, found " + rounds);
    }
    if (duration != null && duration.isZero()) {
      problems.add("--duration must be more than 0, found 0");
    }
    if (interval.isZero()) {
      problems.add("--interval must be more than 0, found 0");
    }
    return List.copyOf(problems);
  }

  private void between(String option, int value, int max) {
    if (value < 1 || value > max) {
      problems.add(option + " must be 1 to " + max + ", found " + value);
    }
  }

  RoundShape shape() {
    return new RoundShape(metrics, tagks, tagvs);
  }

  /** The plan; valid only if there are no problems. */
  LoadPlan plan(Instant now) {
    return new LoadPlan(
        shape(),
        Schedule.of(now, sleep),
        protocol,
        TsdAddress.parse("--tsd", tsd, new ArrayList<>()),
        connections,
        batch,
        rounds == null ? LoadPlan.UNLIMITED : rounds,
        duration == null ? LoadPlan.UNLIMITED : duration.toNanos());
  }

  /**
   * Parses {@code 500ms}, {@code 2s}, {@code 1.5s}, {@code 10m}, {@code 1h}; seconds without a
   * unit.
   */
  static final class Durations implements ITypeConverter<Duration> {
    private static final int NANO_DIGITS = 9;

    @Override
    public Duration convert(String text) {
      String digits = text.replaceFirst("(ms|s|m|h)$", "");
      long nanosOfUnit =
          switch (text.substring(digits.length())) {
            case "ms" -> 1_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 1_000_000_000L;
          };
      if (!digits.matches("\\d{1,9}(\\.\\d{1,9})?")) {
        throw new TypeConversionException(
            "must be a number with ms, s, m or h, seconds without one, found " + text);
      }
      return Duration.ofNanos(
          new BigDecimal(digits)
              .setScale(NANO_DIGITS)
              .multiply(BigDecimal.valueOf(nanosOfUnit))
              .longValue());
    }
  }

  /** Takes the defaults of options from METRICS, TAGKS, TAGVS and SLEEP in the environment. */
  static final class EnvironmentDefaults implements IDefaultValueProvider {
    private static final Set<String> NAMES = Set.of("METRICS", "TAGKS", "TAGVS", "SLEEP");

    private final Map<String, String> environment;

    EnvironmentDefaults(Map<String, String> environment) {
      this.environment = environment;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec option) {
      // The label of such an option is the name of its variable.
      String name = option.paramLabel();
      return NAMES.contains(name) ? environment.get(name) : null;
    }
  }
}
