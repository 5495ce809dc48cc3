package io.tsdbsuite.query.page;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** An answer to a browser, with headers that allow the page nothing but itself. Immutable. */
public final class PageAnswer {
  private final int status;
  private final String contentType;
  private final byte[] body;

  private PageAnswer(int status, String contentType, byte[] body) {
    this.status = status;
    this.contentType = contentType;
    this.body = body.clone();
  }

  static PageAnswer of(String contentType, byte[] body) {
    return new PageAnswer(200, contentType, body);
  }

  static PageAnswer text(int status, String text) {
    return new PageAnswer(
        status, "text/plain; charset=UTF-8", text.getBytes(StandardCharsets.UTF_8));
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The header Content-Type. */
  public String contentType() {
    return contentType;
  }

  /** The body. */
  public byte[] body() {
    return body.clone();
  }

  /** The other headers, of all answers of the page. */
  public static Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src data:;"
            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Referrer-Policy", "no-referrer");
    // Names of metrics and clients must not stay on disk.
    headers.put("Cache-Control", "no-store");
    return headers;
  }
}
