package io.tsdbsuite.trigger.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.planner.run.CommandOptions;
import io.tsdbsuite.planner.run.KafkaTarget;
import io.tsdbsuite.planner.run.RunPlanner;
import io.tsdbsuite.planner.run.RunSettings;
import io.tsdbsuite.trigger.s3.S3Location;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The command line of rollup-job.
 *
 * @param jar JOB_JAR: the job's jar on S3
 * @param options JOB_OPTIONS: a JSON array of further options of the job; {@code --tsd-config} must
 *     be among them
 * @param sparkOptions SPARK_OPTIONS: a JSON array of further options of spark-submit
 * @param bootstrap KAFKA_BOOTSTRAP: Kafka's brokers; this and what follows of Kafka is empty with
 *     {@code --sink hfile} in JOB_OPTIONS
 * @param topic TOPIC: Kafka topic of the rollups
 * @param kafkaConfig KAFKA_CONFIG: properties file, on the primary node or of {@code --files};
 *     empty for none
 * @param tsdConfig TSD_CONFIG: the file of {@code --tsd-config} on S3, which the functions read;
 *     empty if they know only the keys that JOB_OPTIONS override
 * @param lateData LATE_DATA: whether each run also rolls up earlier rows that have changed
 * @param compute the service that runs the job
 */
public record JobSettings(
    String jar,
    CommandOptions options,
    CommandOptions sparkOptions,
    String bootstrap,
    String topic,
    String kafkaConfig,
    Optional<S3Location> tsdConfig,
    boolean lateData,
    ComputeSettings compute) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern JAR = Pattern.compile("s3a?://[^/\\s]+/\\S+\\.jar");
  private static final Pattern BROKERS =
      Pattern.compile("[^\\s,:]+:\\d{1,5}(?:,[^\\s,:]+:\\d{1,5})*");
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
  private static final Pattern PATH = Pattern.compile("/\\S+");

  /** Names of secrets, with a value. Command lines appear in logs and on consoles. */
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i)(sasl\\.jaas\\.config|password|secret[._-]?key|access[._-]?key|session[._-]?token)"
              + "\\s*[=:]");

  private static final String SINK = "--sink";
  private static final String HFILE_DIR = "--hfile-dir";

  /** Options that the job takes with {@code --sink kafka} only. */
  private static final List<String> KAFKA_ONLY =
      List.of("--kafka-property", "--rollups-per-message", "--max-messages-per-second");

  private static final String DEPLOY_MODE = "--deploy-mode";
  private static final String CLIENT = "client";
  private static final String FILES = "--files";

  /** Options of spark-submit whose value is a comma-separated list of files. */
  public static final Set<String> FILE_LISTS = Set.of(FILES, "--jars", "--archives", "--py-files");

  /** The same as settings; spark-submit ignores them beside the options. */
  private static final SortedMap<String, String> FILE_SETTINGS =
      new TreeMap<>(
          Map.of(
              "spark.files", FILES,
              "spark.jars", "--jars",
              "spark.archives", "--archives",
              "spark.submit.pyFiles", "--py-files"));

  /** Options whose value is a file that the driver reads. */
  public static final List<String> FILE_OPTIONS = List.of("--tsd-config", "--rollup-config");

  static Optional<JobSettings> read(EnvironmentReader variables) {
    String jar =
        variables.matching(
            "JOB_JAR", JAR, "must be the jar's location on S3 (s3://bucket/key.jar)");
    Optional<CommandOptions> options = options(variables);
    if (options.isPresent() && options.get().option("--tsd-config").isEmpty()) {
      variables.problem(
          "JOB_OPTIONS must have --tsd-config with a file that the driver can read: the job needs"
              + " the TSD's opentsdb.conf");
    }
    options.ifPresent(given -> refuseWhatTheJobRefuses(variables, given));
    ComputeSettings compute = ComputeSettings.read(variables);
    boolean serverless = compute.kind() == ComputeSettings.Kind.SERVERLESS;
    Optional<CommandOptions> spark =
        options(
            variables,
            "SPARK_OPTIONS",
            serverless ? Set.of("--class", "--master", DEPLOY_MODE) : Set.of(),
            "EMR Serverless or the trigger sets it");
    if (spark.isPresent()
        && !serverless
        && !spark.get().values(DEPLOY_MODE).stream().allMatch(CLIENT::equals)) {
      variables.problem(
          "SPARK_OPTIONS must not have a --deploy-mode other than client: only client mode returns"
              + " the job's exit code");
    }
    FILE_SETTINGS.forEach(
        (setting, option) -> {
          if (spark.isPresent()
              && spark.get().option(option).isPresent()
              && conf(spark.get()).anyMatch(value -> value.startsWith(setting + "="))) {
            variables.problem(
                ("SPARK_OPTIONS must not have the setting %s, which spark-submit ignores beside"
                        + " %s: use %s")
                    .formatted(setting, option, option));
          }
        });
    boolean hfiles = writesHFiles(options);
    String bootstrap =
        hfiles
            ? ofNoKafka(variables, "KAFKA_BOOTSTRAP")
            : variables.matching(
                "KAFKA_BOOTSTRAP", BROKERS, "must be a comma-separated list of host:port");
    String topic = topic(variables, options);
    String config = hfiles ? ofNoKafka(variables, "KAFKA_CONFIG") : variables.text("KAFKA_CONFIG");
    if (!config.isEmpty() && !serverless && !PATH.matcher(config).matches()) {
      variables.problem("KAFKA_CONFIG", "must be an absolute path on the primary node", config);
    }
    if (serverless && options.isPresent() && spark.isPresent()) {
      requireFiles(variables, config, options.get(), spark.get());
    }
    Optional<S3Location> tsdConfig =
        variables.text("TSD_CONFIG").isEmpty()
            ? Optional.empty()
            : variables.parsed("TSD_CONFIG", S3Location::parse);
    boolean lateData = variables.isOn("LATE_DATA", true);
    if (lateData && options.isPresent() && options.get().option("--changed-since").isPresent()) {
      variables.problem(
          "JOB_OPTIONS must not have --changed-since while LATE_DATA is on: the trigger sets it");
    }
    if (options.isEmpty() || spark.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new JobSettings(
            jar,
            options.get(),
            spark.get(),
            bootstrap,
            topic,
            config,
            tsdConfig,
            lateData,
            compute));
  }

  /** The same with one more option of the job. */
  JobSettings with(String option, String value) {
    List<String> words = new ArrayList<>(options.words());
    words.addAll(List.of(option, value));
    return new JobSettings(
        jar,
        new CommandOptions(words),
        sparkOptions,
        bootstrap,
        topic,
        kafkaConfig,
        tsdConfig,
        lateData,
        compute);
  }

  /** Options with which each run would end with exit code 2. */
  private static void refuseWhatTheJobRefuses(EnvironmentReader variables, CommandOptions options) {
    boolean hfiles = writesHFiles(Optional.of(options));
    List<String> sinks = options.values(SINK);
    if (hfiles ? sinks.size() > 1 : !sinks.stream().allMatch("kafka"::equalsIgnoreCase)) {
      variables.problem(
          "JOB_OPTIONS must not have a --sink other than kafka, or hfile alone: the trigger sets"
              + " the topic");
    }
    List<String> directories = options.values(HFILE_DIR);
    if (!hfiles && options.has(HFILE_DIR)) {
      variables.problem("JOB_OPTIONS must not have --hfile-dir without --sink hfile");
    } else if (hfiles && directories.size() != 1) {
      variables.problem(
          "JOB_OPTIONS must have --hfile-dir once with --sink hfile, found: " + directories);
    } else if (hfiles) {
      variables.parsed("JOB_OPTIONS --hfile-dir", directories.get(0), S3Location::parseHadoop);
    }
    for (String option : KAFKA_ONLY) {
      if (hfiles && options.has(option)) {
        variables.problem("JOB_OPTIONS must not have " + option + " with --sink hfile");
      }
    }
    if (options.has("--allow-incomplete") && options.has("--hold-back")) {
      variables.problem(
          "JOB_OPTIONS must not have --allow-incomplete beside --hold-back, which the templates"
              + " set: HoldBack may be 0s");
    }
  }

  private static boolean writesHFiles(Optional<CommandOptions> options) {
    return options
        .flatMap(given -> given.option(SINK))
        .filter("hfile"::equalsIgnoreCase)
        .isPresent();
  }

  /** Empty; a problem if it is not. */
  private static String ofNoKafka(EnvironmentReader variables, String name) {
    String value = variables.text(name);
    if (!value.isEmpty()) {
      variables.problem(name, "must be empty with --sink hfile in JOB_OPTIONS", value);
    }
    return "";
  }

  /** The directory of the HFiles of all runs; empty with {@code --sink kafka}. */
  public Optional<S3Location> hfiles() {
    return writesHFiles(Optional.of(options))
        ? options.option(HFILE_DIR).map(S3Location::parseHadoop)
        : Optional.empty();
  }

  /** On EMR Serverless the driver has no files but those that Spark brings. */
  private static void requireFiles(
      EnvironmentReader variables,
      String kafkaConfig,
      CommandOptions options,
      CommandOptions spark) {
    Set<String> names = new HashSet<>();
    for (String files : spark.values(FILES)) {
      for (String file : files.split(",", -1)) {
        names.add(file.substring(file.lastIndexOf('/') + 1));
      }
    }
    String rule = "must be the name of a file of --files in SPARK_OPTIONS, without a directory";
    if (!kafkaConfig.isEmpty() && !names.contains(kafkaConfig)) {
      variables.problem("KAFKA_CONFIG", rule, kafkaConfig);
    }
    for (String name : FILE_OPTIONS) {
      for (String value : options.values(name)) {
        if (!names.contains(value)) {
          variables.problem("JOB_OPTIONS " + name, rule, value);
        }
      }
    }
  }

  /**
   * What the runs of all days have in common.
   *
   * @param tsd the content of TSD_CONFIG; empty without it
   * @throws SchemaException if {@code tsd} and the options that override it are no valid layout
   */
  public RunSettings runs(BackupSettings backup, Optional<String> tsd) {
    Map<String, String> overrides = options.tsdKeys();
    TsdConfig config = TsdConfig.parse(tsd.orElse(""));
    for (Map.Entry<String, String> key : overrides.entrySet()) {
      config = config.with(key.getKey(), key.getValue());
    }
    Map<String, String> rowKeys = StorageSchema.from(config).rowKeys();
    if (tsd.isEmpty()) {
      rowKeys.keySet().retainAll(overrides.keySet());
    }
    return new RunSettings(
        backup.root().hadoopUri(),
        backup.dataTable(),
        jar,
        // rollup-aws deploys jars of one version.
        Optional.ofNullable(JobSettings.class.getPackage().getImplementationVersion()),
        hfiles().isPresent()
            ? Optional.empty()
            : Optional.of(new KafkaTarget(bootstrap, topic, kafkaConfig)),
        options,
        rowKeys,
        lateData);
  }

  /** Whether SPARK_OPTIONS set the deploy mode; its value is then {@code client}. */
  public boolean setsDeployMode() {
    return sparkOptions.option(DEPLOY_MODE).isPresent();
  }

  /**
   * Whether SPARK_OPTIONS set a setting of Spark.
   *
   * @param setting its name, such as spark.executor.memory
   * @param flag its own option of spark-submit, such as --executor-memory
   */
  public boolean setsSpark(String setting, String flag) {
    return sparkOptions.option(flag).isPresent()
        || conf(sparkOptions).anyMatch(value -> value.startsWith(setting + "="));
  }

  private static Stream<String> conf(CommandOptions spark) {
    return Stream.of("--conf", "-c").flatMap(name -> spark.values(name).stream());
  }

  /** JOB_OPTIONS; empty after a problem. */
  static Optional<CommandOptions> options(EnvironmentReader variables) {
    return options(variables, "JOB_OPTIONS", RunPlanner.OPTIONS, "the trigger sets it");
  }

  /**
   * TOPIC; empty with {@code --sink hfile}.
   *
   * @param options JOB_OPTIONS; empty after a problem
   */
  static String topic(EnvironmentReader variables, Optional<CommandOptions> options) {
    return writesHFiles(options)
        ? ofNoKafka(variables, "TOPIC")
        : variables.matching("TOPIC", TOPIC, "must be the name of a Kafka topic");
  }

  private static Optional<CommandOptions> options(
      EnvironmentReader variables, String name, Set<String> refused, String why) {
    String text = variables.text(name);
    if (SECRET.matcher(text).find()) {
      // Without the value: logs must not show it.
      variables.problem(
          name
              + " must not hold a password, a key or sasl.jaas.config: command lines are not"
              + " secret; use KAFKA_CONFIG");
      return Optional.empty();
    }
    Optional<List<String>> options =
        text.isEmpty() ? Optional.of(List.of()) : variables.parsed(name, text, JobSettings::array);
    for (String option : options.orElse(List.of())) {
      int equals = option.indexOf('=');
      if (refused.contains(equals < 0 ? option : option.substring(0, equals))) {
        variables.problem(name, "must not have this option, " + why, option);
      }
    }
    return options.map(CommandOptions::new);
  }

  private static List<String> array(String text) {
    JsonNode node;
    try {
      node = MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("must be a JSON array of texts", e);
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode element : node) {
      if (element.isTextual()) {
        texts.add(element.textValue());
      }
    }
    if (!node.isArray() || texts.size() < node.size()) {
      throw new IllegalArgumentException("must be a JSON array of texts");
    }
    return List.copyOf(texts);
  }
}
