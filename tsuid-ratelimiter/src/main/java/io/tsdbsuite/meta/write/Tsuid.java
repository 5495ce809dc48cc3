package io.tsdbsuite.meta.write;

import java.util.Arrays;

/** A TSUID as a key, and as text. */
final class Tsuid {
  private final byte[] bytes;
  private final int hash;

  /** The bytes are not copied. */
  Tsuid(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  byte[] bytes() {
    return bytes;
  }

  /** Upper-case hex as in OpenTSDB, without javax.xml.bind. */
  static String hex(byte[] tsuid) {
    StringBuilder text = new StringBuilder(2 * tsuid.length);
    for (byte each : tsuid) {
      text.append(Character.toUpperCase(Character.forDigit(each >> 4 & 15, 16)));
      text.append(Character.toUpperCase(Character.forDigit(each & 15, 16)));
    }
    return text.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tsuid && Arrays.equals(bytes, ((Tsuid) other).bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
