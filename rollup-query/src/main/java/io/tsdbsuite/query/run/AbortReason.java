package io.tsdbsuite.query.run;

import java.util.Locale;

/** Why a query was stopped before its answer. */
public enum AbortReason {
  /** The client has closed its connection. */
  CLIENT_GONE(499),

  /** The query took longer than its time limit. */
  TIME(504),

  /** The query read, or would read, more cells than one query may. */
  CELLS(413),

  /** The query held more memory than one query may. */
  MEMORY(413),

  /** Raw data that the answer needs may be gone: below the floor of the metric. */
  RAW_GONE(400),

  /** The coverage is not known, so raw data that the answer needs may be gone. */
  NO_COVERAGE(503),

  /** All running queries together held too much, and this one was the largest. */
  IN_FLIGHT(503),

  /** An Error such as OutOfMemoryError: the rest of the query will never end by itself. */
  ERROR(500);

  private final int status;

  AbortReason(int status) {
    this.status = status;
  }

  /** The HTTP status of the answer. */
  public int status() {
    return status;
  }

  /** The reason as the value of a tag, such as {@code client_gone}. */
  public String tag() {
    return name().toLowerCase(Locale.ROOT);
  }
}
