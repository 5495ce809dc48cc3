package io.tsdbsuite.message.read;

import io.tsdbsuite.message.Origin;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the common form of points in one pass over the bytes, without objects. Reusable; not
 * thread-safe.
 *
 * <pre>
 *   message  point, or [point,...]
 *   point    {"type":"Metric","metric":"m","timestamp":1763510400,"value":1.5,"tags":{"k":"v",...}}
 *            members in any order, each once; "tsdOrigin":"http" or "telnet" may be there, too
 *   names    ASCII without escapes
 *   value    a number of JSON, also in quotes
 * </pre>
 *
 * <p>It has no rule of its own: it takes only what {@link MessageReader} takes, with the same
 * result, and none of what is unusual or wrong, which that class then reads from the beginning.
 *
 * <p>A place is an index of the message. Each method that reads something gets the place of its
 * first byte, and returns the place behind it, or {@link #NONE}.
 */
public final class MetricScanner {
  /** It is not the common form. A place behind all messages, where no byte is. */
  private static final int NONE = Integer.MAX_VALUE / 2;

  /** Bytes of a longer point may be more than {@link ElementFields} takes of names. */
  private static final int MAX_POINT = ElementFields.MAX_TAGS;

  private static final int MAX_TAGS = 16;
  private static final int MAX_VALUE = 64;

  /** Digits of the latest timestamp, in milliseconds. */
  private static final int MAX_TIMESTAMP = 13;

  /** Digits that fit 64 bits whatever they are. */
  private static final int MAX_DIGITS = 18;

  /** Integers up to it, and {@link #POWERS}, are doubles without rounding. */
  private static final long MAX_EXACT = 1L << 53;

  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18
  };

  private static final byte[] TYPE = ascii("\"type\"");
  private static final byte[] METRIC = ascii("\"metric\"");
  private static final byte[] TIMESTAMP = ascii("\"timestamp\"");
  private static final byte[] VALUE = ascii("\"value\"");
  private static final byte[] TAGS = ascii("\"tags\"");
  private static final byte[] ORIGIN = ascii("\"tsdOrigin\"");
  private static final byte[] OF_TYPE = ascii("\"Metric\"");
  private static final byte[] HTTP = ascii("\"http\"");
  private static final byte[] TELNET = ascii("\"telnet\"");

  // Bits of the members.
  private static final int HAS_TYPE = 1;
  private static final int HAS_METRIC = 2;
  private static final int HAS_TIMESTAMP = 4;
  private static final int HAS_VALUE = 8;
  private static final int HAS_TAGS = 16;
  private static final int HAS_ALL = 31;
  private static final int HAS_ORIGIN = 32;

  /** Places of a tag in {@link #places}. */
  private static final int TAG = 4;

  private final MessageLimits limits;
  private byte[] message = {};
  private int points;
  private int next;

  private int from;
  private int to;
  private int has;

  /** Beginning and end of the metric, then of each tag's key and value; tags sorted by key. */
  private final int[] places = new int[2 + TAG * MAX_TAGS];

  private int placesEnd;
  private long timestamp;
  private @Nullable Origin origin;
  private int valueFrom;
  private int valueTo;
  private boolean isNegative;

  /** If the value {@link #isShort}, it is this number, divided by ten {@link #decimals} times. */
  private long mantissa;

  private int decimals;
  private boolean isShort;

  /** What {@link #digits} has read. */
  private long number;

  /** Creates a scanner. */
  public MetricScanner(MessageLimits limits) {
    this.limits = limits;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Begins a message.
   *
   * @param value the record's value; null for a record without a value
   * @return whether all of it has the common form: then {@link #next} moves to each of its points
   */
  public boolean begin(byte @Nullable [] value) {
    points = 0;
    if (value == null || value.length > limits.maxBytes()) {
      return false;
    }
    message = value;
    next = white(0);
    int end = byteAt(next) == '[' ? points(next) : point(next);
    points = white(end) == message.length ? Math.max(points, 1) : 0;
    return points > 0;
  }

  /** Moves to the next point; the first one, to begin with. Returns false behind the last one. */
  public boolean next() {
    if (points == 0) {
      return false;
    }
    points--;
    if (byteAt(next) == '[' || byteAt(next) == ',') {
      next = white(point(white(next + 1)));
    }
    return true;
  }

  /** Reads an array. */
  private int points(int bracket) {
    int at = bracket;
    do {
      at = white(point(white(at + 1)));
    } while (++points < limits.maxElements() && byteAt(at) == ',');
    return byteAt(at) == ']' ? at + 1 : NONE;
  }

  private int point(int brace) {
    if (byteAt(brace) != '{') {
      return NONE;
    }
    from = brace;
    has = 0;
    origin = null;
    int at = brace;
    do {
      at = white(member(white(at + 1)));
    } while (byteAt(at) == ',');
    to = at + 1;
    return byteAt(at) == '}' && (has & HAS_ALL) == HAS_ALL && to - from <= MAX_POINT ? to : NONE;
  }

  private int member(int at) {
    switch (byteAt(at + 1)) {
      case 'm':
        return metric(valueOf(at, METRIC, HAS_METRIC));
      case 'v':
        return value(valueOf(at, VALUE, HAS_VALUE));
      default:
        break;
    }
    switch (byteAt(at + 2)) {
      case 'a':
        return tags(valueOf(at, TAGS, HAS_TAGS));
      case 'i':
        return timestamp(valueOf(at, TIMESTAMP, HAS_TIMESTAMP));
      case 'y':
        return text(valueOf(at, TYPE, HAS_TYPE), OF_TYPE);
      default:
        return origin(valueOf(at, ORIGIN, HAS_ORIGIN));
    }
  }

  /** Returns the place of the value of a member that has this name and was not there before. */
  private int valueOf(int at, byte[] name, int bit) {
    int colon = white(text(at, name));
    if (byteAt(colon) != ':' || (has & bit) != 0) {
      return NONE;
    }
    has |= bit;
    return white(colon + 1);
  }

  private int metric(int at) {
    int end = string(at);
    places[0] = at + 1;
    places[1] = end - 1;
    return places[0] < places[1] ? end : NONE;
  }

  private int timestamp(int at) {
    int end = digits(at, 0);
    timestamp = number;
    boolean isInRange = number / 1000 <= ElementFields.MAX_SECONDS;
    return end - at <= MAX_TIMESTAMP && byteAt(at) != '0' && isInRange ? end : NONE;
  }

  private int origin(int at) {
    boolean isHttp = byteAt(at + 1) == 'h';
    origin = isHttp ? Origin.HTTP : Origin.TELNET;
    return text(at, isHttp ? HTTP : TELNET);
  }

  private int value(int at) {
    boolean isQuoted = byteAt(at) == '"';
    valueFrom = isQuoted ? at + 1 : at;
    valueTo = number(valueFrom);
    if (valueTo - valueFrom > MAX_VALUE || (isQuoted && byteAt(valueTo) != '"')) {
      return NONE;
    }
    return isQuoted ? valueTo + 1 : valueTo;
  }

  private int number(int at) {
    isNegative = byteAt(at) == '-';
    int first = isNegative ? at + 1 : at;
    int end = digits(first, 0);
    if (byteAt(first) == '0' && end > first + 1) {
      return NONE;
    }
    int count = end - first;
    decimals = 0;
    if (byteAt(end) == '.') {
      int fraction = end + 1;
      end = digits(fraction, number);
      decimals = end - fraction;
      count += decimals;
    }
    mantissa = number;
    isShort = count <= MAX_DIGITS && (decimals == 0 || mantissa <= MAX_EXACT);
    if (byteAt(end) == 'e' || byteAt(end) == 'E') {
      isShort = false;
      int sign = byteAt(end + 1);
      end = digits(sign == '-' || sign == '+' ? end + 2 : end + 1, 0);
    }
    return end;
  }

  /** Reads at least one digit, behind those of a number. */
  private int digits(int at, long before) {
    long all = before;
    int end = at;
    for (int c = byteAt(end); c >= '0' && c <= '9'; c = byteAt(end)) {
      all = 10 * all + (c - '0');
      end++;
    }
    number = all;
    return end > at ? end : NONE;
  }

  private int tags(int brace) {
    if (byteAt(brace) != '{') {
      return NONE;
    }
    placesEnd = 2;
    int at = brace;
    do {
      at = white(tag(white(at + 1)));
    } while (byteAt(at) == ',');
    return byteAt(at) == '}' ? at + 1 : NONE;
  }

  private int tag(int key) {
    int keyEnd = string(key);
    int colon = white(keyEnd);
    int value = white(colon + 1);
    int end = string(value);
    if (byteAt(colon) != ':' || end == NONE || placesEnd == places.length) {
      return NONE;
    }
    int place = placesEnd;
    while (place > 2) {
      int order = compare(places[place - TAG], places[place - TAG + 1], key + 1, keyEnd - 1);
      if (order == 0) {
        return NONE;
      }
      if (order < 0) {
        break;
      }
      place -= TAG;
    }
    System.arraycopy(places, place, places, place + TAG, placesEnd - place);
    places[place] = key + 1;
    places[place + 1] = keyEnd - 1;
    places[place + 2] = value + 1;
    places[place + 3] = end - 1;
    placesEnd += TAG;
    return end;
  }

  /** Compares two names as String does. */
  private int compare(int a, int endOfA, int b, int endOfB) {
    int i = a;
    int k = b;
    while (i < endOfA && k < endOfB) {
      int order = message[i++] - message[k++];
      if (order != 0) {
        return order;
      }
    }
    return (endOfA - a) - (endOfB - b);
  }

  private int string(int at) {
    if (byteAt(at) != '"') {
      return NONE;
    }
    byte[] bytes = message;
    int end = at + 1;
    while (end < bytes.length) {
      int c = bytes[end];
      // Most are small letters. Bytes of characters beyond ASCII are negative.
      if (c <= '\\' && (c < ' ' || c == '"' || c == '\\')) {
        return c == '"' ? end + 1 : NONE;
      }
      end++;
    }
    return NONE;
  }

  private int text(int at, byte[] text) {
    if (message.length - text.length < at) {
      return NONE;
    }
    for (int i = 0; i < text.length; i++) {
      if (message[at + i] != text[i]) {
        return NONE;
      }
    }
    return at + text.length;
  }

  private int white(int at) {
    int end = at;
    // Mostly there is none.
    if (byteAt(end) > ' ') {
      return end;
    }
    for (int c = byteAt(end); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = byteAt(end)) {
      end++;
    }
    return end;
  }

  /** The byte at a place; 0, which no rule takes, behind the end. */
  private int byteAt(int place) {
    return place < message.length ? message[place] : 0;
  }

  /** Seconds or milliseconds since the epoch, UTC, as in the message. */
  public long timestamp() {
    return timestamp;
  }

  /**
   * Sets a number to the value.
   *
   * @throws BadMessageException as {@link PointNumber#parse}
   */
  public void value(PointNumber to) throws BadMessageException {
    if (!isShort) {
      to.parse(name(valueFrom, valueTo), origin);
    } else if (decimals == 0) {
      to.set(isNegative ? -mantissa : mantissa);
    } else {
      // Both are exact, so one division rounds once.
      double value = mantissa / POWERS[decimals];
      to.set(isNegative ? -value : value, origin);
    }
  }

  /** Number of names: of the metric, then of key and value of each tag, sorted by key. */
  public int names() {
    return placesEnd / 2;
  }

  /** Index in the message of the first byte of a name, which is ASCII. */
  public int nameFrom(int name) {
    return places[2 * name];
  }

  /** Index of the byte behind a name. */
  public int nameTo(int name) {
    return places[2 * name + 1];
  }

  /** The message of {@link #begin}. */
  public byte[] message() {
    return message;
  }

  private String name(int start, int end) {
    return new String(message, start, end - start, StandardCharsets.US_ASCII);
  }

  /** All points of the message as elements. */
  List<Element> elements() {
    List<Element> elements = new ArrayList<>(points);
    while (next()) {
      elements.add(element(elements.size()));
    }
    return Collections.unmodifiableList(elements);
  }

  private MetricElement element(int index) {
    Map<String, String> tags = new HashMap<>();
    for (int i = 2; i < placesEnd; i += TAG) {
      tags.put(name(places[i], places[i + 1]), name(places[i + 2], places[i + 3]));
    }
    String metric = name(places[0], places[1]);
    String value = name(valueFrom, valueTo);
    return new MetricElement(from, to, index, metric, tags, timestamp, value, origin);
  }
}
