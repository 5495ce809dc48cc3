package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.format.schema.TsdConfig;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesParserTest {
  private static SeriesText text(String metric, String tags) {
    return text(metric.getBytes(StandardCharsets.UTF_8), tags.getBytes(StandardCharsets.UTF_8));
  }

  private static SeriesText text(byte[] metric, byte[] tags) {
    SeriesText text = new SeriesText();
    text.bytes = new byte[1 + metric.length + tags.length + 1];
    text.metricOff = 1;
    text.metricLen = metric.length;
    System.arraycopy(metric, 0, text.bytes, 1, metric.length);
    text.tagsOff = 1 + metric.length;
    text.tagsLen = tags.length;
    System.arraycopy(tags, 0, text.bytes, text.tagsOff, tags.length);
    return text;
  }

  private static NewSeries parse(String metric, String tags) {
    return NamesParser.of(TsdConfig.parse(""), NameRules.NONE).check(text(metric, tags));
  }

  private static NewSeries accepted(NewSeries names) {
    assertThat(names.refusal()).isNull();
    return names;
  }

  private static SeriesRefusal refused(NewSeries names) {
    assertThat(names.refusal()).isNotNull();
    return names.refusal();
  }

  @Test
  void names() {
    NewSeries names = accepted(parse("sys.cpu-user/x_9", "host=web01 \t dc=k\u00f6ln  cpu=0"));
    assertThat(names.metric()).isEqualTo("sys.cpu-user/x_9");
    assertThat(names.tags()).containsExactly("host", "web01", "dc", "k\u00f6ln", "cpu", "0");
  }

  /** The pairs of a line of a megabyte are read once: n^2 comparisons would take minutes. */
  @Test
  void aMegabyteOfTagsIsRefused() {
    StringBuilder tags = new StringBuilder();
    for (int i = 0; i < 150_000; i++) {
      tags.append('k').append(i).append("=v ");
    }
    assertThat(refused(parse("m", tags.toString())).detail()).contains("found 150000");
  }

  @Test
  void aCharacterThatCanBeReplacedNamesTheOption() {
    assertThat(refused(parse("a:b", "x=y")).detail()).contains("found ':'", "--replace-chars");
    assertThat(refused(parse("m", "x=\u4e2d")).detail()).contains("--replace-chars");
    assertThat(refused(parse("", "x=y")).detail()).doesNotContain("--replace-chars");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a:b|x=y|ILLEGAL_NAME|metric: a name must have|found ':'",
        "\u4e2d|x=y|ILLEGAL_NAME|metric: a name must be ISO-8859-1|U+4E2D",
        "m|x:z=y|ILLEGAL_NAME|tag key: |found ':'",
        "m|x=y:z|ILLEGAL_NAME|tag value of x: |found ':'",
        "m|x=\u20ac|ILLEGAL_NAME|tag value of x: |U+20AC",
        "m|''|BAD_TAGS|a series must have at least one tag|found none",
        "m|x|BAD_TAGS|a tag must be key=value|found 'x'",
        "m|x=|BAD_TAGS|a tag must be key=value|found 'x='",
        "m|=y|BAD_TAGS|a tag must be key=value|found '=y'",
        "m|x=y=z|BAD_TAGS|a tag must be key=value|found 'x=y=z'",
        "m|x==y|BAD_TAGS|a tag must be key=value|found 'x==y'",
        "m|x=y a=b x=z|BAD_TAGS|a tag key must come once|x=y and x=z",
        "m|a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1|BAD_TAGS|not have more than 8 tags|found 9",
      })
  void refused(String metric, String tags, RejectReason reason, String rule, String found) {
    SeriesRefusal names = refused(parse(metric, tags));
    assertThat(names.reason()).isEqualTo(reason);
    assertThat(names.detail()).contains(rule, found);
  }

  @Test
  void aPairThatComesTwiceCountsOnceAsInATsd() {
    assertThat(accepted(parse("m", "x=y a=b x=y")).tags()).containsExactly("x", "y", "a", "b");
  }

  @Test
  void eightTagsAreGood() {
    assertThat(accepted(parse("m", "a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1")).tags()).hasSize(16);
  }

  @Test
  void theRulesOfTheTsd() {
    TsdConfig config =
        TsdConfig.parse("tsd.core.tag.allow_specialchars=:#\ntsd.storage.max_tags= 1 \n");
    NamesParser parser = NamesParser.of(config, NameRules.NONE);
    assertThat(accepted(parser.check(text("a:b", "c#=d"))).metric()).isEqualTo("a:b");
    assertThat(refused(parser.check(text("a:b", "c=d e=f"))).detail()).contains("more than 1 tags");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "x", "", "1.5", "100000"})
  void maxTagsMustBeANumber(String max) {
    TsdConfig config = TsdConfig.parse("tsd.storage.max_tags=" + max);
    assertThatThrownBy(() -> NamesParser.of(config, NameRules.NONE))
        .hasMessage("tsd.storage.max_tags must be a number from 1 to 9999, found '" + max + "'");
  }

  @Test
  void namesMustBeUtf8() {
    byte[] latin1 = "caf\u00e9".getBytes(StandardCharsets.ISO_8859_1);
    byte[] tags = "a=b".getBytes(StandardCharsets.UTF_8);
    NamesParser parser = new NamesParser("", 8, NameRules.NONE);
    SeriesRefusal names = refused(parser.check(text(latin1, tags)));
    assertThat(names.reason()).isEqualTo(RejectReason.ILLEGAL_NAME);
    assertThat(names.detail()).startsWith("metric: names must be UTF-8, found 'caf");
    names = refused(parser.check(text(tags, latin1)));
    assertThat(names.reason()).isEqualTo(RejectReason.ILLEGAL_NAME);
    byte[] badTag = "a=caf\u00e9".getBytes(StandardCharsets.ISO_8859_1);
    names = refused(parser.check(text("m".getBytes(StandardCharsets.UTF_8), badTag)));
    assertThat(names.detail()).startsWith("tags: names must be UTF-8");
  }
}
