package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import java.util.stream.Stream;
import net.opentsdb.uid.NoSuchUniqueName;
import org.hbase.async.HBaseException;
import org.hbase.async.HBaseFailures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StorageFailureTest {
  @Test
  void whatTheTsdRefusesIsADeadLetter() {
    StorageFailure refused = StorageFailure.of(new IllegalArgumentException("bad tag"));
    assertThat(refused.bad().reason()).isEqualTo(Reason.REFUSED);
    assertThat(refused.bad()).hasMessageContaining("bad tag");
    StorageFailure unknown = StorageFailure.of(new NoSuchUniqueName("metrics", "m"));
    assertThat(unknown.bad().reason()).isEqualTo(Reason.UNKNOWN_NAME);
    BadMessageException bad = new BadMessageException(Reason.BAD_VALUE, "x");
    assertThat(StorageFailure.of(bad).bad()).isSameAs(bad);
  }

  @Test
  void wrappersOfOpenTsdbAreTakenOff() {
    RuntimeException wrapped =
        new RuntimeException(
            "Should never be here", new RuntimeException(new NoSuchUniqueName("metrics", "m")));
    assertThat(StorageFailure.of(wrapped).bad().reason()).isEqualTo(Reason.UNKNOWN_NAME);
  }

  @Test
  void whatIsUnknownIsNeitherLostNorTakenForAnOutage() {
    StorageFailure failure = StorageFailure.of(new IllegalStateException("hm\nsecond line"));
    assertThat(failure.bad()).isNull();
    assertThat(failure.isOutage()).isFalse();
    assertThat(failure.describe()).isEqualTo("IllegalStateException: hm");
  }

  @Test
  void errorsAndSideTopicsAreTriedAgain() {
    assertThat(StorageFailure.of(new NoClassDefFoundError("x")).isOutage()).isTrue();
    assertThat(StorageFailure.of(new Exception("Kafka")).isOutage()).isTrue();
  }

  static Stream<HBaseException> outages() {
    return Stream.of(
        HBaseFailures.timedOut(),
        HBaseFailures.noTable(),
        HBaseFailures.brokenMeta(),
        HBaseFailures.noResponse(),
        HBaseFailures.otherVersion(),
        HBaseFailures.remote("org.apache.hadoop.hbase.quotas.RpcThrottlingException", "wait 1 s"),
        HBaseFailures.remote(
            "org.apache.hadoop.hbase.security.AccessDeniedException", "no permission"),
        HBaseFailures.remote("java.io.IOException", "hm"),
        HBaseFailures.remote(
            "org.apache.hadoop.hbase.DoNotRetryIOException", "caused by RegionTooBusyException"));
  }

  /** All writes may meet them, so none of them may cost a message. */
  @ParameterizedTest
  @MethodSource("outages")
  void whatHBaseSaysIsAnOutage(HBaseException said) {
    StorageFailure failure = StorageFailure.of(said);
    assertThat(failure.isOutage()).isTrue();
    assertThat(failure.isUnexpected()).isFalse();
    assertThat(failure.bad()).isNull();
  }

  static Stream<HBaseException> refusals() {
    return Stream.of(
        HBaseFailures.noFamily(),
        HBaseFailures.remote("org.apache.hadoop.hbase.DoNotRetryIOException", "too large"),
        HBaseFailures.remote(
            "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException", "timestamp"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void knownRefusalsAreOfOneWrite(HBaseException said) {
    StorageFailure failure = StorageFailure.of(said);
    assertThat(failure.isOutage()).isFalse();
    assertThat(failure.isUnexpected()).isFalse();
    assertThat(failure.bad()).isNull();
  }

  @Test
  void whatTheTsdsCodeThrowsIsUnexpected() {
    assertThat(StorageFailure.of(new IllegalStateException("Should never happen!")).isUnexpected())
        .isTrue();
    assertThat(StorageFailure.of(new UnsupportedOperationException()).isUnexpected()).isTrue();
    assertThat(StorageFailure.of(new NoClassDefFoundError("x")).isUnexpected()).isFalse();
  }
}
