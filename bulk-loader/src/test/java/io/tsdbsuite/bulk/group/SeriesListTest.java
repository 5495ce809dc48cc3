package io.tsdbsuite.bulk.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.parse.SeriesCheck;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.series.NewSeries;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesListTest {
  /** New names of metrics; some are the old names of others. */
  private static final Map<String, String> NAMES = Map.of("a", "b", "b", "a", "c", "d", "e", "d");

  private static final class Mapping implements SeriesCheck {
    @Override
    public NewSeries check(SeriesText text) {
      String metric =
          new String(text.bytes, text.metricOff, text.metricLen, StandardCharsets.UTF_8);
      String tags = new String(text.bytes, text.tagsOff, text.tagsLen, StandardCharsets.UTF_8);
      return new NewSeries(NAMES.getOrDefault(metric, metric), List.of(tags.split("[ =]", -1)));
    }

    @Override
    public boolean changesNames() {
      return true;
    }
  }

  private static String text(byte[] names) {
    return new String(names, StandardCharsets.UTF_8);
  }

  @Test
  void anOldNameIsNotTakenForTheNewNameOfAnother() {
    SeriesList list = new SeriesList(new Mapping());
    int a = list.number(TestSeries.text("a", "y=2 x=1"));
    int b = list.number(TestSeries.text("b", "x=1 y=2"));
    assertThat(a).isNotEqualTo(b);
    assertThat(text(list.names(a))).isEqualTo("b x=1 y=2");
    assertThat(text(list.names(b))).isEqualTo("a x=1 y=2");
    assertThat(text(list.sourceNames(a))).isEqualTo("a y=2 x=1");
    assertThat(text(list.sourceNames(b))).isEqualTo("b x=1 y=2");
    assertThat(list.number(TestSeries.text("a", "x=1 y=2"))).isEqualTo(a);
    assertThat(list.number(TestSeries.text("b", "y=2 x=1"))).isEqualTo(b);
  }

  @Test
  void seriesWithOneNewNameAreOne() {
    SeriesList list = new SeriesList(new Mapping());
    int c = list.number(TestSeries.text("c", "x=1"));
    for (int i = 0; i < 600; i++) {
      list.number(TestSeries.text("other", "x=" + i));
    }
    assertThat(list.number(TestSeries.text("e", "x=1"))).isEqualTo(c);
    assertThat(list.number(TestSeries.text("d", "x=1"))).isEqualTo(c);
    assertThat(text(list.names(c))).isEqualTo("d x=1");
    assertThat(text(list.sourceNames(c))).isEqualTo("c x=1");
    int other = list.number(TestSeries.text("other", "x=599"));
    assertThat(text(list.sourceNames(other))).isEqualTo("other x=599");
  }
}
