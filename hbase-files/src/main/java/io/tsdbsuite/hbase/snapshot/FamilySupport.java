package io.tsdbsuite.hbase.snapshot;

import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.StorageFailures;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.security.User;

/**
 * Whether this process can read the files of a column family. Otherwise good files would look
 * corrupt.
 */
final class FamilySupport {
  private FamilySupport() {}

  /**
   * Checks compression, encryption and MOB.
   *
   * @param of snapshot and table, for messages
   * @param conf with the keys of encryption, if there are any
   * @throws StorageException configuration, with what to do
   */
  static void require(String of, ColumnFamilyDescriptor family, Configuration conf) {
    String what = of + ": column family '" + family.getNameAsString() + "' ";
    if (family.isMobEnabled()) {
      throw StorageException.configuration(
          what
              + "keeps large values apart (IS_MOB), which this process cannot read: switch MOB off,"
              + " run a major compaction, and take the snapshot again");
    }
    if (!Codecs.canWrite(family.getCompressionType())) {
      throw StorageException.configuration(
          what
              + "is compressed with "
              + family.getCompressionType()
              + ", for which this process has no codec: add HBase's module of that codec to its"
              + " class path, or compress the table otherwise, run a major compaction, and take the"
              + " snapshot again");
    }
    String cipher = family.getEncryptionType();
    if (cipher != null) {
      requireKey(what + "is encrypted (ENCRYPTION => '" + cipher + "')", conf);
    }
  }

  private static void requireKey(String what, Configuration conf) {
    try {
      String name =
          conf.get(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, User.getCurrent().getShortName());
      // Throws if there is no key.
      Encryption.getSecretKeyForSubject(name, conf);
    } catch (IOException | RuntimeException e) {
      throw withoutKey(what, StorageFailures.reason(e), e);
    }
  }

  private static StorageException withoutKey(String what, String reason, Exception cause) {
    return StorageException.configuration(
        what
            + ", and its master key cannot be read ("
            + reason
            + "): set "
            + HConstants.CRYPTO_KEYPROVIDER_CONF_KEY
            + ", "
            + HConstants.CRYPTO_KEYPROVIDER_PARAMETERS_KEY
            + " and "
            + HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY
            + " as the region servers have them (in Spark as --conf spark.hadoop.KEY=VALUE)",
        cause);
  }
}
