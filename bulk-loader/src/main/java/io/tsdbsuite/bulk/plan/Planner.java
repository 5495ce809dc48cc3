package io.tsdbsuite.bulk.plan;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.input.InputPart;
import io.tsdbsuite.bulk.input.InputUnit;
import io.tsdbsuite.bulk.input.PartReader;
import io.tsdbsuite.bulk.names.NameChanges;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.report.RejectLimits;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.run.ActiveHours;
import io.tsdbsuite.bulk.run.BelowFloors;
import io.tsdbsuite.bulk.run.LoadInput;
import io.tsdbsuite.bulk.run.OldestPoint;
import io.tsdbsuite.bulk.run.Requirements;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.uid.UidAssigner;
import io.tsdbsuite.bulk.uid.UidSeriesResolver;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.load.Region;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.report.TextTable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** Plans a load from a sample of the input and the state of HBase. */
public final class Planner {
  private static final long HOUR = 3600;
  private static final int EXAMPLES = 20;

  private final Requirements requirements;
  private final TsdSettings tsd;
  private final TsdHBase hbase;

  /**
   * Result of {@code plan}.
   *
   * @param table for the terminal
   * @param isRefused whether the sample has a reason for which a load would stop
   */
  public record Plan(String table, boolean isRefused) {}

  /**
   * A planner; it changes nothing.
   *
   * @param requirements requirements of the load's options at the current time
   */
  public Planner(Requirements requirements, TsdHBase hbase) {
    this.requirements = requirements;
    this.tsd = requirements.tsd();
    this.hbase = hbase;
  }

  /**
   * Plans.
   *
   * @param sampleBytes bytes of text to sample, spread over the input
   * @param rules by which names of the source become names of OpenTSDB
   * @param limits of rejected points
   * @throws JobException as the load would before it reads, or when it would not take the oldest
   *     point of the sample, or one below the floor of its metric
   */
  public Plan plan(LoadInput input, long sampleBytes, NameRules rules, RejectLimits limits)
      throws IOException {
    NamesParser parser = NamesParser.of(tsd.config(), rules);
    BelowFloors below =
        BelowFloors.read(hbase, requirements.write(), requirements.began().toEpochMilli());
    Sample sample =
        new Sample(
            parser, ActiveHours.refusedFrom(requirements.write(), requirements.began()), below);
    TableFacts table = requirements.table(hbase);
    String rowKeys = requirements.rowKeys(hbase, table);
    long read = read(input, sampleBytes, sample);
    RowKey rowKey = new RowKey(tsd.schema());
    requireOldest(table, sample);
    below.require();
    StringJoiner newNames = new StringJoiner(", ");
    Set<Integer> touched = new HashSet<>();
    try (UidAssigner uids = new UidAssigner(hbase.connection(), tsd.schema(), false)) {
      for (UidKind kind : UidKind.values()) {
        int count = uids.unknown(kind, names(sample, kind)).size();
        newNames.add(number(count) + " " + kind.qualifier());
      }
      touch(sample, rowKey, uids, table.regions(), touched);
    }
    List<String> refusals = refusals(sample, limits);
    TextTable lines = new TextTable();
    counts(lines, input, sample, read, rowKey);
    lines.text("names without UID", newNames + " in the sample");
    lines.text(
        "regions",
        touched.size()
            + " of "
            + table.regions().size()
            + " by rows of the sample whose names have UIDs");
    lines.text("row keys", rowKeys);
    lines.text("coverage", requirements.coverage(hbase));
    sample.skippedPoints.forEach(
        (kind, points) -> lines.text("skipped", number(points) + " " + kind.key()));
    sample.rejects.forEach(
        (reason, points) -> lines.text("rejected", number(points) + " " + reason.key()));
    examples(sample).forEach(example -> lines.text("name", example));
    warnings(sample, parser.changes(), input).forEach(warning -> lines.text("warning", warning));
    refusals.forEach(refusal -> lines.text("a load would stop", refusal));
    return new Plan(
        lines
            + "Nothing was written. \"In all\" is right if the rest of the input is like the"
            + " sample.\n",
        !refusals.isEmpty());
  }

  /**
   * The lines about numbers of the sample, and of all of the input if it is like the sample.
   *
   * @param read stored bytes that the sample has read
   */
  private static void counts(
      TextTable lines, LoadInput input, Sample sample, long read, RowKey rowKey) {
    double factor = read == 0 ? 1 : Math.max(1, (double) input.bytes() / read);
    long rows = sample.series.values().stream().mapToLong(one -> one.hours.size()).sum();
    long rowBytes = sample.valueBytes + rows * keyLength(sample, rowKey);
    lines.text("input", input.files().size() + " file(s), " + bytes(input.bytes()));
    lines.text("sample", bytes(read) + ", " + bytes(sample.bytes) + " of text");
    lines.text("points", both(sample.points, factor));
    lines.text("series", number(sample.series.size()) + " in the sample");
    lines.text("rows", both(rows, factor));
    lines.text(
        "bytes of rows",
        bytes(rowBytes) + ", in all about " + bytes(Math.round(rowBytes * factor)));
    if (rows > 0) {
      lines.text(
          "time",
          Instant.ofEpochSecond(sample.oldest)
              + " to "
              + Instant.ofEpochSecond(Math.max(0, sample.newest))
              + " in the sample");
    }
  }

  private static String both(long sampled, double factor) {
    return number(sampled) + " in the sample, in all about " + number(Math.round(sampled * factor));
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String bytes(long bytes) {
    return bytes < 10_000_000
        ? String.format(Locale.ROOT, "%,d kB", (bytes + 999) / 1000)
        : String.format(Locale.ROOT, "%,d MB", bytes / 1_000_000);
  }

  private void requireOldest(TableFacts table, Sample sample) {
    if (OldestPoint.matters(table, requirements.stamps()) && sample.oldest != Long.MAX_VALUE) {
      OldestPoint.require(
          table,
          requirements.stamps(),
          // A cell has the time of the newest point of its row.
          ((sample.oldest / HOUR + 1) * HOUR - 1) * 1000,
          requirements.began().toEpochMilli(),
          requirements.write().mode() == Mode.HFILE);
    }
  }

  /** Reads the beginning of each unit; returns the number of stored bytes read. */
  private static long read(LoadInput input, long sampleBytes, Sample sample) throws IOException {
    PartReader reader = new PartReader(input.formats());
    long before = input.bytesRead();
    long each = Math.max(1, sampleBytes / Math.max(1, input.units().size()));
    for (InputUnit unit : input.units()) {
      long left = each;
      for (InputPart part : unit.parts()) {
        if (left <= 0) {
          break;
        }
        long text = sample.bytes;
        sample.part(part.name(), left);
        reader.read(part, Position.START, sample);
        left -= sample.bytes - text;
      }
    }
    return input.bytesRead() - before;
  }

  private static Set<String> names(Sample sample, UidKind kind) {
    Set<String> names = new LinkedHashSet<>();
    for (Sample.SampledSeries sampled : sample.series.values()) {
      NewSeries series = sampled.names;
      if (series.refusal() == null) {
        switch (kind) {
          case METRIC -> names.add(series.metric());
          case TAGK -> addEverySecond(series.tags(), 0, names);
          case TAGV -> addEverySecond(series.tags(), 1, names);
        }
      }
    }
    return names;
  }

  private static void addEverySecond(List<String> tags, int from, Set<String> names) {
    for (int i = from; i < tags.size(); i += 2) {
      names.add(tags.get(i));
    }
  }

  private void touch(
      Sample sample, RowKey rowKey, UidAssigner uids, List<Region> regions, Set<Integer> touched) {
    Map<Sample.SampledSeries, NewSeries> known = new HashMap<>();
    for (Sample.SampledSeries one : sample.series.values()) {
      if (one.names.refusal() == null) {
        known.put(one, new NewSeries(one.names.metric(), one.names.tags()));
      }
    }
    new UidSeriesResolver(uids, tsd.schema()).resolve(new ArrayList<>(known.values()));
    known.forEach(
        (sampled, series) -> {
          byte[] template = series.template();
          if (template != null) {
            for (long base : sampled.hours) {
              touched.add(region(key(template, rowKey, base), regions));
            }
          } else if (series.refusal() != null && sampled.points > 0) {
            RejectReason reason = series.refusal().reason();
            // The assigner of a plan creates no UIDs; that of the load may.
            if (reason != RejectReason.UNKNOWN_NAME || !requirements.write().create()) {
              sample.rejects.merge(reason, sampled.points, Long::sum);
            }
          }
        });
  }

  private static int region(byte[] key, List<Region> regions) {
    int found = 0;
    for (int i = 0; i < regions.size(); i++) {
      if (Arrays.compareUnsigned(regions.get(i).start(), key) <= 0) {
        found = i;
      }
    }
    return found;
  }

  private static long keyLength(Sample sample, RowKey rowKey) {
    long series = 0;
    long pairs = 0;
    for (Sample.SampledSeries sampled : sample.series.values()) {
      series++;
      pairs += sampled.names.tags().size() / 2;
    }
    return series == 0 ? 0 : rowKey.tagsOffset() + rowKey.pairWidth() * pairs / series;
  }

  /** Series of the source and their names in OpenTSDB; changed ones first. */
  private static List<String> examples(Sample sample) {
    List<String> changed = new ArrayList<>();
    List<String> same = new ArrayList<>();
    for (Sample.SampledSeries series : sample.series.values()) {
      if (series.names.refusal() == null) {
        String name = text(series.names);
        boolean alike = name.equals(series.source);
        (alike ? same : changed).add(alike ? name : series.source + " -> " + name);
      }
    }
    Collections.sort(changed);
    Collections.sort(same);
    changed.addAll(same);
    return changed.subList(0, Math.min(EXAMPLES, changed.size()));
  }

  static String text(NewSeries names) {
    StringJoiner tags = new StringJoiner(", ", "{", "}");
    for (int i = 0; i < names.tags().size(); i += 2) {
      tags.add(names.tags().get(i) + "=" + names.tags().get(i + 1));
    }
    return names.metric() + tags;
  }

  private static List<String> warnings(Sample sample, NameChanges changes, LoadInput input) {
    List<String> warnings = new ArrayList<>();
    if (!input.warning().isEmpty()) {
      warnings.add(input.warning());
    }
    if (sample.points == 0) {
      warnings.add(
          sample.skipped == 0
              ? "the sample has no point"
              : "the sample has only lines of other databases or retention policies");
    }
    sample.firstRejects.values().forEach(first -> warnings.add("rejected: " + first));
    warnings.addAll(changes.warnings());
    return warnings;
  }

  /** Reasons why a load would stop, known from the sample. */
  private List<String> refusals(Sample sample, RejectLimits limits) {
    List<String> refusals = new ArrayList<>();
    Tally rejected = new Tally();
    sample.rejects.forEach(rejected::reject);
    if (limits.isExceeded(rejected, sample.points)) {
      refusals.add(
          "%s points of the sample would be rejected, more than --max-rejected (%s)"
              .formatted(rejected.rejected(), limits));
    }
    if (requirements.write().onConflict() == OnConflict.FAIL && !sample.firstConflict.isEmpty()) {
      refusals.add(
          "an instant must have one value unless --on-conflict is first, last or max; found "
              + sample.firstConflict);
    }
    return refusals;
  }

  /** The key of a series at a base time, seconds since the epoch. */
  private static byte[] key(byte[] template, RowKey rowKey, long baseTime) {
    byte[] key = template.clone();
    rowKey.writeBaseTime(key, baseTime);
    return key;
  }
}
