package io.tsdbsuite.job.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class S3RetryDefaultsTest {
  @Test
  void setsOnlyUnsetProperties() {
    Configuration hadoop = new Configuration();
    hadoop.set("fs.s3a.retry.throttle.limit", "9");
    S3RetryDefaults.apply(hadoop);
    assertThat(hadoop.get("fs.s3a.retry.throttle.limit")).isEqualTo("9");
    assertThat(hadoop.get("fs.s3a.retry.throttle.interval")).isEqualTo("500ms");
    assertThat(hadoop.get("fs.s3a.attempts.maximum")).isEqualTo("5");
    assertThat(new Configuration().getInt("fs.s3a.retry.throttle.limit", 0)).isEqualTo(20);
  }
}
