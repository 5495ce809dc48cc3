package io.tsdbsuite.report.run;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.model.UidNames;
import io.tsdbsuite.report.select.Selection;
import io.tsdbsuite.report.write.ReportWriter;
import io.tsdbsuite.report.write.SeriesNamer;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counts series by metric, or by the value of a tag; keeps one object per group. */
final class GroupCollector implements Collector {
  /** Totals of a group. */
  private static final class Counts {
    private long matching;
    private long total;
    private long oldest = Long.MAX_VALUE;
    private long newest = Long.MIN_VALUE;
  }

  private final TsuidLayout layout;
  private final UidNames names;
  private final SeriesNamer namer;
  private final ReportWriter writer;
  private final long limit;
  private final @Nullable Long tagk;
  private final UidKind kind;
  private final Map<Long, Counts> groups = new HashMap<>();
  private final Counts without = new Counts();

  /**
   * @param tagk UID of the tag key; null to group by metric
   */
  GroupCollector(
      TsuidLayout layout,
      UidNames names,
      SeriesNamer namer,
      ReportWriter writer,
      long limit,
      @Nullable Long tagk) {
    this.layout = layout;
    this.names = names;
    this.namer = namer;
    this.writer = writer;
    this.limit = limit;
    this.tagk = tagk;
    kind = tagk == null ? UidKind.METRIC : UidKind.TAGV;
  }

  @Override
  public void matching(MetaRow row) {
    Counts counts = group(row.tsuid());
    counts.matching++;
    counts.total++;
    if (row.tracked()) {
      counts.oldest = Math.min(counts.oldest, row.lastReceivedMillis());
      counts.newest = Math.max(counts.newest, row.lastReceivedMillis());
    }
  }

  @Override
  public void other(MetaRow row) {
    group(row.tsuid()).total++;
  }

  private Counts group(byte[] tsuid) {
    long uid;
    if (tagk == null) {
      uid = layout.metric(tsuid);
    } else {
      int tag = Selection.tag(layout, tsuid, tagk);
      if (tag < 0) {
        return without;
      }
      uid = layout.tagv(tsuid, tag);
    }
    return groups.computeIfAbsent(uid, unused -> new Counts());
  }

  @Override
  public void finish(Books books) throws IOException {
    List<Map.Entry<Long, Counts>> found =
        groups.entrySet().stream()
            .filter(group -> group.getValue().matching > 0)
            .sorted(
                Comparator.comparingLong((Map.Entry<Long, Counts> one) -> -one.getValue().matching)
                    .thenComparing(Map.Entry::getKey))
            .toList();
    List<Map.Entry<Long, Counts>> shown = found.subList(0, (int) Math.min(limit, found.size()));
    names.load(kind, shown.stream().map(Map.Entry::getKey).collect(Collectors.toSet()));
    for (Map.Entry<Long, Counts> group : shown) {
      write(namer.nameOrHex(kind, group.getKey()), group.getValue(), books);
    }
    for (Map.Entry<Long, Counts> group : found.subList(shown.size(), found.size())) {
      books.add(Books.Rows.LEFT_OFF, group.getValue().matching);
    }
    if (without.matching > 0) {
      write(null, without, books);
    }
    writer.end(found.size() - shown.size());
  }

  private void write(@Nullable String name, Counts counts, Books books) throws IOException {
    boolean tracked = counts.oldest <= counts.newest;
    writer.group(
        new ReportWriter.Group(
            name,
            counts.matching,
            counts.total,
            tracked ? (Long) counts.oldest : null,
            tracked ? (Long) counts.newest : null));
    books.add(Books.Rows.LISTED, counts.matching);
  }
}
