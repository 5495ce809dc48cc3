package io.tsdbsuite.ingest.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** A status and a JSON object. */
public final class Answer {
  private final int status;
  private final Map<String, Object> body;

  private Answer(int status, Map<String, Object> body) {
    this.status = status;
    this.body = body;
  }

  static Answer of(int status, Map<String, Object> body) {
    return new Answer(status, body);
  }

  /** What went wrong. */
  public static Answer error(int status, String message) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error", message);
    return new Answer(status, body);
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The fields of the object. */
  public Map<String, Object> body() {
    return body;
  }
}
