package io.tsdbsuite.bulk.parse;

/** A number of InfluxDB line protocol: its last character determines its type. */
final class InfluxNumber {
  private final NumberText number = new NumberText();
  private double floating;

  /** Reads the value of a field. */
  NumberText.Kind read(byte[] b, int off, int end) {
    byte last = end > off ? b[end - 1] : 0;
    if (last == 'i' || last == 'u') {
      NumberText.Kind kind = number.read(b, off, end - 1);
      boolean whole = kind == NumberText.Kind.INTEGER && (last == 'i' || b[off] != '-');
      return whole || kind == NumberText.Kind.TOO_LARGE ? kind : NumberText.Kind.NOT_A_NUMBER;
    }
    NumberText.Kind kind = number.readFloating(b, off, end);
    floating = number.floating;
    return kind;
  }

  /** Reads an integer without a letter. */
  NumberText.Kind readPlain(byte[] b, int off, int end) {
    return number.read(b, off, end);
  }

  long integer() {
    return number.integer;
  }

  double floating() {
    return floating;
  }
}
