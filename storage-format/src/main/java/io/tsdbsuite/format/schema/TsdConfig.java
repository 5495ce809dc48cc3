package io.tsdbsuite.format.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The keys and values of an {@code opentsdb.conf}, parsed by the TSD's rules: a Java properties
 * file in ISO-8859-1, without defaults. Immutable.
 */
public final class TsdConfig implements Serializable {
  private static final long serialVersionUID = 1L;

  private final HashMap<String, String> values;

  private TsdConfig(Map<String, String> values) {
    this.values = new HashMap<>(values);
  }

  /**
   * Reads a file.
   *
   * @throws IOException when the file cannot be read or holds a malformed {@code \}{@code uXXXX}
   *     escape
   */
  public static TsdConfig load(Path file) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": not a properties file: " + e.getMessage(), e);
    }
    return of(properties);
  }

  /**
   * Parses the content of such a file.
   *
   * @throws IllegalArgumentException when the text holds a malformed unicode escape
   */
  public static TsdConfig parse(String text) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException e) {
      throw new IllegalStateException("a string cannot fail to be read", e);
    }
    return of(properties);
  }

  private static TsdConfig of(Properties properties) {
    Map<String, String> values = new HashMap<>();
    for (String key : properties.stringPropertyNames()) {
      values.put(key, properties.getProperty(key));
    }
    return new TsdConfig(values);
  }

  /** The value as written, including trailing white space; null if the key is absent. */
  public @Nullable String get(String key) {
    return values.get(key);
  }

  /** The keys present, sorted; unmodifiable. */
  public Set<String> keys() {
    return Collections.unmodifiableSet(new TreeSet<>(values.keySet()));
  }

  /** A copy in which {@code key} has this value. */
  public TsdConfig with(String key, String value) {
    Map<String, String> copy = new HashMap<>(values);
    copy.put(key, value);
    return new TsdConfig(copy);
  }

  /**
   * Whether the TSD reads this value as true: {@code 1}, {@code true} or {@code yes}, in any case,
   * blanks around it ignored. Everything else is false to the TSD.
   */
  public static boolean isTrue(String value) {
    String v = value.trim().toUpperCase(Locale.ROOT);
    return v.equals("1") || v.equals("TRUE") || v.equals("YES");
  }
}
