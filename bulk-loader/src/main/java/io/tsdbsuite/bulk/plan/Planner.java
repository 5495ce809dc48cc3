package io.tsdbsuite.bulk.plan;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.input.InputPart;
import io.tsdbsuite.bulk.input.InputUnit;
import io.tsdbsuite.bulk.input.PartReader;
import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesNames;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.run.ActiveHours;
import io.tsdbsuite.bulk.run.LoadInput;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.uid.UidAssigner;
import io.tsdbsuite.bulk.uid.UidSeriesResolver;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.load.Region;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a sample and asks HBase what it would mean. */
public final class Planner {
  private final TsdSettings tsd;
  private final TsdHBase hbase;
  private final InstantSource clock;

  /** A planner; it changes nothing. */
  public Planner(TsdSettings tsd, TsdHBase hbase, InstantSource clock) {
    this.tsd = tsd;
    this.hbase = hbase;
    this.clock = clock;
  }

  /**
   * Plans.
   *
   * @param sampleBytes of text, spread over the input
   */
  public Plan plan(LoadInput input, long sampleBytes) throws IOException {
    Sample sample =
        new Sample(
            NamesParser.of(tsd.config()), ActiveHours.from(clock.instant().getEpochSecond()));
    long read = read(input, sampleBytes, sample);
    RowKey rowKey = new RowKey(tsd.schema());
    TableFacts table = TableFacts.read(hbase.connection(), tsd.schema().dataTable());
    Map<String, Integer> newNames = new LinkedHashMap<>();
    Set<Integer> touched = new HashSet<>();
    try (UidAssigner uids = new UidAssigner(hbase.connection(), tsd.schema(), false)) {
      for (UidKind kind : UidKind.values()) {
        newNames.put(kind.qualifier(), uids.unknown(kind, names(sample, kind)).size());
      }
      touch(sample, rowKey, uids, table.regions(), touched);
    }
    long rows = sample.hours().values().stream().mapToLong(Set::size).sum();
    return new Plan(
        input.files().size(),
        input.bytes(),
        read,
        sample.bytes(),
        sample.points(),
        sample.series().size(),
        rows,
        sample.valueBytes() + rows * keyLength(sample, rowKey),
        sample.points() == 0 || rows == 0 ? null : Instant.ofEpochSecond(sample.oldest()),
        Instant.ofEpochSecond(Math.max(0, sample.newest())),
        newNames,
        table.regions().size(),
        touched.size(),
        sample.rejects(),
        warnings(sample));
  }

  /** Reads the beginning of each unit; how many bytes as stored that was. */
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
        long text = sample.bytes();
        sample.part(part.name(), left);
        reader.read(part, Position.START, sample);
        left -= sample.bytes() - text;
      }
    }
    return input.bytesRead() - before;
  }

  private static Set<String> names(Sample sample, UidKind kind) {
    Set<String> names = new LinkedHashSet<>();
    for (SeriesNames series : sample.series().values()) {
      if (series.isGood()) {
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
    Map<String, NewSeries> known = new HashMap<>();
    sample
        .series()
        .forEach(
            (key, names) -> {
              if (names.isGood()) {
                known.put(key, new NewSeries(names.metric(), names.tags()));
              }
            });
    new UidSeriesResolver(uids, tsd.schema()).resolve(new ArrayList<>(known.values()));
    known.forEach(
        (key, series) -> {
          if (series.template() != null) {
            for (long base : sample.hours().getOrDefault(key, Set.of())) {
              touched.add(region(RowKeys.at(series.template(), rowKey, base), regions));
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
    for (SeriesNames names : sample.series().values()) {
      series++;
      pairs += names.tags().size() / 2;
    }
    return series == 0 ? 0 : rowKey.tagsOffset() + rowKey.pairWidth() * pairs / series;
  }

  private static List<String> warnings(Sample sample) {
    List<String> warnings = new ArrayList<>();
    if (sample.active() > 0) {
      warnings.add(
          sample.active()
              + " points of the sample are in hours that TSDs may still write: they are rejected"
              + " ("
              + RejectReason.ACTIVE_HOUR.key()
              + ") unless --allow-active-hours is given");
    }
    if (!sample.firstReject().isEmpty()) {
      warnings.add("the first that would be rejected: " + sample.firstReject());
    }
    return warnings;
  }
}
