package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** What a client of a throttled S3 sees. */
class S3ThrottleIT {
  private static final long SEED = 20261119;
  private static final int REQUESTS = 200;

  @Test
  void refusesAShareAndPassesTheRest() throws Exception {
    byte[] body = "a body".getBytes(StandardCharsets.UTF_8);
    try (S3Server s3 = S3Server.start(WorkDirs.fresh("S3ThrottleIT"));
        S3Throttle throttle = S3Throttle.start(s3, SEED)) {
      s3.createBucket("bucket");
      SignedHttp http = new SignedHttp(throttle.endpoint(), s3.accessKey(), s3.secretKey());
      assertThat(http.put("/bucket/key", body).statusCode()).isEqualTo(200);
      assertThat(Files.readAllBytes(s3.directory("bucket").resolve("key"))).isEqualTo(body);

      throttle.share(0.3);
      int slowDowns = 0;
      for (int i = 0; i < REQUESTS; i++) {
        HttpResponse<byte[]> answer = http.get("/bucket/key");
        if (answer.statusCode() == 200) {
          assertThat(answer.body()).isEqualTo(body);
        } else {
          slowDowns++;
          assertThat(answer.statusCode()).isEqualTo(503);
          assertThat(new String(answer.body(), StandardCharsets.UTF_8))
              .contains("<Code>SlowDown</Code>", "<Resource>/bucket/key</Resource>");
        }
      }
      assertThat(slowDowns).as("seed " + SEED).isBetween(40, 80);
      assertThat(throttle.refused()).isEqualTo(slowDowns);
      assertThat(throttle.requests()).isEqualTo(REQUESTS + 1);

      throttle.share(1);
      assertThat(http.put("/bucket/other", body).statusCode()).isEqualTo(503);
      assertThat(s3.directory("bucket").resolve("other")).doesNotExist();
    }
  }
}
