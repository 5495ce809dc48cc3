package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Checks that HBase's classes are from the jar of this job. The job reads HFiles by package-private
 * code of HBase, which minor versions change: another HBase earlier on the class path could
 * silently read wrong data.
 */
public final class HBaseVersion {
  private static final Pattern MINOR = Pattern.compile("(\\d+\\.\\d+)(\\D.*)?");

  private HBaseVersion() {}

  /**
   * Compares the version on the class path of this JVM with the version that the job is built for.
   *
   * @throws StorageException configuration, when major or minor differ
   */
  public static void require() {
    String problem = problem(VersionInfo.getVersion(), Built.VERSION, place());
    if (problem != null) {
      throw StorageException.configuration(problem);
    }
  }

  /** The difference; null when there is none. */
  static @Nullable String problem(String found, String built, String place) {
    return minor(found).equals(minor(built))
        ? null
        : ("HBase on the class path must be %s, as this job is built for %s, found %s in"
                + " %s: take HBase's own jars off Spark's class path (spark.driver.extraClassPath,"
                + " spark.executor.extraClassPath, Spark's jars directory)")
            .formatted(minor(built), built, found, place);
  }

  private static String minor(String version) {
    Matcher matcher = MINOR.matcher(version);
    return matcher.matches() ? matcher.group(1) : version;
  }

  private static String place() {
    var source = VersionInfo.class.getProtectionDomain().getCodeSource();
    return source == null ? "an unknown place" : String.valueOf(source.getLocation());
  }

  private static final class Built {
    private static final String VERSION = read();

    private static String read() {
      Properties properties = new Properties();
      try (InputStream in = HBaseVersion.class.getResourceAsStream("built-for.properties")) {
        properties.load(in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return properties.getProperty("hbase.version");
    }
  }
}
