package io.tsdbsuite.ingest.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** An HTTP status and a JSON object. */
public final class Response {
  /** The HTTP status. */
  public final int status;

  /** The fields of the object. */
  public final Map<String, Object> body;

  private Response(int status, Map<String, Object> body) {
    this.status = status;
    this.body = body;
  }

  static Response of(int status, Map<String, Object> body) {
    return new Response(status, body);
  }

  /** A response with an error message. */
  public static Response error(int status, String message) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error", message);
    return new Response(status, body);
  }
}
