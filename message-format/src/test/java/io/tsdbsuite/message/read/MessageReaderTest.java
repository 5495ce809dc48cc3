package io.tsdbsuite.message.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.json.PackageVersion;
import io.tsdbsuite.message.Origin;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The build runs it with stream-rollup's Jackson and with the TSD's. */
@Tag("jackson")
class MessageReaderTest {
  private final MessageReader reader = new MessageReader();

  private static byte[] utf8(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private Element one(String json) throws BadMessageException {
    List<Element> elements = reader.read(utf8(json));
    assertThat(elements).hasSize(1);
    return elements.get(0);
  }

  private BadMessageException bad(String json) throws BadMessageException {
    return ((BadElement) one(json)).problem();
  }

  @Test
  void theJacksonIsThatOfTheExecution() {
    assertThat(PackageVersion.VERSION.toString())
        .isEqualTo(System.getProperty("test.jackson.version", PackageVersion.VERSION.toString()));
  }

  @Test
  void readsAMetricWhoseTypeComesLast() throws BadMessageException {
    MetricElement point =
        (MetricElement)
            one(
                "{'tags':{'host':'köln','n':5},'value':'1e3','timestamp':1763510400123,"
                    + "'metric':'m','unknown':{'a':[1,{}]},'type':'Metric'}");
    assertThat(point.metric()).isEqualTo("m");
    assertThat(point.tags()).isEqualTo(Map.of("host", "köln", "n", "5"));
    assertThat(point.timestamp()).isEqualTo(1763510400123L);
    assertThat(point.value()).isEqualTo("1e3");
    assertThat(point.points()).isEqualTo(1);
  }

  @Test
  void aPointThatComesBackSaysHowTheTsdReceivedIt() throws BadMessageException {
    String json =
        "{'type':'Metric','tsdOrigin':'telnet','metric':'m','tags':{'a':'b'},'timestamp':1,"
            + "'value':1}";
    assertThat(((MetricElement) one(json)).origin()).isEqualTo(Origin.TELNET);
    assertThat(((MetricElement) one(json.replace("telnet", "http"))).origin())
        .isEqualTo(Origin.HTTP);
    for (String other : new String[] {"'x'", "5", "null", "{'a':[1]}"}) {
      assertThat(((MetricElement) one(json.replace("'telnet'", other))).origin()).isNull();
    }
    assertThat(
            ((AggregateElement)
                    one(
                        json.replace(
                            "'type':'Metric'",
                            "'type':'Aggregate','interval':'1h','aggregator':'SUM'")))
                .origin())
        .isEqualTo(Origin.TELNET);
  }

  @Test
  void readsARollup() throws BadMessageException {
    RollupElement point =
        (RollupElement)
            one(
                "{'type':'Rollup','v':1,'metric':'m','tags':{'a':'b'},'timestamp':1763510400,"
                    + "'interval':'1h','values':{'sum':90.5,'count':60}}");
    assertThat(point.interval()).isEqualTo("1h");
    assertThat(point.points()).isEqualTo(2);
    assertThat(point.aggregator(0)).isEqualTo("sum");
    assertThat(point.value(0)).isEqualTo("90.5");
    assertThat(point.aggregator(1)).isEqualTo("count");
    assertThat(point.value(1)).isEqualTo("60");
  }

  @Test
  void aRollupMaySayWhenItsPointsWereReadAndThatNothingIsLeft() throws BadMessageException {
    String json =
        "{'type':'Rollup','v':1,'metric':'m','tags':{'a':'b'},'timestamp':1763510400,"
            + "'interval':'1h','asOf':1763600000123,'values':{'sum':90.5}}";
    RollupElement point = (RollupElement) one(json);
    assertThat(point.hasAsOf()).isTrue();
    assertThat(point.asOf()).isEqualTo(1763600000123L);
    assertThat(point.isDeletion()).isFalse();
    RollupElement deletion = (RollupElement) one(json.replace("'sum':90.5", ""));
    assertThat(deletion.isDeletion()).isTrue();
    assertThat(deletion.size()).isZero();
    assertThat(deletion.points()).isEqualTo(1);
    assertThat(((RollupElement) one(json.replace("asOf", "x"))).hasAsOf()).isFalse();
    // In a message of another type it is one of the unknown fields.
    assertThat(
            one(
                "{'type':'Metric','metric':'m','tags':{'a':'b'},'timestamp':1,'value':1,"
                    + "'asOf':{'x':[1]}}"))
        .isInstanceOf(MetricElement.class);
  }

  @Test
  void readsAnAggregateAndTakesEmptyForAbsent() throws BadMessageException {
    AggregateElement point =
        (AggregateElement)
            one(
                "{'type':'Aggregate','metric':'m','tags':{'a':'b'},'timestamp':1763510400,"
                    + "'interval':'1h','aggregator':'SUM','groupByAggregator':'','value':7}");
    assertThat(point.interval()).isEqualTo("1h");
    assertThat(point.aggregator()).isEqualTo("SUM");
    assertThat(point.groupByAggregator()).isNull();
    assertThat(point.value()).isEqualTo("7");
  }

  @Test
  void readsHistogramsOfBothKinds() throws BadMessageException {
    HistogramElement buckets =
        (HistogramElement)
            one(
                "{'type':'Histogram','metric':'m','tags':{'a':'b'},'timestamp':1,"
                    + "'buckets':{'0,1':5},'overflow':1,'underflow':2}");
    assertThat(buckets.buckets()).isEqualTo(Map.of("0,1", 5L));
    assertThat(buckets.overflow()).isEqualTo(1);
    assertThat(buckets.underflow()).isEqualTo(2);
    HistogramElement encoded =
        (HistogramElement)
            one(
                "{'type':'Histogram','metric':'m','tags':{'a':'b'},'timestamp':1,"
                    + "'id':42,'value':'AAAA'}");
    assertThat(encoded.id()).isEqualTo(42);
    assertThat(encoded.value()).isEqualTo("AAAA");
    assertThat(encoded.buckets()).isEmpty();
  }

  @Test
  void elementsOfAnArrayKnowTheirBytes() throws BadMessageException {
    String first = "{'type':'Metric','metric':'ä','tags':{'a':'b'},'timestamp':1,'value':1}";
    String second = "{'type':'?'}";
    byte[] message = utf8(" [ " + first + ",\n" + second + "] ");
    List<Element> elements = reader.read(message);
    assertThat(elements).hasSize(2);
    assertThat(elements.get(0)).isInstanceOf(MetricElement.class);
    assertThat(Arrays.copyOfRange(message, elements.get(0).from(), elements.get(0).to()))
        .isEqualTo(utf8(first));
    assertThat(elements.get(1)).isInstanceOf(BadElement.class);
    assertThat(Arrays.copyOfRange(message, elements.get(1).from(), elements.get(1).to()))
        .isEqualTo(utf8(second));
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "-1.5e3", "null", "true", "'a\\u0022ä'", "''", "[1,{'a':[]}]", "[]"})
  void whatIsNoObjectIsBadByItself(String odd) throws BadMessageException {
    String good = "{'type':'Metric','metric':'ä','tags':{'a':'b'},'timestamp':1,'value':1}";
    for (String mark : new String[] {"", "\ufeff"}) {
      byte[] message = utf8(mark + "[" + good + ", " + odd + " ," + good + "]");
      List<Element> elements = reader.read(message);
      assertThat(elements).hasSize(3);
      assertThat(elements.get(0)).isInstanceOf(MetricElement.class);
      assertThat(elements.get(2)).isInstanceOf(MetricElement.class);
      BadMessageException problem = ((BadElement) elements.get(1)).problem();
      assertThat(problem.reason()).isEqualTo(Reason.MALFORMED);
      assertThat(problem).hasMessageContaining("element 1 must be an object");
      List<byte[]> texts = List.of(utf8(good), utf8(odd), utf8(good));
      for (int i = 0; i < texts.size(); i++) {
        assertThat(Arrays.copyOfRange(message, elements.get(i).from(), elements.get(i).to()))
            .isEqualTo(texts.get(i));
      }
    }
    assertThat(bad("[" + odd + "]").reason()).isEqualTo(Reason.MALFORMED);
  }

  @Test
  void onlyUtf8IsTaken() {
    String json = "{'type':'Metric','metric':'a/b','tags':{'a':'b'},'timestamp':1,'value':1}";
    byte[] overlong = utf8(json.replace("/", "##"));
    int at = new String(overlong, StandardCharsets.ISO_8859_1).indexOf("##");
    overlong[at] = (byte) 0xc0;
    overlong[at + 1] = (byte) 0xaf;
    String text = json.replace('\'', '"');
    for (byte[] message :
        List.of(
            overlong,
            text.getBytes(StandardCharsets.UTF_16),
            text.getBytes(StandardCharsets.UTF_16LE),
            ("[" + text + "]").getBytes(StandardCharsets.UTF_16BE),
            json.replace("a/b", "köln").replace('\'', '"').getBytes(StandardCharsets.ISO_8859_1))) {
      BadMessageException e =
          catchThrowableOfType(BadMessageException.class, () -> reader.read(message));
      assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
      assertThat(e).hasMessageContaining("must be JSON in UTF-8");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not json",
        "5",
        "{'type':'Metric'",
        "[{'type':'Metric','metric':'m','tags':{'a':'b'},'timestamp':1,'value':1},{'type':",
        "{} {}",
        "[{}],"
      })
  void aBrokenMessageHasNoElements(String json) {
    BadMessageException e =
        catchThrowableOfType(BadMessageException.class, () -> reader.read(utf8(json)));
    assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
    assertThat(e).hasMessageContaining("must be");
  }

  @Test
  void aMessageMayHaveNothing() {
    for (byte[] nothing : new byte[][] {null, {}, utf8("[]")}) {
      BadMessageException e =
          catchThrowableOfType(BadMessageException.class, () -> reader.read(nothing));
      assertThat(e.reason()).isEqualTo(Reason.EMPTY);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'type':'Metric'|'type':'Metrics'|UNKNOWN_TYPE|found Metrics",
        "'type':'Metric',||UNKNOWN_TYPE|type must",
        "'type':'Metric'|'type':5|BAD_FIELD|type must be a string",
        "'metric':'m'|'metric':''|BAD_FIELD|metric must",
        "'metric':'m'|'metric':null|BAD_FIELD|metric must",
        "{'a':'b'}|{}|BAD_FIELD|tags must have",
        "{'a':'b'}|{'a':['b']}|BAD_FIELD|tags.a must be a string",
        "{'a':'b'}|'a=b'|BAD_FIELD|tags must be an object",
        "'timestamp':1|'timestamp':0|BAD_TIMESTAMP|found 0",
        "'timestamp':1|'timestamp':-5|BAD_TIMESTAMP|found -5",
        "'timestamp':1|'timestamp':'1.5'|BAD_TIMESTAMP|found 1.5",
        "'timestamp':1|'timestamp':99999999999999999999|BAD_TIMESTAMP|found 99999999999999999999",
        "'value':1|'value':true|BAD_VALUE|value must be a number",
        "'value':1|'value':{'a':{}}|BAD_VALUE|value must be a number",
        "'value':1|'value':''|BAD_VALUE|value must be a number",
      })
  void aMetricSaysWhatIsWrong(String from, String to, Reason reason, String message)
      throws BadMessageException {
    String good = "{'type':'Metric','metric':'m','tags':{'a':'b'},'timestamp':1,'value':1}";
    assertThat(good).contains(from);
    BadMessageException e = bad(good.replace(from, to == null ? "" : to));
    assertThat(e.reason()).isEqualTo(reason);
    assertThat(e).hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'v':1|'v':4|UNSUPPORTED_VERSION|v must be 1, 2 or 3, found 4",
        "'v':1,||UNSUPPORTED_VERSION|v must be 1, 2 or 3, found nothing",
        "'interval':'1h',||BAD_FIELD|interval must",
        "'values':{'sum':1}|'n':1|BAD_FIELD|values must be an object of aggregators, found nothing",
        "'v':1|'v':1,'asOf':1763510400|BAD_FIELD|asOf must be milliseconds since the epoch",
        "'v':1|'v':1,'asOf':1763510400000000|BAD_FIELD|found 1763510400000000",
        "'v':1|'v':1,'asOf':0|BAD_FIELD|found 0",
        "'v':1|'v':1,'asOf':-1763510400000|BAD_FIELD|found -1763510400000",
        "'v':1|'v':1,'asOf':1.5|BAD_FIELD|asOf must be an integer",
        "'v':1|'v':1,'asOf':null|BAD_FIELD|asOf must be an integer",
        "'v':1|'v':1,'asOf':{'a':[1]}|BAD_FIELD|asOf must be an integer",
        "{'sum':1}|{'sum':1,'sum':2}|BAD_FIELD|found it twice",
        "{'sum':1}|{'sum':1,'SUM':2}|BAD_FIELD|found it twice",
        "{'sum':1}|{'sum':'1'}|BAD_VALUE|values.sum must be a number",
        "{'sum':1}|{'sum':[1]}|BAD_VALUE|values.sum must be a number, found START_ARRAY",
        "{'sum':1}|{'x':[null]}|BAD_VALUE|values.x must be a number, found START_ARRAY",
        "{'sum':1}|[1]|BAD_FIELD|values must be an object",
      })
  void aRollupSaysWhatIsWrong(String from, String to, Reason reason, String message)
      throws BadMessageException {
    String good =
        "{'type':'Rollup','v':1,'metric':'m','tags':{'a':'b'},'timestamp':1,"
            + "'interval':'1h','values':{'sum':1}}";
    assertThat(good).contains(from);
    BadMessageException e = bad(good.replace(from, to == null ? "" : to));
    assertThat(e.reason()).isEqualTo(reason);
    assertThat(e).hasMessageContaining(message);
  }

  private static final String ARRAYS =
      "{'type':'Rollup','v':3,'metric':'m','tags':{'a':'b'},'timestamp':1763510400,"
          + "'interval':'10m','asOf':1763600000123,'at':[0,1,3],"
          + "'values':{'sum':[1.5,2,-0.0],'min':[1,2,3],'max':[4,5,6],'count':[7,8,9]},'gone':[2]}";

  @Test
  void readsTheRollupsOfVersion3() throws BadMessageException {
    String more = ARRAYS.replace("'count'", "'p99':[0.1,0.2,1e300],'count'");
    String other = "{'type':'Metric','metric':'m','tags':{'a':'b'},'timestamp':1,'value':1}";
    List<Element> elements = reader.read(utf8("[" + other + "," + more + ",5," + ARRAYS + "]"));
    assertThat(elements).hasSize(10);
    assertThat(elements).extracting(Element::index).containsExactly(0, 1, 1, 1, 1, 2, 3, 3, 3, 3);
    for (int i = 1; i < 5; i++) {
      RollupElement rollup = (RollupElement) elements.get(i);
      assertThat(rollup.metric()).isEqualTo("m");
      assertThat(rollup.tags()).isEqualTo(Map.of("a", "b"));
      assertThat(rollup.interval()).isEqualTo("10m");
      assertThat(rollup.hasAsOf()).isTrue();
      assertThat(rollup.asOf()).isEqualTo(1763600000123L);
      assertThat(rollup.codec()).isNull();
      assertThat(rollup.from()).isEqualTo(other.length() + 2);
      assertThat(rollup.to()).isEqualTo(rollup.from() + more.length());
      long slot = new long[] {0, 0, 1, 3, 2}[i];
      assertThat(rollup.timestamp()).isEqualTo(1763510400 + 600 * slot);
      assertThat(rollup.isDeletion()).isEqualTo(i == 4);
      assertThat(rollup.points()).isEqualTo(i == 4 ? 1 : 5);
    }
    RollupElement third = (RollupElement) elements.get(3);
    assertThat(third.aggregator(3)).isEqualTo("p99");
    assertThat(third.value(3)).isEqualTo("1e300");
    assertThat(third.aggregator(4)).isEqualTo("count");
    assertThat(third.value(4)).isEqualTo("9");
    assertThat(third.value(0)).isEqualTo("-0.0");
    RollupElement own = third.withOwnTags();
    own.tags().put("c", "d");
    assertThat(third.tags()).hasSize(1);
    assertThat(own.withOwnTags()).isSameAs(own);
    assertThat(own.value(3)).isEqualTo("1e300");

    String first = ARRAYS.replace("'at':[0,1,3],", "").replace("'gone':[2]", "'gone':[3]");
    assertThat(reader.read(utf8(first)))
        .extracting(each -> ((RollupElement) each).timestamp())
        .containsExactly(1763510400L, 1763511000L, 1763511600L, 1763512200L);
  }

  @Test
  void deletionsAloneNeedNoValues() throws BadMessageException {
    String gone = ARRAYS.replaceAll("'at.*'gone':\\[2]", "'gone':[0,3839]");
    for (String json : List.of(gone, gone.replace("'gone'", "'at':[],'values':{},'gone'"))) {
      assertThat(reader.read(utf8(json)))
          .hasSize(2)
          .allMatch(each -> ((RollupElement) each).isDeletion())
          .extracting(each -> ((RollupElement) each).timestamp())
          .containsExactly(1763510400L, 1763510400L + 3839 * 600);
    }
  }

  @Test
  void inOtherVersionsTheFieldsOfVersion3AreUnknown() throws BadMessageException {
    for (String unknown : List.of("'at':[0,'x',{}],'gone':5", "'at':{},'gone':[[1]]")) {
      String json =
          "{'type':'Rollup','v':1,'metric':'m','tags':{'a':'b'},'timestamp':1,'interval':'x',"
              + unknown
              + ",'values':{'sum':1}}";
      assertThat(((RollupElement) one(json)).size()).isEqualTo(1);
      json = "{'type':'Metric','metric':'m','tags':{'a':'b'},'timestamp':1,'value':1,";
      assertThat(one(json + unknown + ",'values':{'sum':[1]}}")).isInstanceOf(MetricElement.class);
    }
  }

  /** The number of lost rollups follows the message. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'asOf':1763600000123,||BAD_FIELD|asOf must be milliseconds since the epoch in v 3|0",
        "1763600000123|1.5|BAD_FIELD|asOf must be an integer, found 1.5|0",
        "'interval':'10m',||BAD_FIELD|interval must name a rollup interval, found nothing|0",
        "'10m'|'m'|UNKNOWN_INTERVAL|interval must be a number and one of the units|0",
        "'10m'|'0m'|UNKNOWN_INTERVAL|units s m h d w n y, found 0m|0",
        "'10m'|'1234567890m'|UNKNOWN_INTERVAL|units s m h d w n y, found 1234567890m|0",
        "1763510400,|4294966000,|BAD_TIMESTAMP|at most 4294967295, in seconds, found 4294966000 and"
            + " 3 of 10m|0",
        "1763510400,|1763510400000,|BAD_TIMESTAMP|in seconds, found 1763510400000 and 3 of 10m|0",
        "'10m'|'999999999y'|BAD_TIMESTAMP|found 1763510400 and 3 of 999999999y|0",
        "'metric':'m',||BAD_FIELD|metric must be a name, found nothing|0",
        "[0,1,3]|5|BAD_FIELD|at must be an array of numbers, found VALUE_NUMBER_INT|0",
        "[0,1,3]|[0,1,'3']|BAD_VALUE|at must be an array of numbers, found VALUE_STRING|0",
        "[0,1,3]|[0,1,3.0]|BAD_FIELD|at must have whole numbers of intervals, 0 to 3839, found"
            + " 3.0|0",
        "[0,1,3]|[0,1,3e1]|BAD_FIELD|0 to 3839, found 3e1|0",
        "[0,1,3]|[-1,1,3]|BAD_FIELD|0 to 3839, found -1|0",
        "[0,1,3]|[0,1,3840]|BAD_FIELD|at must have whole numbers of intervals, 0 to 3839, found"
            + " 3840|0",
        "[0,1,3]|[0,1,99999999999999999999]|BAD_FIELD|found 99999999999999999999|0",
        "[0,1,3]|[0,3,1]|BAD_FIELD|at must be ascending, found 1 after 3|0",
        "[0,1,3]|[0,1,1]|BAD_FIELD|at must be ascending, found 1 after 1|0",
        "[0,1,3]|[0,1,2]|BAD_FIELD|gone must have no interval of at, found 2|0",
        "'gone':[2]|'gone':[2,2]|BAD_FIELD|gone must be ascending, found 2 after 2|0",
        "'gone':[2]|'gone':[[2]]|BAD_VALUE|gone must be an array of numbers, found START_ARRAY|0",
        "'gone':[2]|'gone':[2],'at':[0,1,3]|BAD_FIELD|at must occur once, found it twice|0",
        "'gone':[2]|'gone':null|BAD_FIELD|gone must be an array of numbers, found VALUE_NULL|0",
        "'at':[0,1,3],|'at':[],|BAD_FIELD|values.sum must have a number for each of 0 rollups,"
            + " found 3|1",
        "[0,1,3]|[0,1]|BAD_FIELD|values.sum must have a number for each of 2 rollups, found 3|3",
        "[7,8,9]|[7,8]|BAD_FIELD|values.count must have a number for each of 3 rollups, found 2|4",
        "[7,8,9]|[7,8,null]|BAD_VALUE|values.count must be an array of numbers, found VALUE_NULL|4",
        "[7,8,9]|[7,'8',9]|BAD_VALUE|values.count must be an array of numbers, found"
            + " VALUE_STRING|4",
        "[7,8,9]|[7,[8],9]|BAD_VALUE|values.count must be an array of numbers, found START_ARRAY|4",
        "[7,8,9]|7|BAD_VALUE|values.count must be an array of numbers in v 3, found 7|4",
        "'count':[7,8,9]|'sum':[7,8,9]|BAD_FIELD|values.sum must occur once, found it twice|4",
        "'count'|'p99'|BAD_FIELD|values of v 3 must have sum, min, max, count, found [sum, min,"
            + " max, p99]|4",
        "'count'|'median'|UNKNOWN_AGGREGATOR|values of v 3 must be of sum, min, max, count and"
            + " [p50|4",
        "'count'|'COUNT'|UNKNOWN_AGGREGATOR|found COUNT|4",
        "'gone':[2]|'gone':[2],'histogram':{'codec':'a','value':'AA=='}|BAD_FIELD|histogram must be"
            + " of a rollup of v 2, found it in v 3|4",
      })
  void rollupsOfVersion3SayWhatIsWrong(
      String from, String to, Reason reason, String message, int lost) throws BadMessageException {
    assertThat(ARRAYS).contains(from);
    BadElement bad = (BadElement) one(ARRAYS.replace(from, to == null ? "" : to));
    assertThat(bad.problem()).hasMessageContaining(message);
    assertThat(bad.problem().reason()).isEqualTo(reason);
    assertThat(bad.rollups()).hasSize(lost);
  }

  @Test
  void version3WithoutRollups() throws BadMessageException {
    assertThat(bad(ARRAYS.replaceAll(",'at.*'gone':\\[2]", "")))
        .hasMessage("values and gone must have at least one rollup in v 3, found nothing");
    assertThat(bad(ARRAYS.replaceAll("'values.*'gone'", "'gone'")))
        .hasMessage("values of v 3 must have sum, min, max, count, found []");
  }

  @Test
  void asManyRollupsAsARowHas() throws BadMessageException {
    String numbers = "[1" + ",1".repeat(3839) + "]";
    String all =
        ARRAYS
            .replaceAll("'at':\\[[0-9,]*],", "")
            .replace(",'gone':[2]", "")
            .replaceAll(":\\[[-0-9.,]*]", ":" + numbers);
    assertThat(reader.read(utf8(all))).hasSize(3840);
    assertThat(bad(all.replace("[1,", "[1,1,")))
        .hasMessage("values.sum must have at most 3840 numbers, found more");
    assertThat(bad(all.replace("'values'", "'at':[0" + ",1".repeat(3840) + "],'values'")))
        .hasMessage("at must have at most 3840 numbers, found more");
    MessageReader small = new MessageReader(new MessageLimits(1 << 20, 3839, 500, 100));
    assertThatThrownBy(() -> small.read(utf8(all)))
        .hasMessage("the array must have at most 3839 elements, found more");
    assertThatThrownBy(() -> small.read(utf8("[" + all + "]"))).hasMessageContaining("3839");
    assertThat(small.read(utf8("[" + ARRAYS + "]"))).hasSize(4);
  }

  /** They take the same memory, and masks. */
  @Test
  void rollupsThatAreLostCountAsElements() throws BadMessageException {
    String bad = ARRAYS.replace("'count'", "'median'");
    MessageReader small = new MessageReader(new MessageLimits(1 << 20, 8, 500, 1));
    assertThat(small.read(utf8("[" + bad + "," + bad + "]"))).hasSize(2);
    for (String more : List.of("[" + bad + "," + bad + ",5]", "[5," + ARRAYS + "," + bad + "]")) {
      assertThatThrownBy(() -> small.read(utf8(more)))
          .hasMessage("the array must have at most 8 elements, found more");
    }
    MessageReader least = new MessageReader(new MessageLimits(1 << 20, 3, 500, 1));
    assertThatThrownBy(() -> least.read(utf8(bad))).hasMessageContaining("at most 3 elements");
  }

  /** Room for 3,840 values of each would be more than an array has. */
  @Test
  void namesOfOtherAggregatorsTakeNoMemory() throws BadMessageException {
    StringBuilder names = new StringBuilder("'sum':[1" + ",1".repeat(3839) + "]");
    for (int i = 0; i < 570_000; i++) {
      names.append(",'").append(Integer.toString(i, 36)).append("':[]");
    }
    String all = ARRAYS.replace("'at':[0,1,3],", "").replaceAll("\\{'sum'.*}", "{" + names + "}}");
    BadElement bad = (BadElement) one(all);
    assertThat(bad.problem()).hasMessageEndingWith(", found 0");
    assertThat(bad.rollups()).hasSize(3840);
    assertThat(bad(all.replace("'v':3", "'v':1")))
        .hasMessage("values.sum must be a number, found START_ARRAY");
  }

  @Test
  void readsARollupOfVersion2() throws BadMessageException {
    RollupElement point =
        (RollupElement)
            one(
                "{'v':2,'values':{'p99':2.875,'sum':90.5,'first':-0.0,'min':-0.0,'max':3.0,"
                    + "'count':60},'metric':'m','tags':{'a':'b'},'timestamp':1763510400,"
                    + "'interval':'1h','type':'Rollup'}");
    assertThat(point.size()).isEqualTo(6);
    assertThat(point.points()).isEqualTo(6);
    assertThat(point.isDeletion()).isFalse();
    assertThat(point.aggregator(0)).isEqualTo("p99");
    assertThat(point.value(0)).isEqualTo("2.875");
    assertThat(point.value(2)).isEqualTo("-0.0");
    assertThat(point.aggregator(5)).isEqualTo("count");
    assertThat(point.codec()).isNull();
    // In version 1 any name, and histogram is an unknown field.
    String v1 =
        "{'type':'Rollup','v':1,'metric':'m','tags':{'a':'b'},'timestamp':1,'interval':'1h',"
            + "'histogram':{'codec':'x'},'values':{'median':1}}";
    assertThat(((RollupElement) one(v1)).aggregator(0)).isEqualTo("median");
    v1 = v1.replace("'median':1", "").replace("'x'", "'x','value':'AA=='");
    assertThat(((RollupElement) one(v1)).isDeletion()).isTrue();
  }

  @Test
  void readsAHistogramOfARollup() throws BadMessageException {
    String json =
        "{'type':'Rollup','v':2,'metric':'m','tags':{'a':'b'},'timestamp':1,'interval':'1h',"
            + "'values':{'sum':1,'min':2,'max':3,'count':4},"
            + "'histogram':{'new':[{}],'value':'AQL/','codec':'a.Codec'}}";
    RollupElement point = (RollupElement) one(json);
    assertThat(point.codec()).isEqualTo("a.Codec");
    assertThat(point.histogram()).containsExactly(1, 2, 255);
    assertThat(point.size()).isEqualTo(4);
    assertThat(point.points()).isEqualTo(5);
    String values = "'sum':1,'min':2,'max':3,'count':4";
    RollupElement alone = (RollupElement) one(json.replace(values, ""));
    assertThat(alone.histogram()).containsExactly(1, 2, 255);
    assertThat(alone.isDeletion()).isFalse();
    assertThat(alone.size()).isZero();
    assertThat(alone.points()).as("the histogram, and the deletion of the values").isEqualTo(2);
    assertThat(((RollupElement) one(json.replace("'count':4", "'count':4,'p99':5"))).points())
        .isEqualTo(6);
    assertThat(bad(json.replace(",'count':4", "")))
        .hasMessage(
            "values of v 2 beside a histogram must be {} or have sum, min, max, count, found"
                + " [sum, min, max]");
    assertThat(bad(json.replace("'count':4", "'count':4,'median':5")).reason())
        .isEqualTo(Reason.UNKNOWN_AGGREGATOR);
  }

  /** Of 512 KiB at most; more characters are not decoded. */
  @Test
  void aHistogramHasABound() throws BadMessageException {
    String json =
        "{'type':'Rollup','v':2,'metric':'m','tags':{'a':'b'},'timestamp':1,'interval':'1h',"
            + "'values':{},'histogram':{'codec':'c','value':'";
    String most = Base64.getEncoder().encodeToString(new byte[1 << 19]);
    assertThat(((RollupElement) one(json + most + "'}}")).histogram()).hasSize(1 << 19);
    BadMessageException more =
        bad(json + Base64.getEncoder().encodeToString(new byte[(1 << 19) + 1]) + "'}}");
    assertThat(more.reason()).isEqualTo(Reason.BAD_VALUE);
    assertThat(more).hasMessage("histogram.value must have at most 524288 bytes, found 524289");
    assertThat(bad(json + "?".repeat(699_053) + "'}}"))
        .hasMessage("histogram.value must have at most 699052 characters, found 699053");
    assertThat(bad(json.replace("'c'", "'" + "c".repeat(1101) + "'") + most + "'}}"))
        .hasMessage("histogram.codec must have at most 1100 characters, found 1101");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'p99':5|'P99':5|UNKNOWN_AGGREGATOR|p75, p90, p95, p99, p999, first, last], found [P99]",
        "'p99':5|'median':5|UNKNOWN_AGGREGATOR|found [median]",
        "'p99':5|'avg':1,'p99':5,'dev':1|UNKNOWN_AGGREGATOR|found [avg, dev]",
        ",'p99':5||BAD_FIELD|must have sum, min, max, count and one or more of [p50, p75, p90, p95,"
            + " p99, p999, first, last], found [sum, min, max, count]",
        "'sum':1,||BAD_FIELD|found [min, max, count, p99]",
        "'sum'|'SUM'|BAD_FIELD|found [SUM, min, max, count, p99]",
        ",'count':4||BAD_FIELD|found [sum, min, max, p99]",
        "'sum':1,'min':2,'max':3,'count':4,'p99':5||BAD_FIELD|found []",
        "'p99':5|'p99':5,'P99':5|BAD_FIELD|values.P99 must occur once, found it twice",
        "'p99':5|'p99':null|BAD_VALUE|values.p99 must be a number",
        "'v':2|'v':2,'histogram':null|BAD_FIELD|histogram must be an object, found VALUE_NULL",
        "'v':2|'v':2,'histogram':{}|BAD_FIELD|histogram.codec must be the class of a codec, found"
            + " n",
        "'v':2|'v':2,'histogram':{'codec':'c'}|BAD_VALUE|histogram.value must be Base64 of at"
            + " least",
        "'v':2|'v':2,'histogram':{'value':'AA=='}|BAD_FIELD|histogram.codec must be the class",
        "'v':2|'v':2,'histogram':{'codec':'','value':'AA=='}|BAD_FIELD|histogram.codec must be the",
        "'v':2|'v':2,'histogram':{'codec':1,'value':'AA=='}|BAD_FIELD|histogram.codec must be a"
            + " string",
        "'v':2|'v':2,'histogram':{'codec':'c','value':''}|BAD_VALUE|histogram.value must be Base64"
            + " of",
        "'v':2|'v':2,'histogram':{'codec':'c','value':null}|BAD_FIELD|histogram.value must be a"
            + " string",
        "'v':2|'v':2,'histogram':{'codec':'c','value':'AA'}|BAD_VALUE|with padding, found AA",
        "'v':2|'v':2,'histogram':{'codec':'c','value':'AB=='}|BAD_VALUE|with padding, found AB==",
        "'v':2|'v':2,'histogram':{'codec':'c','value':'A_-='}|BAD_VALUE|with padding, found A_-=",
        "'v':2|'v':2,'histogram':{'codec':'c','codec':'c','value':'AA=='}|BAD_FIELD|histogram.codec"
            + " must occur once",
        "'v':2|'v':2,'histogram':{'codec':'c','value':'AA==','value':'AA=='}|BAD_FIELD"
            + "|histogram.value must occur once",
        "'v':2|'v':2,'histogram':{'codec':'c','value':'AA=='},'histogram':{}|BAD_FIELD|histogram"
            + " must occur once",
        "'v':2|'v':2,'asOf':1|BAD_FIELD|asOf must be milliseconds",
      })
  void aRollupOfVersion2SaysWhatIsWrong(String from, String to, Reason reason, String message)
      throws BadMessageException {
    String good =
        "{'type':'Rollup','v':2,'metric':'m','tags':{'a':'b'},'timestamp':1,'interval':'1h',"
            + "'values':{'sum':1,'min':2,'max':3,'count':4,'p99':5}}";
    assertThat(one(good)).isInstanceOf(RollupElement.class);
    assertThat(good).contains(from);
    BadMessageException e = bad(good.replace(from, to == null ? "" : to));
    assertThat(e.reason()).isEqualTo(reason);
    assertThat(e).hasMessageContaining(message);
  }

  @Test
  void readsARequest() throws BadMessageException {
    RollupRequestElement request =
        (RollupRequestElement)
            one(
                "{'reason':'late','intervals':['10m','1d'],'metric':'m','tags':{'a':'b'},'v':1,"
                    + "'timestamp':1763510400,'more':[1],'type':'RollupRequest'}");
    assertThat(request.metric()).isEqualTo("m");
    assertThat(request.tags()).isEqualTo(Map.of("a", "b"));
    assertThat(request.timestamp()).isEqualTo(1763510400);
    assertThat(request.intervals()).containsExactly("10m", "1d");
    assertThat(request.reason()).isEqualTo("late");
    assertThat(request.points()).isEqualTo(2);
    // In a message of another type they are unknown fields.
    assertThat(
            one(
                "{'type':'Metric','metric':'m','tags':{'a':'b'},'timestamp':1,'value':1,"
                    + "'intervals':{'x':[1]},'reason':[{}]}"))
        .isInstanceOf(MetricElement.class);
    // The watermark is not for this reader.
    assertThat(bad("{'type':'RollupWatermark','v':1,'interval':'1h','completeTo':1}"))
        .hasMessage(
            "type must be Metric, Aggregate, Rollup, RollupRequest or Histogram, found"
                + " RollupWatermark");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'v':1|'v':2|UNSUPPORTED_VERSION|found 2",
        "'v':1,||UNSUPPORTED_VERSION|found nothing",
        "'metric':'m',||BAD_FIELD|metric must",
        "{'a':'b'}|{}|BAD_FIELD|tags must have",
        "'timestamp':3600,||BAD_TIMESTAMP|found nothing",
        "'timestamp':3600|'timestamp':3601|BAD_TIMESTAMP|start of an hour in seconds",
        "'timestamp':3600|'timestamp':0|BAD_TIMESTAMP|found 0",
        "'timestamp':3600|'timestamp':1763510400000|BAD_TIMESTAMP|found 1763510400000",
        "'timestamp':3600|'timestamp':4294969200|BAD_TIMESTAMP|found 4294969200",
        "'intervals':['1h'],||BAD_FIELD|intervals must name at least one",
        "['1h']|[]|BAD_FIELD|intervals must name at least one",
        "['1h']|'1h'|BAD_FIELD|intervals must be an array of strings",
        "['1h']|null|BAD_FIELD|intervals must be an array of strings",
        "['1h']|{'a':[1]}|BAD_FIELD|intervals must be an array of strings",
        "['1h']|['1h',5]|BAD_FIELD|intervals must be an array of strings",
        "['1h']|[['1h']]|BAD_FIELD|intervals must be an array of strings",
        "['1h']|['1h','']|BAD_FIELD|found an empty name",
        "['1h']|['1h','10m','1h']|BAD_FIELD|intervals must name 1h once",
        "'reason':'late'|'n':1|BAD_FIELD|reason must be a text, found nothing",
        "'reason':'late'|'reason':''|BAD_FIELD|reason must be a text, found nothing",
        "'reason':'late'|'reason':null|BAD_FIELD|reason must be a text, found nothing",
        "'reason':'late'|'reason':{'a':[1]}|BAD_FIELD|reason must be a string",
      })
  void aRequestSaysWhatIsWrong(String from, String to, Reason reason, String message)
      throws BadMessageException {
    String good =
        "{'type':'RollupRequest','v':1,'metric':'m','tags':{'a':'b'},'timestamp':3600,"
            + "'intervals':['1h'],'reason':'late'}";
    assertThat(good).contains(from);
    assertThat(one(good)).isInstanceOf(RollupRequestElement.class);
    BadMessageException e = bad(good.replace(from, to == null ? "" : to));
    assertThat(e.reason()).isEqualTo(reason);
    assertThat(e).hasMessageContaining(message);
  }

  /** A producer's own fields may have names of other types' fields. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "v,id,interval,aggregator,groupByAggregator,values,buckets,underflow,overflow,histogram"
            + "|'type':'Metric','value':1",
        "v,id,values,buckets,underflow,overflow,histogram"
            + "|'type':'Aggregate','value':1,'interval':'1h','aggregator':'SUM'",
        "value,id,aggregator,groupByAggregator,buckets,underflow,overflow,histogram"
            + "|'type':'Rollup','v':1,'interval':'1h','values':{'sum':1}",
        "v,interval,aggregator,groupByAggregator,values"
            + "|'type':'Histogram','buckets':{'0,1':5}",
        "value,id,interval,aggregator,groupByAggregator,values,buckets,underflow,overflow"
            + "|'type':'RollupRequest','v':1,'intervals':['1h'],'reason':'late'",
      })
  void aFieldOfAnotherTypeMayHaveAnyValue(String others, String own) throws BadMessageException {
    String type = own.substring(own.indexOf(':') + 2, own.indexOf(',') - 1);
    String rest = own + ",'metric':'m','tags':{'a':'b'},'timestamp':3600";
    String name = one("{" + rest + "}").getClass().getSimpleName();
    assertThat(name).isEqualTo(type + "Element");
    for (String other : others.split(",", -1)) {
      for (String value :
          List.of(
              "true",
              "[[1]]",
              "{'a':[{}],'sum':'x'}",
              "'3f2a-'",
              "5000000000",
              "[".repeat(501) + "]".repeat(501),
              "7".repeat(2000))) {
        String field = "'" + other + "':" + value;
        // Before the type is known, and after.
        for (String json :
            List.of("{" + field + "," + rest + "}", "{" + rest + "," + field + "}")) {
          assertThat(one("[" + json + "]").getClass().getSimpleName()).as(json).isEqualTo(name);
        }
      }
      String two = "{'" + other + "':[],'metric':5," + own + "}";
      assertThat(bad(two)).as(two).hasMessageContaining("metric must be a string");
    }
  }

  /** The type that counts is the last one. */
  @Test
  void aTypeThatIsNotKnownHasAllFields() throws BadMessageException {
    String json = POINT.replace("'type'", "'id':'x','type'");
    assertThat(one(json)).isInstanceOf(MetricElement.class);
    assertThat(bad(json.replace("Metric", "Other"))).hasMessageContaining("id must be an integer");
    assertThat(bad(json.replace("'type'", "'other'"))).hasMessageContaining("id must be");
    assertThat(bad(json.replace("'value':1", "'value':1,'type':'Histogram'")))
        .hasMessageContaining("id must be an integer");
    assertThat(bad(json.replace("'type'", "'type':5,'type'"))).hasMessageContaining("type must");
    assertThat(bad(json.replace("'value':1", "'value':[],'value':1")))
        .hasMessageContaining("value must be a number");
  }

  @Test
  void anAggregateNeedsAnIntervalOrAGroup() throws BadMessageException {
    String json =
        "{'type':'Aggregate','metric':'m','tags':{'a':'b'},'timestamp':1,'value':7,"
            + "'aggregator':'SUM'}";
    assertThat(bad(json)).hasMessageContaining("interval must");
    assertThat(one(json.replace("'aggregator'", "'groupByAggregator'")))
        .isInstanceOf(AggregateElement.class);
    assertThat(bad(json.replace("'aggregator':'SUM'", "'interval':'1h'")))
        .hasMessageContaining("aggregator must");
  }

  @Test
  void aHistogramNeedsBucketsOrAValueAndItsCodec() throws BadMessageException {
    String json = "{'type':'Histogram','metric':'m','tags':{'a':'b'},'timestamp':1,'id':42}";
    assertThat(bad(json)).hasMessageContaining("buckets must");
    assertThat(bad(json.replace("'id':42", "'id':256,'value':'AA'")))
        .hasMessageContaining("id must be 0 to 255");
    assertThat(bad(json.replace("'id':42", "'buckets':{'0,1':'x'}")))
        .hasMessageContaining("buckets.0,1 must be an integer");
  }

  private static final String POINT =
      "{'type':'Metric','metric':'m','tags':{'a':'b'},'timestamp':1600000000,'value':1}";

  /** A TSD has Jackson 2.9, which takes both; stream-rollup has 2.15, which ends the message. */
  @Test
  void aLongNumberAndADeepValueAreOfTheirElementOnly() throws BadMessageException {
    String digits = "1".repeat(1001);
    String deep = "[".repeat(1001) + "{'a':']'}" + "]".repeat(1001);
    String json =
        String.join(
            ",",
            POINT.replace("'value':1", "'value':" + digits),
            POINT.replace("'value':1", "'value':-0." + digits + "e5"),
            POINT.replace("'type'", "'unknown':" + digits + ",'other':" + deep + ",'type'"),
            POINT.replace("{'a':'b'}", "{'a':" + digits + "}"),
            POINT.replace("'value':1", "'value':" + deep),
            POINT.replace("'b'", "'" + "9".repeat(1001) + "\\\\'"),
            POINT);
    byte[] message = utf8("[" + json + "]");
    byte[] before = message.clone();
    List<Element> elements = reader.read(message);
    assertThat(message).isEqualTo(before);
    assertThat(elements.stream().map(each -> each instanceof BadElement))
        .containsExactly(true, true, false, true, true, false, false);
    assertThat(elements.get(6).to()).isEqualTo(message.length - 1);
    assertThat(((MetricElement) elements.get(5)).tags().get("a")).hasSize(1002);
    assertThat(
            catchThrowableOfType(
                BadMessageException.class, () -> reader.read(utf8("[".repeat(100_000)))))
        .isNotNull();
  }

  /** A TSD has Jackson 2.9, which takes it; stream-rollup has 2.15, which ends the message. */
  @Test
  void aStringBeyondTheBoundIsOfItsElementOnly() throws BadMessageException {
    MessageReader large = new MessageReader(new MessageLimits(64 << 20, 10, 500, 10));
    String name = "n".repeat(JsonBounds.MAX_STRING + 1);
    byte[] message =
        utf8(
            "[" + POINT.replace("'m'", "'" + name + "'") + "," + POINT.replace("'a'", "'x'") + "]");
    List<Element> elements = large.read(message);
    assertThat(elements.stream().map(each -> each instanceof BadElement))
        .containsExactly(true, false);
    assertThat(((MetricElement) elements.get(1)).tags()).isEqualTo(Map.of("x", "b"));
    assertThat(elements.get(1).to()).isEqualTo(message.length - 1);
    // The longest string, and the name of a field.
    byte[] allowed =
        utf8("[{'" + name + "' :1},{'metric':'" + name.substring(1) + "','type':'x'}]");
    assertThat(JsonBounds.apply(allowed, 500)).isSameAs(allowed);
    byte[] open = utf8("['" + name);
    assertThat(JsonBounds.apply(open, 500)).isSameAs(open);
  }

  /** The parser goes on behind the escape, inside of what is a string; a TooDeepException left. */
  @Test
  void aBrokenStringEndsTheMessage() {
    for (String json :
        List.of(
            "{'timestamp':'\\q, 'x':" + "[".repeat(600), "[{'timestamp':'\\q}, " + POINT + "]")) {
      assertThat(
              catchThrowableOfType(BadMessageException.class, () -> reader.read(utf8(json)))
                  .reason())
          .isEqualTo(Reason.MALFORMED);
    }
  }

  /** What is repeated within an element is compared to all before; so its number is bounded. */
  @Test
  void aNumberOfNamesIsBounded() throws BadMessageException {
    StringBuilder values = new StringBuilder("'n0':1");
    StringBuilder intervals = new StringBuilder("'0m'");
    for (int i = 1; i < 116_000; i++) {
      values.append(",'n").append(i).append("':1");
      intervals.append(",'").append(i).append("m'");
    }
    assertThat(
            bad(
                "{'type':'Rollup','v':1,'metric':'m','tags':{'a':'b'},'timestamp':3600,"
                    + "'interval':'1h','values':{"
                    + values
                    + "}}"))
        .hasMessage("values must have at most 64 names, found more");
    assertThat(
            bad(
                "{'type':'RollupRequest','v':1,'metric':'m','tags':{'a':'b'},'timestamp':3600,"
                    + "'reason':'r','intervals':["
                    + intervals
                    + "]}"))
        .hasMessage("intervals must have at most 64 names, found more");
    assertThat(bad(POINT.replace("'value':1", "'value':'" + "1".repeat(1_000_000) + "'")))
        .hasMessage("value must have at most 1100 characters, found 1000000");
    for (String name : List.of("'m'", "'a'", "'b'")) {
      assertThat(bad(POINT.replace(name, "'" + "x".repeat(32_768) + "'")))
          .hasMessage(
              "the metric must have at most 32767 characters, the tags 32766 with 4 more for each,"
                  + " found more");
    }
  }

  /** Else a megabyte of names takes seconds. */
  @Test
  void namesAreNotInterned() throws BadMessageException {
    String name = "aNameThat" + System.nanoTime() + "OnlyThisMessageHas";
    assertThat(((MetricElement) one(POINT.replace("'a'", "'" + name + "'"))).tags())
        .containsKey(name);
    assertThat(name.intern()).isSameAs(name);
  }

  /** A TSD writes their number as 16 bits with a sign, so more would be another histogram. */
  @Test
  void bucketsAreBounded() throws BadMessageException {
    String histogram =
        "{'type':'Histogram','metric':'m','tags':{'a':'b'},'timestamp':1,'buckets':{'0,1':1";
    StringBuilder most = new StringBuilder(histogram);
    for (int i = 1; i < Short.MAX_VALUE; i++) {
      most.append(",'").append(i).append(',').append(i + 1).append("':1");
    }
    assertThat(((HistogramElement) one(most + "}}")).buckets()).hasSize(Short.MAX_VALUE);
    assertThat(bad(most + ",'-1,0':1}}"))
        .hasMessage("buckets must have at most 32767 names, found more");
    assertThat(bad(histogram + ",'1," + "9".repeat(1_000_000) + "':1}}"))
        .hasMessage("the name of a bucket must have at most 1100 characters, found 1000002");
    assertThat(bad(histogram + "},'underflow':{}}")).hasMessageContaining("underflow must be");
  }

  @Test
  void aMessageIsBounded() {
    String many = "[" + "1,".repeat(MessageLimits.DEFAULT.maxElements()) + "1]";
    assertThat(catchThrowableOfType(BadMessageException.class, () -> reader.read(utf8(many))))
        .hasMessage("the array must have at most 100000 elements, found more");
    byte[] large = new byte[MessageLimits.DEFAULT.maxBytes() + 1];
    assertThat(catchThrowableOfType(BadMessageException.class, () -> reader.read(large)))
        .hasMessage("the message must have at most 16777216 bytes, found 16777217");
  }

  @ParameterizedTest
  @ValueSource(ints = {MessageLimits.MIN_DEPTH, MessageLimits.MAX_DEPTH})
  void theBoundsOfAMessageCanBeSet(int depth) throws BadMessageException {
    MessageReader bounded = new MessageReader(new MessageLimits(2_000, 2, depth, 1));
    String deepest = "[".repeat(depth) + "]".repeat(depth);
    assertThat(bounded.read(utf8("[" + POINT + "," + deepest + "]"))).hasSize(2);
    assertThat(bounded.read(utf8("[" + POINT + ",[" + deepest + "]]")))
        .describedAs("what is deeper counts as null")
        .hasSize(2);
    assertThat(tooLarge(bounded, utf8("[1,1,1]")))
        .hasMessage("the array must have at most 2 elements, found more");
    assertThat(tooLarge(bounded, new byte[2_001]))
        .hasMessage("the message must have at most 2000 bytes, found 2001");
  }

  private static BadMessageException tooLarge(MessageReader bounded, byte[] message) {
    BadMessageException problem =
        catchThrowableOfType(BadMessageException.class, () -> bounded.read(message));
    assertThat(problem.reason()).isEqualTo(Reason.TOO_LARGE);
    return problem;
  }

  @Test
  void boundsOfAMessageAreChecked() {
    assertThatThrownBy(() -> new MessageLimits(1_023, 1, 8, 1))
        .hasMessage("the maximum of bytes must be 1024 to 268435456, found 1023");
    assertThatThrownBy(() -> new MessageLimits(1_024, 0, 8, 1))
        .hasMessage("the maximum of elements must be 1 to 1000000, found 0");
    assertThatThrownBy(() -> new MessageLimits(1_024, 1, 901, 1))
        .hasMessage("the maximum of levels must be 8 to 900, found 901");
    assertThatThrownBy(() -> new MessageLimits(1_024, 1, 8, 0))
        .hasMessage("the maximum of problems must be 1 to 1000000, found 0");
  }

  /** A text for each of 100,000 bad elements would take 20 MB. */
  @Test
  void badElementsBeyondANumberHaveOneProblemInCommon() throws BadMessageException {
    List<Element> elements = reader.read(utf8("[1" + ",1".repeat(99_999) + "]"));
    Set<BadMessageException> problems = Collections.newSetFromMap(new IdentityHashMap<>());
    elements.forEach(each -> problems.add(((BadElement) each).problem()));
    assertThat(problems).hasSize(101);
    assertThat(((BadElement) elements.get(99_999)).problem())
        .hasMessage("element 100 must be an object, found VALUE_NUMBER_INT");
    assertThat(elements.get(99_999).from()).isEqualTo(199_999);
    assertThat(elements.get(99_999).to()).isEqualTo(200_000);
  }

  @Test
  void theTextOfAProblemIsBounded() throws BadMessageException {
    assertThat(bad(POINT.replace("Metric", "x".repeat(1_000_000))).getMessage())
        .hasSize(1024)
        .startsWith("type must be Metric, Aggregate, Rollup, RollupRequest or Histogram, found x");
  }

  /** /api/put of 2.4.1 answers the same: its Jackson casts the double. */
  @ParameterizedTest
  @CsvSource({
    "1600000000.5, 1600000000",
    "1.6e9, 1600000000",
    "1600000000.0, 1600000000",
    "1600000000.9999999999, 1600000001",
    "1600000000123.7, 1600000000123",
  })
  void aTimestampIsCutToAnInteger(String found, long timestamp) throws BadMessageException {
    assertThat(((MetricElement) one(POINT.replace("1600000000", found))).timestamp())
        .isEqualTo(timestamp);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'1600000000.5'", "'1.6e9'", "1e30", "0.5", "-1.5", "4294967296000"})
  void otherTimestampsAreBad(String found) throws BadMessageException {
    assertThat(bad(POINT.replace("1600000000", found)).reason()).isEqualTo(Reason.BAD_TIMESTAMP);
  }
}
