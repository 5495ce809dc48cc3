package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.group.SeriesCheck;
import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.parse.ParsedNames;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import java.util.List;

/** Checks names by the TSD's rules. */
public final class SeriesNamesCheck implements SeriesCheck {
  private final NamesParser parser;

  /** Checks with this parser. */
  public SeriesNamesCheck(NamesParser parser) {
    this.parser = parser;
  }

  @Override
  public boolean changesNames() {
    return parser.changesNames();
  }

  @Override
  public NewSeries check(SeriesText text) {
    ParsedNames parsed = parser.parse(text);
    if (parsed instanceof ParsedNames.Accepted names) {
      return new NewSeries(names.metric(), names.tags());
    }
    NewSeries series = new NewSeries("", List.of());
    if (parsed instanceof ParsedNames.Refused refused) {
      series.refused(new SeriesRefusal(refused.reason(), refused.detail()));
    }
    return series;
  }
}
