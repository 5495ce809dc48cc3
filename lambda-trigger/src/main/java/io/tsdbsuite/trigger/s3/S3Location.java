package io.tsdbsuite.trigger.s3;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place on S3.
 *
 * @param bucket the bucket
 * @param key key or prefix, without a slash at its ends; empty for the bucket itself
 */
public record S3Location(String bucket, String key) {
  private static final Pattern FORM =
      Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:/[^/\\s]+)*)/?");

  /**
   * Parses {@code s3://bucket/prefix}.
   *
   * @throws IllegalArgumentException with the rule that the text breaks
   */
  public static S3Location parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("must be s3://bucket or s3://bucket/prefix");
    }
    String key = matcher.group(2);
    return new S3Location(matcher.group(1), key.isEmpty() ? "" : key.substring(1));
  }

  /** The place {@code path} below this one. */
  public S3Location resolve(String path) {
    return new S3Location(bucket, key.isEmpty() ? path : key + "/" + path);
  }

  /** Whether this is in the tree of {@code root}, and not its root itself. */
  public boolean isBelow(S3Location root) {
    return bucket.equals(root.bucket)
        && !key.isEmpty()
        && (root.key.isEmpty() || key.startsWith(root.key + "/"));
  }

  /** As AWS writes it: {@code s3://bucket/key}. */
  public String uri() {
    return key.isEmpty() ? "s3://" + bucket : "s3://" + bucket + "/" + key;
  }

  /** For Hadoop, whose connector is S3A whatever a cluster takes {@code s3://} for. */
  public String hadoopUri() {
    return "s3a" + uri().substring("s3".length());
  }

  @Override
  public String toString() {
    return uri();
  }
}
