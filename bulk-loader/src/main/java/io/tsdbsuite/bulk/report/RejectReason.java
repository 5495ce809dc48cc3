package io.tsdbsuite.bulk.report;

/** Reason why a line or point was rejected. */
public enum RejectReason implements Keyed {
  /** The line does not have the parts that its format requires. */
  MALFORMED_LINE("malformedLine"),
  /** The time is no positive whole number of seconds or milliseconds, or lies beyond 2^32 s. */
  BAD_TIMESTAMP("badTimestamp"),
  /** The value is no integer of 64 bits and no finite floating point number. */
  BAD_VALUE("badValue"),
  /** A metric, tag key or tag value that a TSD would refuse, or that ISO-8859-1 cannot hold. */
  ILLEGAL_NAME("illegalName"),
  /** A name that another name of the source has become, too, without {@code --merge-names}. */
  NAME_COLLISION("nameCollision"),
  /** No tag, more tags than {@code tsd.storage.max_tags}, or a tag key twice. */
  BAD_TAGS("badTags"),
  /** A name without a UID, with {@code --no-create}. */
  UNKNOWN_NAME("unknownName"),
  /** A name whose UID has another name, or none, in the UID table. */
  FOREIGN_UID("foreignUid"),
  /** In an hour that TSDs may still write, without {@code --allow-active-hours}. */
  ACTIVE_HOUR("activeHour"),
  /** The metric, tag key or tag value UIDs of this width are used up. */
  UIDS_EXHAUSTED("uidsExhausted");

  private final String key;

  RejectReason(String key) {
    this.key = key;
  }

  @Override
  public String key() {
    return key;
  }
}
