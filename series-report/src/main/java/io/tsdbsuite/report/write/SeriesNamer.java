package io.tsdbsuite.report.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.model.UidNames;
import io.tsdbsuite.report.write.ReportWriter.Series;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds names to rows, and counts UIDs without a name. */
public final class SeriesNamer {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final TsuidLayout layout;
  private final UidNames names;
  private long unnamed;
  private long unreadable;

  public SeriesNamer(TsuidLayout layout, UidNames names) {
    this.layout = layout;
    this.names = names;
  }

  /** Resolves the names of a batch of rows, in row order. */
  public List<Series> name(List<MetaRow> rows) {
    Set<Long> metrics = new HashSet<>();
    Set<Long> tagks = new HashSet<>();
    Set<Long> tagvs = new HashSet<>();
    for (MetaRow row : rows) {
      byte[] tsuid = row.tsuid();
      metrics.add(layout.metric(tsuid));
      for (int tag = 0; tag < layout.tags(tsuid); tag++) {
        tagks.add(layout.tagk(tsuid, tag));
        tagvs.add(layout.tagv(tsuid, tag));
      }
    }
    names.load(UidKind.METRIC, metrics);
    names.load(UidKind.TAGK, tagks);
    names.load(UidKind.TAGV, tagvs);
    return rows.stream().map(this::name).toList();
  }

  private Series name(MetaRow row) {
    byte[] tsuid = row.tsuid();
    long before = unnamed;
    String metric = nameOrHex(UidKind.METRIC, layout.metric(tsuid));
    SortedMap<String, String> tags = new TreeMap<>();
    for (int tag = 0; tag < layout.tags(tsuid); tag++) {
      tags.put(
          nameOrHex(UidKind.TAGK, layout.tagk(tsuid, tag)),
          nameOrHex(UidKind.TAGV, layout.tagv(tsuid, tag)));
    }
    // A series counts once, with however many UIDs.
    unnamed = Math.min(unnamed, before + 1);
    return new Series(
        TsuidLayout.hex(tsuid),
        metric,
        tags,
        row.tracked() ? (Long) row.lastReceivedMillis() : null,
        row.tracked() ? (Long) row.points() : null,
        created(row.tsMeta()));
  }

  private @Nullable Long created(byte @Nullable [] tsMeta) {
    try {
      return tsMeta == null ? null : createdSeconds(tsMeta);
    } catch (IOException e) {
      unreadable++;
      return null;
    }
  }

  /** The field {@code created} of a TSMeta object; null if it is missing or 0. */
  private static @Nullable Long createdSeconds(byte[] tsMeta) throws IOException {
    try (JsonParser parser = FACTORY.createParser(tsMeta)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("ts_meta must be a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean created = parser.getCurrentName().equals("created");
        JsonToken value = parser.nextToken();
        if (created && value == JsonToken.VALUE_NUMBER_INT) {
          long seconds = parser.getLongValue();
          return seconds == 0 ? null : (Long) seconds;
        }
        parser.skipChildren();
      }
      return null;
    }
  }

  /** The name of a loaded UID; without a name its hex, which {@link #unnamed} counts. */
  public String nameOrHex(UidKind kind, long uid) {
    String name = names.name(kind, uid);
    if (name != null) {
      return name;
    }
    unnamed++;
    return layout.hex(kind, uid);
  }

  /** Number of series, or groups, with a UID that has no name. */
  public long unnamed() {
    return unnamed;
  }

  /** Number of series whose ts_meta is not valid JSON. */
  public long unreadable() {
    return unreadable;
  }
}
