package io.tsdbsuite.message.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.google.common.base.Utf8;
import io.tsdbsuite.message.FieldNames;
import io.tsdbsuite.message.MessageTypes;
import io.tsdbsuite.message.Origin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses messages: a JSON object, or an array of objects, in UTF-8. Not thread-safe.
 *
 * <p>A message is parsed completely before any element is returned, so a truncated message has no
 * elements.
 */
public final class MessageReader {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final JsonFactory factory = factory();
  private final MessageLimits limits;
  private final MetricScanner scanner;

  /** Creates a reader with the default limits. */
  public MessageReader() {
    this(MessageLimits.DEFAULT);
  }

  /** Creates a reader. */
  public MessageReader(MessageLimits limits) {
    this.limits = limits;
    this.scanner = new MetricScanner(limits);
  }

  /**
   * Names are not interned: that takes microseconds for each one that is new, and most of a
   * megabyte's time. Their table remains, since without it Jackson reads characters and knows no
   * places of bytes; names with one hash, by which it would take quadratic work, end the message.
   */
  @SuppressWarnings("deprecation") // The TSD's Jackson has no builder.
  private static JsonFactory factory() {
    return new JsonFactory().configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false);
  }

  /**
   * Parses a message.
   *
   * @param message the record's value; null for a record without a value
   * @return at least one element, in the message's order, and at most {@link
   *     MessageLimits#maxElements}; an invalid one is a {@link BadElement}. Bad ones beyond {@link
   *     MessageLimits#maxProblems} have the problem of the first of them
   * @throws BadMessageException when the message is empty, too large or not JSON in UTF-8
   */
  public List<Element> read(byte @Nullable [] message) throws BadMessageException {
    return scanner.begin(message) ? scanner.elements() : readAny(message);
  }

  /** Reads a message of any form. */
  List<Element> readAny(byte @Nullable [] message) throws BadMessageException {
    if (message == null || message.length == 0) {
      throw new BadMessageException(Reason.EMPTY, "the message must have a value, found none");
    }
    if (message.length > limits.maxBytes()) {
      throw new BadMessageException(
          Reason.TOO_LARGE,
          "the message must have at most " + limits.maxBytes() + " bytes, found " + message.length);
    }
    requireUtf8(message);
    try {
      if (!JsonBounds.mayHaveLongValue(message)) {
        try {
          return parse(message);
        } catch (TooDeepException e) {
          // Once more, without what is too deep.
        }
      }
      return parse(JsonBounds.apply(message, limits.maxDepth()));
    } catch (TooDeepException e) {
      throw malformed(
          "the message must be JSON of at most " + limits.maxDepth() + " levels, found more");
    } catch (RuntimeException e) {
      // Else one message would stop its partition for ever.
      throw malformed("the message must be JSON, the reader failed with " + e);
    }
  }

  private List<Element> parse(byte[] message) throws BadMessageException {
    int start = startsWithMark(message) ? BYTE_ORDER_MARK.length : 0;
    try (JsonParser parser = factory.createParser(message, start, message.length - start)) {
      List<Element> elements = elements(parser, start, parser.nextToken());
      JsonToken after = parser.nextToken();
      if (after != null) {
        throw malformed("the message must be one JSON value, found more after it");
      }
      return elements;
    } catch (JsonProcessingException e) {
      throw malformed("the message must be JSON, found " + e.getOriginalMessage());
    } catch (IOException e) {
      // The bytes are in memory, so the cause is their encoding.
      throw malformed("the message must be JSON in UTF-8, found " + e.getMessage());
    }
  }

  /**
   * Jackson accepts overlong forms, with which one name has two encodings, and detects UTF-16 and
   * UTF-32 by zero bytes, which JSON in UTF-8 does not contain.
   */
  private static void requireUtf8(byte[] message) throws BadMessageException {
    if (!Utf8.isWellFormed(message)) {
      throw malformed("the message must be JSON in UTF-8, found bytes that are not UTF-8");
    }
    for (int i = 0; i < 4 && i < message.length; i++) {
      if (message[i] == 0) {
        throw malformed("the message must be JSON in UTF-8, found a zero byte");
      }
    }
  }

  private static boolean startsWithMark(byte[] message) {
    return message.length >= BYTE_ORDER_MARK.length
        && message[0] == BYTE_ORDER_MARK[0]
        && message[1] == BYTE_ORDER_MARK[1]
        && message[2] == BYTE_ORDER_MARK[2];
  }

  /** Parses all elements; {@code start} is the index of the parser's first byte. */
  private List<Element> elements(JsonParser parser, int start, JsonToken first)
      throws IOException, BadMessageException {
    List<Element> elements = new ArrayList<>();
    if (first == JsonToken.START_OBJECT) {
      add(element(parser, start, 0), 0, elements);
      return Collections.unmodifiableList(elements);
    }
    if (first != JsonToken.START_ARRAY) {
      throw malformed("the message must be a JSON object or array, found " + first);
    }
    int index = 0;
    int count = 0;
    int bad = 0;
    BadMessageException oneOfMore = null;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      Element element =
          token == JsonToken.START_OBJECT
              ? element(parser, start, index)
              : notAnObject(parser, start, token, index);
      index++;
      if (element instanceof BadElement && ++bad > limits.maxProblems()) {
        oneOfMore = oneOfMore == null ? ((BadElement) element).problem() : oneOfMore;
        element = new BadElement((BadElement) element, oneOfMore);
      }
      count = add(element, count, elements);
    }
    if (elements.isEmpty()) {
      throw new BadMessageException(Reason.EMPTY, "the array must have elements, found none");
    }
    return Collections.unmodifiableList(elements);
  }

  /**
   * Adds an element, or the rollups of an object of version 3. A bad element has the memory of the
   * rollups that are lost with it.
   *
   * @param before for how many elements those before it count
   * @return {@code before} and the number for which it counts
   */
  private int add(Element element, int before, List<Element> to) throws BadMessageException {
    boolean isMany = element instanceof RollupArrays.Rollups;
    List<RollupElement> rollups =
        isMany
            ? ((RollupArrays.Rollups) element).all
            : element instanceof BadElement
                ? ((BadElement) element).rollups()
                : Collections.emptyList();
    int count = before + Math.max(1, rollups.size());
    if (count > limits.maxElements()) {
      throw new BadMessageException(
          Reason.TOO_LARGE,
          "the array must have at most " + limits.maxElements() + " elements, found more");
    }
    if (isMany) {
      to.addAll(rollups);
    } else {
      to.add(element);
    }
    return count;
  }

  private static BadMessageException malformed(String message) {
    return new BadMessageException(Reason.MALFORMED, message);
  }

  /** A number, string or array in place of an object becomes a bad element. */
  private Element notAnObject(JsonParser parser, int start, JsonToken token, int index)
      throws IOException {
    ElementFields fields = new ElementFields();
    fields.index = index;
    fields.from = start + (int) parser.getTokenLocation().getByteOffset();
    if (token.isScalarValue()) {
      // Jackson parses a string only on demand; this moves the parser to its end.
      parser.getTextLength();
    } else {
      skip(parser);
    }
    fields.to = start + (int) parser.getCurrentLocation().getByteOffset();
    return new BadElement(
        fields, malformed("element " + index + " must be an object, found " + token));
  }

  private Element element(JsonParser parser, int start, int index) throws IOException {
    ElementFields fields = new ElementFields();
    fields.index = index;
    fields.from = start + (int) parser.getTokenLocation().getByteOffset();
    // The first problem of each field, by name; null for none.
    Map<String, BadMessageException> problems = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.getCurrentName();
      JsonToken token = parser.nextToken();
      try {
        field(parser, name, token, fields);
      } catch (BadMessageException e) {
        problems = problems == null ? new LinkedHashMap<>() : problems;
        problems.putIfAbsent(name, e);
        skip(parser);
      }
    }
    fields.to = start + (int) parser.getCurrentLocation().getByteOffset();
    if (problems != null) {
      for (Map.Entry<String, BadMessageException> each : problems.entrySet()) {
        if (fields.isOfType(each.getKey())) {
          return new BadElement(fields, each.getValue());
        }
      }
    }
    try {
      return fields.element();
    } catch (BadMessageException e) {
      return new BadElement(fields, e);
    }
  }

  private void field(JsonParser parser, String name, JsonToken token, ElementFields fields)
      throws IOException, BadMessageException {
    switch (name) {
      case FieldNames.TYPE:
        fields.type = text(parser, name, token);
        break;
      case FieldNames.VERSION:
        fields.version = integer(parser, name, token);
        break;
      case FieldNames.METRIC:
        fields.metric = text(parser, name, token);
        break;
      case FieldNames.TIMESTAMP:
        fields.timestamp = timestamp(parser, name, token);
        fields.hasTimestamp = true;
        break;
      case FieldNames.TAGS:
        fields.tags = tags(parser, token);
        break;
      case FieldNames.VALUE:
        fields.value = scalar(parser, name, token);
        break;
      case FieldNames.INTERVAL:
        fields.interval = text(parser, name, token);
        break;
      case FieldNames.AGGREGATOR:
        fields.aggregator = text(parser, name, token);
        break;
      case FieldNames.GROUP_BY_AGGREGATOR:
        fields.groupByAggregator = text(parser, name, token);
        break;
      case FieldNames.TSD_ORIGIN:
        fields.origin = origin(parser, token);
        break;
      case FieldNames.AS_OF:
        asOf(parser, token, fields);
        break;
      case FieldNames.VALUES:
        values(parser, token, fields);
        break;
      case FieldNames.AT:
      case FieldNames.GONE:
        fields.arrays().times(name, numbers(parser, name, token, fields.arrays()));
        break;
      case FieldNames.HISTOGRAM:
        histogram(parser, token, fields);
        break;
      case FieldNames.INTERVALS:
        intervals(parser, token, fields);
        break;
      case FieldNames.REASON:
        reason(parser, name, token, fields);
        break;
      case FieldNames.CODEC_ID:
        fields.id = integer(parser, name, token);
        break;
      case FieldNames.BUCKETS:
        fields.buckets = buckets(parser, token);
        break;
      case FieldNames.UNDERFLOW:
        fields.underflow = longNumber(parser, name, token, Reason.BAD_FIELD);
        break;
      case FieldNames.OVERFLOW:
        fields.overflow = longNumber(parser, name, token, Reason.BAD_FIELD);
        break;
      default:
        skip(parser);
    }
  }

  /**
   * Moves behind an object or array.
   *
   * @throws TooDeepException beyond the depth that {@link JsonBounds#apply} leaves
   */
  private void skip(JsonParser parser) throws IOException {
    int depth = 0;
    JsonToken token = parser.currentToken();
    while (token != null) {
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (depth > limits.maxDepth()) {
        throw new TooDeepException();
      }
      if (depth <= 0) {
        return;
      }
      token = parser.nextToken();
    }
  }

  private static final class TooDeepException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooDeepException() {
      super(null, null, false, false);
    }
  }

  /** A string, or null for null. */
  private static @Nullable String text(JsonParser parser, String name, JsonToken token)
      throws IOException, BadMessageException {
    if (token == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    throw wrong(Reason.BAD_FIELD, name, "a string", token);
  }

  /** The text of a number or a string; producers use both for values. */
  private static @Nullable String scalar(JsonParser parser, String name, JsonToken token)
      throws IOException, BadMessageException {
    if (token == JsonToken.VALUE_STRING
        || token == JsonToken.VALUE_NUMBER_INT
        || token == JsonToken.VALUE_NUMBER_FLOAT) {
      return parser.getText();
    }
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    throw wrong(Reason.BAD_VALUE, name, "a number", token);
  }

  /** Written by our TSD plugins; any other value counts as an unknown field. */
  private @Nullable Origin origin(JsonParser parser, JsonToken token) throws IOException {
    if (token == JsonToken.VALUE_STRING) {
      return Origin.of(parser.getText());
    }
    skip(parser);
    return null;
  }

  private static int integer(JsonParser parser, String name, JsonToken token)
      throws IOException, BadMessageException {
    long number = longNumber(parser, name, token, Reason.BAD_FIELD);
    if (number != (int) number) {
      throw new BadMessageException(Reason.BAD_FIELD, name + " must fit 32 bits, found " + number);
    }
    return (int) number;
  }

  /** As /api/put reads it: a number with a fraction or an exponent is cut to an integer. */
  private static long timestamp(JsonParser parser, String name, JsonToken token)
      throws IOException, BadMessageException {
    if (token == JsonToken.VALUE_NUMBER_FLOAT) {
      double number = Double.parseDouble(parser.getText());
      if (Math.abs(number) < Long.MAX_VALUE) {
        return (long) number;
      }
    }
    return longNumber(parser, name, token, Reason.BAD_TIMESTAMP);
  }

  private static long longNumber(JsonParser parser, String name, JsonToken token, Reason reason)
      throws IOException, BadMessageException {
    // Outside of the try: a string that is no JSON is not a wrong number, but the message's end.
    String text = token == JsonToken.VALUE_STRING ? parser.getText() : "";
    try {
      if (token == JsonToken.VALUE_NUMBER_INT) {
        return parser.getLongValue();
      }
      if (token == JsonToken.VALUE_STRING) {
        return Long.parseLong(text);
      }
    } catch (NumberFormatException | JsonProcessingException e) {
      // Reported below, like a value that is not a number.
    }
    throw new BadMessageException(reason, name + " must be an integer, found " + parser.getText());
  }

  private Map<String, String> tags(JsonParser parser, JsonToken token)
      throws IOException, BadMessageException {
    if (token != JsonToken.START_OBJECT) {
      throw wrong(Reason.BAD_FIELD, "tags", "an object", token);
    }
    Map<String, String> tags = new HashMap<>();
    BadMessageException problem = null;
    int length = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.getCurrentName();
      JsonToken value = parser.nextToken();
      if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
        length += key.length() + parser.getTextLength() + ElementFields.LENGTHS;
        if (length <= ElementFields.MAX_TAGS) {
          tags.put(key, parser.getText());
        } else {
          problem = ElementFields.namesTooLong();
        }
      } else {
        problem = wrong(Reason.BAD_FIELD, "tags." + key, "a string", value);
        skip(parser);
      }
    }
    if (problem != null) {
      throw problem;
    }
    return tags;
  }

  /** Checked later with the type: in other types it is an unknown field with any value. */
  private void asOf(JsonParser parser, JsonToken token, ElementFields fields) throws IOException {
    fields.hasAsOf = true;
    try {
      fields.asOf = longNumber(parser, "asOf", token, Reason.BAD_FIELD);
    } catch (BadMessageException e) {
      fields.asOfProblem = e;
      skip(parser);
    }
  }

  /** Checked later with the type: in other types it is an unknown field with any value. */
  private void intervals(JsonParser parser, JsonToken token, ElementFields fields)
      throws IOException {
    if (token != JsonToken.START_ARRAY) {
      fields.requestProblem =
          wrong(Reason.BAD_FIELD, FieldNames.INTERVALS, "an array of strings", token);
      skip(parser);
      return;
    }
    List<String> intervals = new ArrayList<>(4);
    for (JsonToken each = parser.nextToken();
        each != JsonToken.END_ARRAY;
        each = parser.nextToken()) {
      if (each == JsonToken.VALUE_STRING && intervals.size() == ElementFields.MAX_NAMED) {
        fields.requestProblem =
            new BadMessageException(
                Reason.BAD_FIELD,
                "intervals must have at most " + ElementFields.MAX_NAMED + " names, found more");
      } else if (each == JsonToken.VALUE_STRING) {
        intervals.add(parser.getText());
      } else {
        fields.requestProblem =
            wrong(Reason.BAD_FIELD, FieldNames.INTERVALS, "an array of strings", each);
        skip(parser);
      }
    }
    fields.intervals = intervals;
  }

  /** Checked later with the type: in other types it is an unknown field with any value. */
  private void histogram(JsonParser parser, JsonToken token, ElementFields fields)
      throws IOException {
    try {
      fields.beginHistogram();
      if (token != JsonToken.START_OBJECT) {
        throw wrong(Reason.BAD_FIELD, FieldNames.HISTOGRAM, "an object", token);
      }
    } catch (BadMessageException e) {
      fields.histogramProblem = e;
      skip(parser);
      return;
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.getCurrentName();
      JsonToken value = parser.nextToken();
      if (!name.equals(FieldNames.CODEC) && !name.equals(FieldNames.VALUE)) {
        skip(parser);
        continue;
      }
      try {
        if (value != JsonToken.VALUE_STRING) {
          throw wrong(Reason.BAD_FIELD, FieldNames.HISTOGRAM + "." + name, "a string", value);
        }
        ElementFields.checkHistogramText(name, parser.getTextLength());
        fields.histogram(name, parser.getText());
      } catch (BadMessageException e) {
        fields.histogramProblem = e;
        skip(parser);
      }
    }
  }

  /** Checked later with the type: in other types it is an unknown field with any value. */
  private void reason(JsonParser parser, String name, JsonToken token, ElementFields fields)
      throws IOException {
    try {
      fields.reason = text(parser, name, token);
    } catch (BadMessageException e) {
      fields.requestProblem = e;
      skip(parser);
    }
  }

  private void values(JsonParser parser, JsonToken token, ElementFields fields)
      throws IOException, BadMessageException {
    if (token != JsonToken.START_OBJECT) {
      throw wrong(Reason.BAD_FIELD, "values", "an object", token);
    }
    fields.hasValues = true;
    BadMessageException problem = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String aggregator = parser.getCurrentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.VALUE_NUMBER_FLOAT || value == JsonToken.VALUE_NUMBER_INT) {
        try {
          fields.value(aggregator, parser.getText());
        } catch (BadMessageException e) {
          problem = e;
        }
      } else if (value == JsonToken.START_ARRAY) {
        String name = "values." + aggregator;
        fields.arrays().values(aggregator, numbers(parser, name, value, fields.arrays()));
      } else {
        problem = wrong(Reason.BAD_VALUE, "values." + aggregator, "a number", value);
        skip(parser);
      }
    }
    if (problem != null) {
      throw problem;
    }
  }

  /** The texts of an array of numbers, of version 3: its problems are checked later. */
  private List<String> numbers(JsonParser parser, String name, JsonToken token, RollupArrays arrays)
      throws IOException {
    List<String> numbers = new ArrayList<>();
    if (token != JsonToken.START_ARRAY) {
      arrays.problem(name, wrong(Reason.BAD_FIELD, name, "an array of numbers", token));
      skip(parser);
      return numbers;
    }
    boolean isBad = false;
    for (JsonToken each = parser.nextToken();
        each != JsonToken.END_ARRAY;
        each = parser.nextToken()) {
      if (isBad) {
        skip(parser);
      } else if (each != JsonToken.VALUE_NUMBER_FLOAT && each != JsonToken.VALUE_NUMBER_INT) {
        isBad = true;
        arrays.problem(name, wrong(Reason.BAD_VALUE, name, "an array of numbers", each));
        skip(parser);
      } else if (numbers.size() == MessageTypes.MAX_SLOTS) {
        isBad = true;
        arrays.problem(
            name,
            new BadMessageException(
                Reason.BAD_FIELD,
                name + " must have at most " + MessageTypes.MAX_SLOTS + " numbers, found more"));
      } else {
        numbers.add(parser.getText());
      }
    }
    return numbers;
  }

  private Map<String, Long> buckets(JsonParser parser, JsonToken token)
      throws IOException, BadMessageException {
    if (token == JsonToken.VALUE_NULL) {
      return new HashMap<>();
    }
    if (token != JsonToken.START_OBJECT) {
      throw wrong(Reason.BAD_FIELD, "buckets", "an object", token);
    }
    Map<String, Long> buckets = new HashMap<>();
    BadMessageException problem = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String bounds = parser.getCurrentName();
      JsonToken count = parser.nextToken();
      try {
        ElementFields.checkBucket(buckets.size(), bounds);
        buckets.put(bounds, longNumber(parser, "buckets." + bounds, count, Reason.BAD_FIELD));
      } catch (BadMessageException e) {
        problem = e;
        skip(parser);
      }
    }
    if (problem != null) {
      throw problem;
    }
    return buckets;
  }

  private static BadMessageException wrong(
      Reason reason, String name, String rule, JsonToken found) {
    return new BadMessageException(reason, name + " must be " + rule + ", found " + found);
  }
}
