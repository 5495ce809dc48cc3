package io.tsdbsuite.job.spark;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the Spark of this JVM is of the major version that the jar is built for, and on the
 * same Scala: methods of others have other signatures, which the JVM finds out in the middle of a
 * run only.
 */
public final class SparkVersion {
  private static final Pattern MAJOR = Pattern.compile("(\\d+)(\\D.*)?");
  private static final Pattern MINOR = Pattern.compile("(\\d+\\.\\d+)(\\D.*)?");

  private SparkVersion() {}

  /**
   * Compares the versions on the class path with those of the build.
   *
   * @throws JobException usage, when Spark's major version or Scala's major and minor differ
   */
  public static void require() {
    Properties built = built();
    String problem =
        problem(
            org.apache.spark.package$.MODULE$.SPARK_VERSION(),
            scala.util.Properties.versionNumberString(),
            built.getProperty("spark.version"),
            built.getProperty("scala.binary.version"));
    if (problem != null) {
      throw JobException.usage(problem);
    }
  }

  /** The difference; null when there is none. */
  static @Nullable String problem(
      String foundSpark, String foundScala, String builtSpark, String builtScala) {
    boolean same =
        part(MAJOR, foundSpark).equals(part(MAJOR, builtSpark))
            && part(MINOR, foundScala).equals(part(MINOR, builtScala));
    return same
        ? null
        : ("the jar is built for Spark %s on Scala %s, found Spark %s on Scala %s: take"
                + " spark-submit of such a Spark, or build the jar for this one (docs/install.md,"
                + " Spark 4)")
            .formatted(part(MAJOR, builtSpark), builtScala, foundSpark, foundScala);
  }

  private static String part(Pattern pattern, String version) {
    Matcher matcher = pattern.matcher(version);
    return matcher.matches() ? matcher.group(1) : version;
  }

  private static Properties built() {
    Properties properties = new Properties();
    try (InputStream in = SparkVersion.class.getResourceAsStream("built-for.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }
}
