package io.tsdbsuite.nightly.config;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.nightly.config.NightlyConfig.Clients;
import io.tsdbsuite.nightly.config.NightlyConfig.CoverageSettings;
import io.tsdbsuite.nightly.config.NightlyConfig.MetricsSettings;
import io.tsdbsuite.nightly.config.NightlyConfig.Place;
import io.tsdbsuite.nightly.config.NightlyConfig.SnapshotSettings;
import io.tsdbsuite.nightly.config.NightlyConfig.SparkSettings;
import io.tsdbsuite.nightly.config.NightlyConfig.TiersSettings;
import io.tsdbsuite.nightly.config.NightlyConfig.VerifySettings;
import io.tsdbsuite.planner.due.DueRule;
import io.tsdbsuite.planner.run.CommandOptions;
import io.tsdbsuite.planner.run.KafkaTarget;
import io.tsdbsuite.planner.run.RunPlanner;
import io.tsdbsuite.planner.run.RunSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the configuration file, and reports all its problems at once. */
public final class ConfigReader {
  private static final String JOB = "rollup-job";

  private static final int MAX_KEEP = 3650;
  private static final int MAX_DAYS = 366;
  private static final String SINK = "--sink";
  private static final String DEPLOY_MODE = "spark.submit.deployMode=";

  /** A property of ExportSnapshot: it then writes the manifest in place before the HFiles. */
  private static final String SKIP_TMP = "snapshot.export.skip.tmp";

  private static final String NO_SKIP_TMP =
      " must not be true: an export that was broken off would look finished";

  private static final Pattern URI = Pattern.compile("[a-z][a-z0-9+.-]*:/.*");

  /** Options of the job that rollup-nightly sets besides {@link RunPlanner#OPTIONS}. */
  private static final Set<String> OURS = Set.of("--tsd-config", "--changed-since");

  /** Keys that mean nothing without a policy. */
  private static final List<Key> TIERS =
      List.of(
          Key.TIERS_PROOFS,
          Key.TIERS_HFILE_DIR,
          Key.TIERS_APPLY,
          Key.TIERS_PROVE_OPTIONS,
          Key.TIERS_APPLY_OPTIONS);

  /** Options of tiers prove and apply that rollup-nightly sets, or that belong to a person. */
  private static final Set<String> TIERS_OPTIONS =
      Set.of(
          "--policy",
          "--table",
          "--snapshot-root",
          "--data-snapshot",
          "--uid-snapshot",
          "--against-snapshot",
          "--proofs",
          "--hfile-dir",
          "--tsd-config",
          "--rollup-config",
          "--coverage-table",
          "--day",
          "--from",
          "--to",
          "--match",
          "--idle",
          "--report",
          "--dry-run");

  private final Problems problems;
  private final ConfigValues values;

  /** Relative local paths begin here. */
  private final Path base;

  private ConfigReader(Map<String, String> values, Path base, Problems problems) {
    this.problems = problems;
    this.base = base;
    this.values = new ConfigValues(values, problems);
  }

  /**
   * Reads a file.
   *
   * @throws io.tsdbsuite.job.JobException usage, with all problems
   */
  public static NightlyConfig read(Path file) {
    Problems problems = new Problems();
    UniqueProperties properties = new UniqueProperties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      problems.unreadable("--config", file, e);
    }
    problems.throwIfAny();
    Map<String, String> values = new LinkedHashMap<>();
    properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
    properties.repeated.forEach(key -> problems.add("the key " + key + " must be there once"));
    return read(values, file.toAbsolutePath().resolveSibling(""), problems);
  }

  /**
   * Reads keys and values.
   *
   * @throws io.tsdbsuite.job.JobException usage, with all problems
   */
  static NightlyConfig read(Map<String, String> values) {
    return read(values, Path.of("").toAbsolutePath(), new Problems());
  }

  private static NightlyConfig read(Map<String, String> values, Path base, Problems problems) {
    NightlyConfig config = new ConfigReader(values, base, problems).config();
    problems.throwIfAny();
    return config;
  }

  private NightlyConfig config() {
    Path tsdConfig = base.resolve(values.text(Key.TSD_CONFIG));
    CommandOptions job = new CommandOptions(jobOptions(tsdConfig));
    TsdConfig tsd = tsd(tsdConfig, job);
    Optional<StorageSchema> schema = schema(tsd);
    Place place = place(schema);
    VerifySettings verify = verify(place);
    SparkSettings spark = spark();
    Optional<SuiteConfig> suite = suite(schema, job);
    return new NightlyConfig(
        tsdConfig,
        base.resolve(values.text(Key.STATE_DIR)).normalize(),
        reports(place),
        values.date(Key.FIRST_DAY),
        holdBack(job),
        values.number(Key.MAX_DAYS, 1, MAX_DAYS),
        place,
        clients(tsd),
        snapshots(),
        new RunSettings(
            place.snapshotRoot(),
            place.dataTable(),
            spark.jar(),
            spark.version(),
            kafka(job),
            job,
            schema.map(StorageSchema::rowKeys).orElse(Map.of()),
            lateData(schema),
            suite,
            codecs(schema, suite)),
        spark,
        verify,
        coverage(),
        tiers(place, job),
        metrics(),
        prune(place));
  }

  /**
   * Reads the file of the TSD, with the keys that the job's options override.
   *
   * @throws IOException when it cannot be read
   */
  public static TsdConfig tsdConfig(Path file, CommandOptions job) throws IOException {
    TsdConfig config = TsdConfig.load(file);
    for (Map.Entry<String, String> key : job.tsdKeys().entrySet()) {
      config = config.with(key.getKey(), key.getValue());
    }
    return config;
  }

  private TsdConfig tsd(Path file, CommandOptions job) {
    try {
      if (!values.text(Key.TSD_CONFIG).isEmpty()) {
        return tsdConfig(file, job);
      }
    } catch (IOException | IllegalArgumentException e) {
      problems.unreadable(Key.TSD_CONFIG.text(), file, e);
    }
    return TsdConfig.parse("");
  }

  /** The layout of the tables; empty if it is a problem. */
  private Optional<StorageSchema> schema(TsdConfig tsd) {
    try {
      return Optional.of(StorageSchema.from(tsd));
    } catch (SchemaException e) {
      problems.addAll(Key.TSD_CONFIG.text(), e.problems());
      return Optional.empty();
    }
  }

  /** {@code suite} of rollup_config.json; empty if that cannot be read, of which the job tells. */
  private static Optional<SuiteConfig> suite(Optional<StorageSchema> schema, CommandOptions job) {
    Optional<String> location =
        job.option("--rollup-config").or(() -> schema.map(StorageSchema::rollupConfig));
    try {
      return location.isPresent()
          ? Optional.of(RollupConfig.load(location.get()).suite())
          : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The codecs of its histograms; none if they cannot be read, of which the job tells. */
  private static HistogramCodecs codecs(
      Optional<StorageSchema> schema, Optional<SuiteConfig> suite) {
    Optional<String> location =
        suite
            .filter(SuiteConfig::hasHistograms)
            .flatMap(any -> schema.map(StorageSchema::histogramCodecs));
    try {
      return location.isPresent() ? HistogramCodecs.load(location.get()) : HistogramCodecs.NONE;
    } catch (IOException | IllegalArgumentException e) {
      return HistogramCodecs.NONE;
    }
  }

  /** Cells then have the times of their points, so the job refuses each search. */
  private boolean lateData(Optional<StorageSchema> schema) {
    boolean searches = values.flag(Key.LATE_DATA);
    if (searches && schema.filter(StorageSchema::useOtsdbTimestamp).isPresent()) {
      values.problem(
          Key.LATE_DATA,
          "must be false with tsd.storage.use_otsdb_timestamp = true: nothing in HBase says when a"
              + " cell was written",
          "true");
    }
    return searches;
  }

  private Place place(Optional<StorageSchema> schema) {
    Place place =
        new Place(
            schema.map(StorageSchema::dataTable).orElse(""),
            schema.map(StorageSchema::uidTable).orElse(""),
            root(Key.HBASE_ROOT),
            root(Key.EXPORT_ROOT));
    if (place.snapshotRoot().isEmpty()) {
      problems.add(
          Key.HBASE_ROOT.text() + " is required, unless " + Key.EXPORT_ROOT.text() + " is set");
    }
    return place;
  }

  private String root(Key key) {
    String value = values.optional(key);
    if (!value.isEmpty() && !URI.matcher(value).matches()) {
      values.problem(key, "must be a URI with its scheme, such as hdfs://nn/hbase", value);
    }
    return value.replaceAll("(?<=[^/:])/+$", "");
  }

  private String reports(Place place) {
    String reports = directory(values.text(Key.REPORTS));
    String root = place.snapshotRoot();
    if (!root.isEmpty() && (reports.equals(root) || reports.startsWith(root + "/"))) {
      values.problem(Key.REPORTS, "must not be below the root of the snapshots", reports);
    }
    return reports;
  }

  /** A local path, which may be relative, or a URI; without a slash at its end. */
  private String directory(String value) {
    String directory = value.replaceAll("(?<=[^/:])/+$", "");
    boolean local = !directory.isEmpty() && !directory.contains(":/");
    return local ? base.resolve(directory).normalize().toString() : directory;
  }

  private Clients clients(TsdConfig tsd) {
    Map<String, String> hbase = new LinkedHashMap<>();
    try {
      hbase.putAll(HBaseAddress.from(tsd).hbaseProperties());
    } catch (SchemaException e) {
      problems.addAll(Key.TSD_CONFIG.text(), e.problems());
    }
    hbase.putAll(values.prefixed(Key.HBASE_PREFIX));
    Map<String, String> hadoop = values.prefixed(Key.HADOOP_PREFIX);
    if (Boolean.parseBoolean(hadoop.getOrDefault(SKIP_TMP, ""))) {
      problems.add(Key.HADOOP_PREFIX + SKIP_TMP + NO_SKIP_TMP);
    }
    return new Clients(hbase, hadoop);
  }

  private SnapshotSettings snapshots() {
    for (Key key : List.of(Key.EXPORT_COMMAND, Key.EXPORT_OPTIONS)) {
      if (values.text(key).toLowerCase(Locale.ROOT).contains(SKIP_TMP + "=true")) {
        problems.add(key.text() + ": " + SKIP_TMP + NO_SKIP_TMP);
      }
    }
    SnapshotPattern pattern =
        values
            .parsed(Key.SNAPSHOTS_PATTERN, SnapshotPattern::parse)
            .orElseGet(() -> SnapshotPattern.parse(SnapshotPattern.DEFAULT));
    return new SnapshotSettings(
        values.flag(Key.SNAPSHOTS_TAKE),
        pattern,
        values.optional(Key.SNAPSHOTS_KEEP).isEmpty()
            ? 0
            : values.number(Key.SNAPSHOTS_KEEP, 0, MAX_KEEP),
        values.words(Key.EXPORT_COMMAND),
        values.words(
            Key.EXPORT_OPTIONS,
            List.of("-snapshot", "--snapshot", "-copy-to", "--copy-to", "-overwrite"),
            "rollup-nightly sets it"));
  }

  private List<String> jobOptions(Path tsdConfig) {
    List<String> options = new ArrayList<>(List.of("--tsd-config", tsdConfig.toString()));
    Set<String> ours = new HashSet<>(RunPlanner.OPTIONS);
    ours.addAll(OURS);
    options.addAll(values.words(Key.JOB_OPTIONS, ours, "rollup-nightly sets it"));
    return options;
  }

  private Duration holdBack(CommandOptions job) {
    return values.duration(
        Key.JOB_OPTIONS.text() + " --hold-back",
        job.option("--hold-back").orElse(DueRule.DEFAULT_HOLD_BACK));
  }

  private Optional<KafkaTarget> kafka(CommandOptions job) {
    String sink = job.option(SINK).orElse("kafka");
    String bootstrap = values.optional(Key.KAFKA_BOOTSTRAP);
    String topic = values.optional(Key.KAFKA_TOPIC);
    String config = values.optional(Key.KAFKA_CONFIG);
    if (sink.equalsIgnoreCase("hfile")) {
      if (job.option("--hfile-dir").isEmpty()) {
        problems.add(Key.JOB_OPTIONS.text() + " must have --hfile-dir, because of --sink hfile");
      }
      for (Key key : List.of(Key.KAFKA_BOOTSTRAP, Key.KAFKA_TOPIC, Key.KAFKA_CONFIG)) {
        if (!values.optional(key).isEmpty()) {
          values.problem(key, "does not go with --sink hfile", values.optional(key));
        }
      }
      return Optional.empty();
    }
    if (!sink.equalsIgnoreCase("kafka")) {
      values.problem(Key.JOB_OPTIONS, "must have --sink kafka or hfile", sink);
    }
    for (Key key : List.of(Key.KAFKA_BOOTSTRAP, Key.KAFKA_TOPIC)) {
      if (values.optional(key).isEmpty()) {
        problems.add(key.text() + " is required, unless job.options has --sink hfile");
      }
    }
    return Optional.of(new KafkaTarget(bootstrap, topic, config));
  }

  private SparkSettings spark() {
    List<String> options = values.words(Key.SPARK_OPTIONS);
    CommandOptions given = new CommandOptions(options);
    List<String> modes = new ArrayList<>(given.values("--deploy-mode"));
    for (String name : List.of("--conf", "-c")) {
      given.values(name).stream()
          .filter(setting -> setting.startsWith(DEPLOY_MODE))
          .map(setting -> setting.substring(DEPLOY_MODE.length()))
          .forEach(modes::add);
    }
    for (String mode : modes) {
      if (!mode.equals("client")) {
        values.problem(
            Key.SPARK_OPTIONS,
            "must not have a --deploy-mode other than client: only client mode returns the job's"
                + " exit code",
            mode);
      }
    }
    String jar = values.text(Key.JOB_JAR);
    Optional<String> version =
        jar.isEmpty() || jar.contains("://") ? Optional.empty() : version(Path.of(jar));
    return new SparkSettings(values.words(Key.SPARK_COMMAND), options, jar, version);
  }

  /** The version in the manifest of the job's jar. */
  private Optional<String> version(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      Attributes manifest =
          file.getManifest() == null ? new Attributes() : file.getManifest().getMainAttributes();
      if (!JOB.equals(manifest.getValue(Attributes.Name.IMPLEMENTATION_TITLE))) {
        values.problem(
            Key.JOB_JAR,
            "must be the jar of rollup-job for Spark, rollup-job*-spark.jar",
            jar + "");
      }
      return Optional.ofNullable(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION));
    } catch (IOException e) {
      values.problem(Key.JOB_JAR, "must be a jar that can be read", jar + "");
      return Optional.empty();
    }
  }

  private VerifySettings verify(Place place) {
    VerifySettings.Against against =
        values.choice(Key.VERIFY_AGAINST, VerifySettings.Against.values());
    String tsd = values.url(Key.VERIFY_TSD);
    if (against == VerifySettings.Against.TSD && tsd.isEmpty()) {
      problems.add("verify.tsd is required with verify.against=tsd: a URL, http://host:4242");
    }
    if (against == VerifySettings.Against.SNAPSHOT && place.hbaseRoot().isEmpty()) {
      problems.add(
          Key.HBASE_ROOT.text()
              + " is required with verify.against=snapshot: the snapshots of the rollup tables"
              + " are read from there");
    }
    return new VerifySettings(
        against,
        tsd,
        values.text(Key.VERIFY_SAMPLE),
        values.optional(Key.VERIFY_METRICS),
        values.number(Key.VERIFY_DAYS, 1, MAX_DAYS),
        values.duration(Key.VERIFY_PATIENCE.text(), values.text(Key.VERIFY_PATIENCE)));
  }

  private CoverageSettings coverage() {
    String table = values.optional(Key.COVERAGE_TABLE);
    if (!table.isEmpty() && !CoverageRows.isTableName(table)) {
      values.problem(Key.COVERAGE_TABLE, "must be the name of a table, or none", table);
    }
    return new CoverageSettings(
        table, values.duration(Key.COVERAGE_PATIENCE.text(), values.text(Key.COVERAGE_PATIENCE)));
  }

  private TiersSettings tiers(Place place, CommandOptions job) {
    String policy = values.optional(Key.TIERS_POLICY);
    TiersSettings tiers =
        new TiersSettings(
            policy.isEmpty() ? "" : base.resolve(policy).normalize().toString(),
            directory(values.optional(Key.TIERS_PROOFS)),
            root(Key.TIERS_HFILE_DIR),
            values.flag(Key.TIERS_APPLY),
            tiersOptions(Key.TIERS_PROVE_OPTIONS),
            tiersOptions(Key.TIERS_APPLY_OPTIONS));
    if (!tiers.isOn()) {
      for (Key key : TIERS) {
        if (!values.optional(key).isEmpty()) {
          values.problem(key, "goes with tiers.policy", values.optional(key));
        }
      }
      return tiers;
    }
    if (!Files.isReadable(Path.of(tiers.policy()))) {
      values.problem(Key.TIERS_POLICY, "must be a file that can be read", tiers.policy());
    }
    require(!tiers.proofs().isEmpty(), Key.TIERS_PROOFS, "is required");
    require(!tiers.apply() || !tiers.hfileDir().isEmpty(), Key.TIERS_HFILE_DIR, "is required");
    require(!place.hbaseRoot().isEmpty(), Key.HBASE_ROOT, "is required");
    require(values.flag(Key.SNAPSHOTS_TAKE), Key.SNAPSHOTS_TAKE, "must be true");
    String coverage = values.optional(Key.COVERAGE_TABLE);
    require(!coverage.equals("none"), Key.COVERAGE_TABLE, "must not be none");
    String table = coverage.isEmpty() ? CoverageRows.DEFAULT_TABLE : coverage;
    for (String other : job.values("--coverage-table")) {
      // A run without the floors of apply would take back the rollups of deleted rows.
      if (!other.equals(table)) {
        values.problem(
            Key.JOB_OPTIONS,
            "must have no other --coverage-table than " + table + " with tiers.policy",
            other);
      }
    }
    return tiers;
  }

  private void require(boolean holds, Key key, String rule) {
    if (!holds) {
      problems.add(key.text() + " " + rule + " with tiers.policy");
    }
  }

  private List<String> tiersOptions(Key key) {
    return values.words(key, TIERS_OPTIONS, "rollup-nightly sets it");
  }

  private MetricsSettings metrics() {
    MetricsSettings metrics =
        new MetricsSettings(
            values.words(Key.METRICS_COMMAND),
            values.optional(Key.METRICS_TEXTFILE_DIR),
            values.url(Key.METRICS_PUSH),
            values.url(Key.METRICS_PUT),
            values.words(
                Key.METRICS_OPTIONS,
                List.of("--textfile", "--push", "--put"),
                "rollup-nightly sets it"));
    if (metrics.command().isEmpty() == metrics.hasTarget()) {
      problems.add(
          "metrics.command goes with metrics.textfile-dir, metrics.push or metrics.put:"
              + " report-metrics.py and where it writes");
    }
    return metrics;
  }

  private List<String> prune(Place place) {
    List<String> options =
        values.words(
            Key.PRUNE_OPTIONS,
            List.of("--snapshot-root", "--table", "--snapshot-pattern", "--delete", "--report"),
            "rollup-nightly sets it");
    if (!options.isEmpty() && !place.isExported()) {
      problems.add(
          "prune.options goes with export.root: snapshots.keep is the rule for those on HBase");
    }
    return options;
  }

  /** Properties that remember which keys a file has more than once. */
  private static final class UniqueProperties extends Properties {
    private static final long serialVersionUID = 1;

    /** In the order of the file. */
    private final transient Set<String> repeated = new LinkedHashSet<>();

    @Override
    public synchronized @Nullable Object put(Object key, Object value) {
      Object before = super.put(key, value);
      if (before != null) {
        repeated.add(key.toString());
      }
      return before;
    }
  }
}
