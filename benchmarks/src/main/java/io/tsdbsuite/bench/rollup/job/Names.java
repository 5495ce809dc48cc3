package io.tsdbsuite.bench.rollup.job;

import io.tsdbsuite.format.uid.UidKind;
import java.nio.charset.StandardCharsets;

/** Names by UID: metrics and tag values have 30 bytes, tag keys are short. */
public final class Names {
  /** Tag keys that have names. */
  public static final int TAGKS = 2;

  private static final byte[] METRIC = latin1("app.http.0000000.response_time");
  private static final byte[] TAGV = latin1("w0000000.eu-west-1.example.com");
  private static final byte[][] TAGK = {latin1("dc"), latin1("host")};
  private static final int DIGITS = 7;

  private Names() {}

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * The name of a UID.
   *
   * @param number the UID, from 1
   */
  public static byte[] of(UidKind kind, int number) {
    return switch (kind) {
      case METRIC -> numbered(METRIC, "app.http.".length(), number);
      case TAGK -> TAGK[number - 1].clone();
      case TAGV -> numbered(TAGV, 1, number);
    };
  }

  private static byte[] numbered(byte[] like, int offset, int number) {
    byte[] name = like.clone();
    int rest = number;
    for (int i = offset + DIGITS - 1; i >= offset; i--) {
      name[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return name;
  }
}
