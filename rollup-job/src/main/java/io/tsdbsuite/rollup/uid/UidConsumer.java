package io.tsdbsuite.rollup.uid;

/** Receives UIDs with their names. */
@FunctionalInterface
public interface UidConsumer {
  /**
   * Receives one UID.
   *
   * @param uid the unsigned value
   * @param name array that contains the name in ISO-8859-1; read-only
   * @param offset start of the name
   * @param length bytes of the name
   */
  void accept(long uid, byte[] name, int offset, int length);
}
