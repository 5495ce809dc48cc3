package io.tsdbsuite.rollup.input;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.uid.UidSettings;
import org.junit.jupiter.api.Test;

class RollupOptionsTest {
  @Test
  void missingValuesAreNamed() {
    assertThatThrownBy(
            () ->
                RollupOptions.builder()
                    .snapshotRoot("file:///backup")
                    .uids(UidSettings.NONE)
                    .schema(StorageSchema.defaults())
                    .from(0)
                    .build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("options are missing: dataSnapshot, intervals, to, holdBack, partitionBytes");
  }
}
