package io.tsdbsuite.hbase.snapshot;

import io.tsdbsuite.hbase.FileSupport;
import io.tsdbsuite.hbase.StorageException;
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
    FileSupport.requireCodec(
        of + ": column family '" + family.getNameAsString() + "'", family.getCompressionType());
    String cipher = family.getEncryptionType();
    if (cipher != null) {
      FileSupport.requireKey(
          what + "is encrypted (ENCRYPTION => '" + cipher + "')",
          () ->
              // Throws if there is no key.
              Encryption.getSecretKeyForSubject(
                  conf.get(
                      HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, User.getCurrent().getShortName()),
                  conf));
    }
  }
}
