package io.tsdbsuite.format;

import java.util.HexFormat;

/** Bytes as hexadecimal text, blanks and bars ignored. */
public final class Hex {
  private Hex() {}

  public static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replaceAll("[ |]", ""));
  }

  public static String of(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
