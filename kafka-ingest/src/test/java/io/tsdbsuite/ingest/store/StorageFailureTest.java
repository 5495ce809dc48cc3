package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.message.BadMessageException;
import io.tsdbsuite.ingest.message.Reason;
import net.opentsdb.uid.NoSuchUniqueName;
import org.junit.jupiter.api.Test;

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
}
