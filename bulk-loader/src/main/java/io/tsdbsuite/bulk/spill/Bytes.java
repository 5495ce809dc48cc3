package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.bulk.row.PackedPoints;
import java.util.Arrays;

/** Bytes that are written one after the other, then read in that order; see {@link RunFormat}. */
final class Bytes {
  byte[] array;

  /** Where the next byte is written. */
  int length;

  /** Where the next byte is read. */
  int at;

  Bytes(int room) {
    array = new byte[room + PackedPoints.PADDING];
  }

  /** Nothing is in it. */
  void clear() {
    length = 0;
    at = 0;
  }

  /** Makes room for more bytes and their padding. */
  void reserve(int more) {
    int needed = length + more + PackedPoints.PADDING;
    if (array.length < needed) {
      array = Arrays.copyOf(array, needed + needed / 4);
    }
  }

  /** Writes an unsigned number; needs up to 9 bytes of room. */
  void number(long value) {
    long rest = value;
    while (rest > 0x7f) {
      array[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    array[length++] = (byte) rest;
  }

  /** Writes bytes; needs room. */
  void bytes(byte[] from, int off, int len) {
    System.arraycopy(from, off, array, length, len);
    length += len;
  }

  /** Writes length and bytes, making room. */
  void sized(byte[] from) {
    reserve(from.length + 9);
    number(from.length);
    bytes(from, 0, from.length);
  }

  /** Whether all was read. */
  boolean done() {
    return at >= length;
  }

  /** Reads an unsigned number. */
  long number() {
    byte first = array[at++];
    if (first >= 0) {
      return first;
    }
    long value = first & 0x7f;
    int shift = 7;
    while (true) {
      byte next = array[at++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
      shift += 7;
    }
  }

  /** Reads an unsigned number that fits an int. */
  int small() {
    return (int) number();
  }

  /** Reads length and bytes. */
  byte[] sized() {
    int len = small();
    byte[] bytes = Arrays.copyOfRange(array, at, at + len);
    at += len;
    return bytes;
  }
}
