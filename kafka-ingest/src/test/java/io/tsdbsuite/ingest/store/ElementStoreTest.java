package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ElementStoreTest {
  private static RollupSchema unusable() {
    throw new IllegalArgumentException("aggregationIds.count: compulsory");
  }

  @Test
  void aRollupConfigurationThatIsNeededMustBeUsable() {
    assertThatThrownBy(() -> ElementStore.schema(ElementStoreTest::unusable, true))
        .hasMessageContaining("compulsory");
  }

  /** A TSD for raw points starts; rollups become dead letters, as where they are off. */
  @Test
  void anUnusableSchemaThatIsNotNeededIsIgnored() {
    assertThat(ElementStore.schema(ElementStoreTest::unusable, false)).isNull();
  }
}
