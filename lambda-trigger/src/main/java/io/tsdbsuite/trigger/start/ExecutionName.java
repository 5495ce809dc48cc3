package io.tsdbsuite.trigger.start;

import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * The unique name of the execution that a night starts: {@code rollup-2026-11-21-0123456789abcdef},
 * the date and the first 8 bytes of SHA-256 over root, date and the ETags of both snapshots' files.
 * The same export has the same name, so that it starts once; a repeated export has another name.
 * Step Functions reserves a name for 90 days after the execution's end, so the date alone would
 * block a repeated export.
 */
public final class ExecutionName {
  private static final int BYTES = 8;

  private ExecutionName() {}

  /** A name of at most 80 characters, the limit of Step Functions. */
  public static String of(S3Location root, WholeNight night) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    String date = night.night().date().toString();
    Stream.concat(
            Stream.of(root.uri(), date),
            Stream.concat(night.data().etags().stream(), night.uid().etags().stream()))
        .forEach(part -> digest.update((part + "\n").getBytes(StandardCharsets.UTF_8)));
    return "rollup-" + date + "-" + HexFormat.of().formatHex(digest.digest(), 0, BYTES);
  }
}
