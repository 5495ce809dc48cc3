package io.tsdbsuite.contract;

import io.tsdbsuite.format.schema.StorageSchema;

/** The codec of storage-format, held against OpenTSDB. */
class FormatRowContractTest extends RowContract {
  @Override
  RowReader subject(StorageSchema schema) {
    return new FormatRowReader(schema);
  }
}
