package io.tsdbsuite.contract;

import io.tsdbsuite.format.schema.StorageSchema;

/** Compares storage-format with OpenTSDB. */
class FormatRowContractTest extends RowContract {
  @Override
  RowReader subject(StorageSchema schema) {
    return new FormatRowReader(schema);
  }
}
