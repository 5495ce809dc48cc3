package io.tsdbsuite.hbase;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.security.User;

/**
 * Whether this process can read HFiles of a compression or encryption, and those of a column
 * family. Otherwise good files would look corrupt.
 */
public final class FileSupport {
  private FileSupport() {}

  /** Reads the key of files; fails if there is none. */
  @FunctionalInterface
  public interface Key {
    /** Reads the key. */
    void read() throws IOException;
  }

  /**
   * Checks compression, encryption and MOB.
   *
   * @param of snapshot and table, for messages
   * @param conf with the keys of encryption, if there are any
   * @throws StorageException configuration, with what to do
   */
  public static void requireFamily(String of, ColumnFamilyDescriptor family, Configuration conf) {
    String what = of + ": column family '" + family.getNameAsString() + "' ";
    if (family.isMobEnabled()) {
      throw StorageException.configuration(
          what
              + "keeps large values apart (IS_MOB), which this process cannot read: switch MOB off,"
              + " run a major compaction, and take the snapshot again");
    }
    requireCodec(
        of + ": column family '" + family.getNameAsString() + "'", family.getCompressionType());
    String cipher = family.getEncryptionType();
    if (cipher != null) {
      requireKey(
          what + "is encrypted (ENCRYPTION => '" + cipher + "')",
          () ->
              // Throws if there is no key.
              Encryption.getSecretKeyForSubject(
                  conf.get(
                      HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, User.getCurrent().getShortName()),
                  conf));
    }
  }

  /**
   * Checks that there is a codec.
   *
   * @param what the files, the beginning of the message
   * @throws StorageException configuration, with what to do
   */
  public static void requireCodec(String what, Compression.Algorithm algorithm) {
    if (!Codecs.canWrite(algorithm)) {
      throw StorageException.configuration(
          ("%s is compressed with %s, for which this process has no codec: add HBase's module of"
                  + " that codec to its class path, or compress the table otherwise, run a major"
                  + " compaction, and take the snapshot again")
              .formatted(what, algorithm));
    }
  }

  /**
   * Checks that there is a key.
   *
   * @param what the files, and that they are encrypted, the beginning of the message
   * @throws StorageException configuration, with the keys to set
   */
  public static void requireKey(String what, Key key) {
    try {
      key.read();
    } catch (IOException | RuntimeException e) {
      throw StorageException.configuration(
          ("%s, and its master key cannot be read (%s): set %s, %s and %s as the region"
                  + " servers have them (in Spark as --conf spark.hadoop.KEY=VALUE)")
              .formatted(
                  what,
                  StorageFailures.reason(e),
                  HConstants.CRYPTO_KEYPROVIDER_CONF_KEY,
                  HConstants.CRYPTO_KEYPROVIDER_PARAMETERS_KEY,
                  HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY),
          e);
    }
  }
}
