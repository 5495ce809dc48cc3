package io.tsdbsuite.trigger.s3;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A location on S3: a bucket, or an object or prefix in it.
 *
 * @param bucket the bucket
 * @param key key or prefix, without leading or trailing slash; empty for the bucket itself
 */
public record S3Location(String bucket, String key) {
  private static final Pattern FORM =
      Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:/[^/\\s]+)*)/?");

  /**
   * Parses {@code s3://bucket/prefix}.
   *
   * @throws IllegalArgumentException with the broken rule
   */
  public static S3Location parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("must be s3://bucket or s3://bucket/prefix");
    }
    String key = matcher.group(2);
    return new S3Location(matcher.group(1), key.isEmpty() ? "" : key.substring(1));
  }

  /**
   * Parses what {@link #hadoopUri} writes: {@code s3a://bucket/prefix}.
   *
   * @throws IllegalArgumentException with the broken rule
   */
  public static S3Location parseHadoop(String text) {
    String aws = text.startsWith("s3a://") ? "s3" + text.substring("s3a".length()) : "";
    if (!FORM.matcher(aws).matches()) {
      throw new IllegalArgumentException("must be s3a://bucket or s3a://bucket/prefix");
    }
    return parse(aws);
  }

  /** The location {@code path} below this one. */
  public S3Location resolve(String path) {
    return new S3Location(bucket, key.isEmpty() ? path : key + "/" + path);
  }

  /** Whether this is below {@code root}, and not {@code root} itself. */
  public boolean isBelow(S3Location root) {
    return bucket.equals(root.bucket)
        && !key.isEmpty()
        && (root.key.isEmpty() || key.startsWith(root.key + "/"));
  }

  /** The AWS notation: {@code s3://bucket/key}. */
  public String uri() {
    return key.isEmpty() ? "s3://" + bucket : "s3://" + bucket + "/" + key;
  }

  /**
   * The notation for Hadoop's S3A connector, {@code s3a://bucket/key}; clusters differ in their
   * connector for {@code s3://}.
   */
  public String hadoopUri() {
    return "s3a" + uri().substring("s3".length());
  }

  @Override
  public String toString() {
    return uri();
  }
}
