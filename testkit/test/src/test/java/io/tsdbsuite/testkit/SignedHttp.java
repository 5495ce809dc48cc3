package io.tsdbsuite.testkit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * S3 requests with AWS signature version 2, which fits on a page: the kit's own test needs no SDK.
 */
final class SignedHttp {
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI endpoint;
  private final String accessKey;
  private final String secretKey;

  SignedHttp(URI endpoint, String accessKey, String secretKey) {
    this.endpoint = endpoint;
    this.accessKey = accessKey;
    this.secretKey = secretKey;
  }

  HttpResponse<byte[]> get(String path) throws Exception {
    return send("GET", path, HttpRequest.BodyPublishers.noBody());
  }

  HttpResponse<byte[]> delete(String path) throws Exception {
    return send("DELETE", path, HttpRequest.BodyPublishers.noBody());
  }

  HttpResponse<byte[]> put(String path, byte[] body) throws Exception {
    return send("PUT", path, HttpRequest.BodyPublishers.ofByteArray(body));
  }

  private HttpResponse<byte[]> send(String method, String path, HttpRequest.BodyPublisher body)
      throws IOException, InterruptedException, GeneralSecurityException {
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    String toSign = method + "\n\n\n\nx-amz-date:" + date + "\n" + path;
    Mac mac = Mac.getInstance("HmacSHA1");
    mac.init(new SecretKeySpec(secretKey.getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
    String signature =
        Base64.getEncoder().encodeToString(mac.doFinal(toSign.getBytes(StandardCharsets.UTF_8)));
    HttpRequest request =
        HttpRequest.newBuilder(endpoint.resolve(path))
            .header("x-amz-date", date)
            .header("Authorization", "AWS " + accessKey + ":" + signature)
            .method(method, body)
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }
}
