package io.tsdbsuite.rollup.tiers.proof;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.error.JsonFailures;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.TiersPlan;
import io.tsdbsuite.rollup.verify.RegionNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The directory of proofs, a file each, replaced atomically.
 *
 * <pre>
 *   raw-2026-10-27-0123456789ab.json        table, day, first 12 digits of SHA-256 of the metrics
 *   idle-raw-2026-10-27-0123456789ab.json   of idle series: table, time from which on they are idle
 *   idle-2026-10-27-0123456789ab.series     the series, of all tables
 *
 *   {
 *     "proof" : 1,
 *     ...
 *     "provenAt" : "2026-11-27T03:00:00Z",
 *     "sha256" : "..."                   of all bytes before this line
 *   }
 * </pre>
 */
public final class ProofStore {
  private static final String OPTION = "--proofs";
  private static final String SUITE = "suite";
  private static final String HISTOGRAMS = "histograms";
  private static final int DIGITS = 12;
  private static final Pattern NAME =
      Pattern.compile("[0-9a-z]+-[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9a-f]{12}\\.json");

  /** Begins the names of proofs of idle series. */
  private static final String IDLE = "idle-";

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .registerModule(
              new SimpleModule()
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addDeserializer(Instant.class, new Times()));

  /** Breaks lines as each system does. */
  private static final DefaultPrettyPrinter LINES =
      new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));

  private final String directory;
  private final Configuration hadoop;

  /**
   * Opens a directory.
   *
   * @param directory a local directory that exists, or a URI with its scheme
   * @throws JobException usage, when a local directory does not exist
   */
  public ProofStore(String directory, Configuration hadoop) {
    this.directory = directory.replaceAll("(?<=[^/:])/+$", "");
    this.hadoop = hadoop;
    String problem = problem(directory);
    if (!problem.isEmpty()) {
      throw JobException.usage(problem);
    }
  }

  /** Why a directory cannot hold proofs; empty unless it is a local one that does not exist. */
  public static String problem(String directory) {
    return ReportFile.isLocal(directory)
            && (directory.isEmpty() || !Files.isDirectory(java.nio.file.Path.of(directory)))
        ? OPTION + " must be a directory that exists, found: " + directory
        : "";
  }

  /** The name of the file of a table, day and selection of metrics. */
  public static String name(String table, Instant day, List<String> metrics) {
    byte[] selection = String.join(",", metrics).getBytes(StandardCharsets.UTF_8);
    return "%s-%s-%s.json"
        .formatted(
            table,
            day.atZone(ZoneOffset.UTC).toLocalDate(),
            RegionNames.sha256(selection).substring(0, DIGITS));
  }

  /**
   * The name of the proof of idle series of a table.
   *
   * @param before the midnight, UTC, from which on they have no write
   */
  public static String idleName(String table, Instant before, List<String> metrics) {
    return IDLE + name(table, before, metrics);
  }

  /** The name of the file with the idle series of all tables. */
  static String seriesName(Instant before, List<String> metrics) {
    return name("idle", before, metrics).replace(".json", ".series");
  }

  /**
   * The names of all proofs of days, by table and day. Other files of the directory do not count.
   *
   * @throws JobException usage, when the directory is a file; outside, when storage fails
   */
  public List<String> names() {
    return names(NAME);
  }

  /**
   * The {@link #reportName names} of the reports of comparisons, of proven and refused days.
   *
   * @throws JobException outside, when storage fails
   */
  List<String> reports() {
    return names(Pattern.compile(reportName(NAME.pattern())));
  }

  /** The name of the report of the comparison, beside its proof. */
  static String reportName(String proof) {
    return "verify-" + proof;
  }

  /**
   * The names of the proofs of idle series of an entry, of all tables and times.
   *
   * @param metrics of the entry
   * @throws JobException outside, when storage fails
   */
  public List<String> idleNames(List<String> metrics) {
    return names(ofIdle("-?[0-9a-z]+", ".json", metrics));
  }

  /**
   * Removes the proofs of idle series of an entry and their series: that of the raw data first,
   * because without it the others do not count.
   *
   * @throws JobException outside, when storage fails
   */
  public void removeIdle(List<String> metrics) {
    names(ofIdle("-raw", ".json", metrics)).forEach(this::remove);
    idleNames(metrics).forEach(this::remove);
    names(ofIdle("", ".series", metrics)).forEach(this::remove);
  }

  private static Pattern ofIdle(String table, String end, List<String> metrics) {
    String name = name("", Instant.EPOCH, metrics);
    String hash = name.substring(name.length() - DIGITS - ".json".length(), name.length() - 5);
    return Pattern.compile(
        "idle" + table + "-[0-9]{4}-[0-9]{2}-[0-9]{2}-" + hash + Pattern.quote(end));
  }

  private List<String> names(Pattern pattern) {
    try {
      Path path = path();
      FileSystem files = path.getFileSystem(hadoop);
      List<String> names = new ArrayList<>();
      for (FileStatus file : files.listStatus(path)) {
        if (file.getPath().equals(files.makeQualified(path))) {
          throw JobException.usage(OPTION + " must be a directory, found the file " + directory);
        }
        if (file.isFile() && pattern.matcher(file.getPath().getName()).matches()) {
          names.add(file.getPath().getName());
        }
      }
      names.sort(null);
      return names;
    } catch (FileNotFoundException e) {
      // An object store has no empty directory.
      return List.of();
    } catch (IOException e) {
      throw JobException.of(StorageFailures.of(OPTION + " " + directory, e));
    }
  }

  /**
   * Looks for the proofs of the days that a plan lets go.
   *
   * @return the same plan with them
   * @throws JobException as {@link #read}
   */
  public TiersPlan look(TiersPlan plan) {
    Set<String> names = new HashSet<>(names());
    Policy policy = plan.options().policy();
    Instant oldest = plan.now().minus(SnapshotRules.MAX_PROOF_AGE);
    List<Map<String, TiersPlan.Proofs>> all = new ArrayList<>();
    for (int i = 0; i < policy.entries().size(); i++) {
      Policy.Entry entry = policy.entries().get(i);
      Map<String, TiersPlan.Proofs> byTable = new LinkedHashMap<>();
      for (String table : plan.before().get(i).keySet()) {
        TiersPlan.Proofs proofs = new TiersPlan.Proofs();
        for (int day : plan.days(table, i, List.of())) {
          String name =
              name(table, Instant.ofEpochSecond(day * ProofDay.DAY), policy.metrics(entry));
          Proof proof = names.contains(name) ? read(name) : null;
          if (proof == null || !proof.policy().keepDays().equals(entry.keep())) {
            proofs.missing().add(day);
          } else if (proof.data().created().isBefore(oldest)) {
            proofs.tooOld().add(day);
          } else {
            proofs.proven().add(day);
          }
        }
        byTable.put(table, proofs);
      }
      all.add(byTable);
    }
    return plan.with(all);
  }

  /**
   * Reads a proof.
   *
   * @param name of {@link #names}
   * @throws JobException bad input, when it is no proof, one of another format, or was changed;
   *     outside, when storage fails
   */
  public Proof read(String name) {
    ReportFile file = file(name);
    Proof proof = parse(file.toString(), file.bytes(OPTION));
    if (!proof.fileName().equals(name)) {
      throw refused(file.toString(), "must be named " + proof.fileName() + ", as what it proves");
    }
    return proof;
  }

  /**
   * Writes a proof; replaces that of its name.
   *
   * @throws JobException outside, when storage fails
   */
  public void write(Proof proof) {
    byte[] text = (fields(proof) + last(hash(proof))).getBytes(StandardCharsets.UTF_8);
    file(proof.fileName()).write(stream -> stream.write(text));
  }

  /**
   * Reads the series of a proof of idle series.
   *
   * @throws JobException bad input, when there is no such file, or it is not the one that the proof
   *     names; outside, when storage fails
   */
  public IdleSeries series(Proof proof) {
    String name = seriesName(proof.to(), proof.policy().metrics());
    ReportFile file = file(name);
    byte[] bytes;
    try {
      bytes = file.bytes(OPTION);
    } catch (JobException e) {
      if (e.getCause() instanceof NoSuchFileException
          || e.getCause() instanceof FileNotFoundException) {
        throw refused(proof.fileName(), "must have its series: " + e.getMessage());
      }
      throw e;
    }
    IdleSeries series = IdleSeries.of(file.toString(), bytes);
    Proof.Series found = new Proof.Series(name, series.count(), series.sha256());
    if (!found.equals(proof.series())) {
      throw refused(
          proof.fileName(), "must have its series, %s, found %s".formatted(proof.series(), found));
    }
    return series;
  }

  /**
   * Writes the series of proofs that will follow.
   *
   * @param metrics of the entry
   * @throws JobException outside, when storage fails
   */
  public Proof.Series write(IdleSeries series, Instant before, List<String> metrics) {
    String name = seriesName(before, metrics);
    file(name).write(series::writeTo);
    return new Proof.Series(name, series.count(), series.sha256());
  }

  /**
   * Writes the report of a comparison beside its proof.
   *
   * @param proof name of the proof
   * @return its name
   * @throws JobException outside, when storage fails
   */
  String write(String proof, Report report) {
    String name = reportName(proof);
    file(name).write(report);
    return name;
  }

  /**
   * Removes a proof that holds no longer, if it is there.
   *
   * @throws JobException outside, when storage fails
   */
  void remove(String name) {
    Path file = new Path(path(), name);
    try {
      file.getFileSystem(hadoop).delete(file, false);
    } catch (IOException e) {
      throw JobException.of(StorageFailures.of(OPTION + " " + file, e));
    }
  }

  private Path path() {
    return ReportFile.isLocal(directory)
        ? new Path(java.nio.file.Path.of(directory).toUri())
        : new Path(directory);
  }

  private ReportFile file(String name) {
    return ReportFile.of(directory + "/" + name, hadoop);
  }

  static String hash(Proof proof) {
    return RegionNames.sha256(fields(proof).getBytes(StandardCharsets.UTF_8));
  }

  /** The fields that a proof of a format does not have, and what stands for them. */
  private static Map<String, Object> absent(int format) {
    return switch (format) {
      case Proof.FORMAT -> Map.of("series", Proof.Series.NONE, SUITE, "");
      case Proof.IDLE -> Map.of("verify", Proof.Verified.NONE, SUITE, "");
      case Proof.FORMAT_OF_SUITE -> Map.of("series", Proof.Series.NONE);
      case Proof.IDLE_OF_SUITE -> Map.of("verify", Proof.Verified.NONE);
      default -> Map.of();
    };
  }

  /** The file up to the last field. */
  private static String fields(Proof proof) {
    try {
      ObjectNode json = MAPPER.valueToTree(proof);
      json.remove(absent(proof.proof()).keySet());
      String text = MAPPER.writer(LINES).writeValueAsString(json);
      return text.substring(0, text.length() - "\n}".length()) + ",\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a proof is JSON", e);
    }
  }

  private static String last(String hash) {
    return "  \"sha256\" : \"" + hash + "\"\n}\n";
  }

  /** Reads the bytes of a file. */
  static Proof parse(String name, byte[] json) {
    JsonNode format;
    try {
      format = MAPPER.readTree(json).path("proof");
    } catch (IOException e) {
      throw refused(name, "must be JSON: " + describe(e));
    }
    int number = format.isInt() ? format.intValue() : 0;
    Map<String, Object> absent = absent(number);
    if (absent.isEmpty()) {
      throw refused(
          name,
          "must have the format (proof) %s to %s, found %s"
              .formatted(
                  Proof.FORMAT, Proof.IDLE_OF_SUITE, format.isMissingNode() ? "none" : format));
    }
    String text = new String(json, StandardCharsets.UTF_8);
    int end = text.length() - last("0".repeat(64)).length();
    String fields = text.substring(0, Math.max(0, end));
    String hash = RegionNames.sha256(fields.getBytes(StandardCharsets.UTF_8));
    if (!text.equals(fields + last(hash))) {
      throw refused(
          name, "must end with sha256 of all before it, %s: it was changed".formatted(hash));
    }
    Proof proof;
    try {
      ObjectNode tree =
          (ObjectNode) MAPPER.readTree(fields.substring(0, end - ",\n".length()) + "}");
      for (Map.Entry<String, Object> field : absent.entrySet()) {
        if (tree.has(field.getKey())) {
          throw refused(name, "must have no field " + field.getKey());
        }
        tree.set(field.getKey(), MAPPER.valueToTree(field.getValue()));
      }
      for (JsonNode rows : tree.path("metrics")) {
        if (rows.isObject() && !rows.has(HISTOGRAMS)) {
          ((ObjectNode) rows).put(HISTOGRAMS, 0);
        }
      }
      proof = MAPPER.treeToValue(tree, Proof.class);
    } catch (UnrecognizedPropertyException e) {
      throw refused(name, "must have no field " + e.getPropertyName());
    } catch (IOException e) {
      throw refused(name, "must have the fields of a proof: " + describe(e));
    }
    if (proof.suite().isEmpty() != absent.containsKey(SUITE)) {
      throw refused(name, "must have a suite, found an empty one");
    }
    if (!fields(proof).equals(fields)) {
      throw refused(name, "must be written as rollup-job writes it: order, numbers, spaces");
    }
    return proof;
  }

  private static String describe(IOException e) {
    return e instanceof JsonProcessingException json
        ? JsonFailures.describe(json)
        : String.valueOf(e.getMessage());
  }

  private static JobException refused(String name, String rule) {
    return JobException.badInput("the proof " + name + " " + rule);
  }

  /** Reads times, ISO-8601. */
  private static final class Times extends FromStringDeserializer<Instant> {
    private static final long serialVersionUID = 1L;

    private Times() {
      super(Instant.class);
    }

    @Override
    protected Instant _deserialize(String value, DeserializationContext context)
        throws IOException {
      try {
        return Instant.parse(value);
      } catch (DateTimeException e) {
        throw context.weirdStringException(value, Instant.class, "must be a time");
      }
    }
  }
}
