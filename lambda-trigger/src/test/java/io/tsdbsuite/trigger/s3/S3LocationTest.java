package io.tsdbsuite.trigger.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3LocationTest {
  @Test
  void placesBelowABucketAndAPrefix() {
    assertThat(S3Location.parse("s3://backup").resolve("a/b").uri()).isEqualTo("s3://backup/a/b");
    assertThat(S3Location.parse("s3://backup/h/b/").resolve("a").key()).isEqualTo("h/b/a");
    assertThat(S3Location.parse("s3://backup/hbase").hadoopUri()).isEqualTo("s3a://backup/hbase");
    assertThat(S3Location.parseHadoop("s3a://backup/hbase").uri()).isEqualTo("s3://backup/hbase");
    assertThatThrownBy(() -> S3Location.parseHadoop("s3://backup/hbase"))
        .hasMessage("must be s3a://bucket or s3a://bucket/prefix");
  }

  @Test
  void isBelow() {
    S3Location root = S3Location.parse("s3://backup/hbase");
    assertThat(new S3Location("backup", "hbase/x").isBelow(root)).isTrue();
    assertThat(new S3Location("backup", "hbase2/x").isBelow(root)).isFalse();
    assertThat(new S3Location("other", "hbase/x").isBelow(root)).isFalse();
    assertThat(root.isBelow(root)).isFalse();
    assertThat(root.isBelow(S3Location.parse("s3://backup"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "backup", "s3a://backup/x", "s3://B/x", "s3://backup//x", "s3://a b/"})
  void rule(String text) {
    assertThatThrownBy(() -> S3Location.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be s3://bucket or s3://bucket/prefix");
  }
}
