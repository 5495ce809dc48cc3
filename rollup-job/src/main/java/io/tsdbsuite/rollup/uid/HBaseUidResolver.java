package io.tsdbsuite.rollup.uid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.hbase.HadoopKeys;
import io.tsdbsuite.message.write.ByteSlice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names from the UID table of a live HBase: row = UID, column {@code name:<kind>}
 * (STORAGE.md 4), one get for each UID that the cache does not hold, and another to check that the
 * name maps back to it: row = name, column {@code id:<kind>}.
 *
 * <p>All copies of one resolver in a JVM share a connection and a cache, both made at the first
 * lookup. The cache is bounded and also remembers that a UID has no name, for as long as it lives:
 * it may miss a name assigned during the run.
 */
public final class HBaseUidResolver implements UidNames {
  private static final long serialVersionUID = 1L;

  private static final byte[] FAMILY = UidRow.nameFamily();
  private static final byte[] FORWARD = UidRow.idFamily();

  /** Cache entry of a UID without a name. No name in the table is empty. */
  private static final Name NO_NAME = new Name(new byte[0], false);

  /**
   * The cached name of a UID.
   *
   * @param bytes the name, ISO-8859-1
   * @param own whether the name maps to the UID
   */
  private record Name(byte[] bytes, boolean own) {}

  /** The connections and caches of this JVM, by resolver identity. */
  private static final ConcurrentMap<UUID, Live> LIVE = new ConcurrentHashMap<>();

  private final UUID identity = UUID.randomUUID();
  private final SerializableConfiguration settings;
  private final StorageSchema schema;
  private final long cacheEntries;

  /**
   * Makes a resolver; nothing is connected yet.
   *
   * @param configuration HBase client configuration. Unless it sets timeouts, an operation on an
   *     unresponsive server fails after 120 s instead of HBase's 20 minutes
   * @param schema names the UID table and the widths of its UIDs
   * @param cacheEntries limit of cached names in a JVM for each kind
   */
  public HBaseUidResolver(Configuration configuration, StorageSchema schema, long cacheEntries) {
    Configuration all = new Configuration(configuration);
    for (String key :
        new String[] {"hbase.client.operation.timeout", "hbase.client.meta.operation.timeout"}) {
      if (!HadoopKeys.isSet(configuration, key)) {
        all.set(key, "120000");
      }
    }
    this.settings = new SerializableConfiguration(all);
    this.schema = schema;
    this.cacheEntries = cacheEntries;
  }

  /**
   * Reads the first UID of each kind, which detects a wrong address, table or schema before the
   * work starts, within half a minute. Lookups retry through the restart of a server; this check
   * tries only twice.
   *
   * @throws UidWidthException if the width of the table's UIDs differs from the schema
   * @throws TableNotFoundException if the cluster has no such table
   * @throws IOException if HBase can't be reached or does not answer
   */
  public void check() throws IOException {
    Configuration configuration = HBaseConfiguration.create(settings.value());
    configuration.set("hbase.client.retries.number", "1");
    try (Connection connection = ConnectionFactory.createConnection(configuration)) {
      for (UidKind kind : UidKind.values()) {
        checkWidth(connection, kind);
      }
    } catch (TableNotFoundException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "HBase does not answer for table %s (ZooKeeper %s port %s): %s",
              schema.uidTable(),
              configuration.get("hbase.zookeeper.quorum"),
              configuration.get("hbase.zookeeper.property.clientPort"),
              StorageFailures.reason(e)),
          e);
    }
  }

  /** UIDs are assigned from 1 on, so the first one is at the start of the table. */
  private void checkWidth(Connection connection, UidKind kind) throws IOException {
    Scan scan = new Scan().addColumn(FAMILY, kind.qualifierBytes()).setOneRowLimit();
    try (Table table = connection.getTable(TableName.valueOf(schema.uidTable()));
        ResultScanner scanner = table.getScanner(scan)) {
      Result first = scanner.next();
      if (first != null && first.getRow().length != schema.width(kind)) {
        byte[] uid = first.getRow();
        throw new UidWidthException(kind, schema.width(kind), uid, 0, uid.length);
      }
    }
  }

  @Override
  public boolean lookup(UidKind kind, long uid, ByteSlice out) {
    Name name = name(kind, uid);
    if (!name.own) {
      return false;
    }
    out.set(name.bytes);
    return true;
  }

  @Override
  public @Nullable String foreignName(UidKind kind, long uid) {
    Name name = name(kind, uid);
    return name.own || name.bytes.length == 0
        ? null
        : new String(name.bytes, StandardCharsets.ISO_8859_1);
  }

  private Name name(UidKind kind, long uid) {
    try {
      return live().name(kind, uid, schema.width(kind));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "HBase failed to name a UID from table " + schema.uidTable() + ": " + e.getMessage(), e);
    }
  }

  /** Closes the connection that the copies of this resolver share in this JVM. */
  @Override
  public void close() {
    Live live = LIVE.remove(identity);
    if (live != null) {
      live.close();
    }
  }

  private Live live() throws IOException {
    Live live = LIVE.get(identity);
    if (live != null) {
      return live;
    }
    try {
      return LIVE.computeIfAbsent(
          identity,
          id -> {
            try {
              return new Live(
                  ConnectionFactory.createConnection(HBaseConfiguration.create(settings.value())),
                  schema.uidTable(),
                  cacheEntries);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The connection and the caches of one JVM. */
  private static final class Live {
    private final Connection connection;
    private final String tableName;
    private final Map<UidKind, Cache<Long, Name>> caches = new EnumMap<>(UidKind.class);

    Live(Connection connection, String tableName, long cacheEntries) {
      this.connection = connection;
      this.tableName = tableName;
      for (UidKind kind : UidKind.values()) {
        caches.put(kind, Caffeine.newBuilder().maximumSize(cacheEntries).build());
      }
    }

    Name name(UidKind kind, long uid, int width) throws IOException {
      try {
        return Objects.requireNonNull(caches.get(kind))
            .get(
                uid,
                missing -> {
                  byte[] row = Uids.bytes(missing, width);
                  try {
                    return read(kind, row);
                  } catch (IOException e) {
                    throw new UncheckedIOException(
                        kind.qualifier()
                            + " UID "
                            + HexFormat.of().formatHex(row)
                            + ": "
                            + StorageFailures.reason(e),
                        e);
                  }
                });
      } catch (UncheckedIOException e) {
        throw new IOException(e.getMessage(), e.getCause());
      }
    }

    /** The name in the table, or {@link #NO_NAME}. */
    Name read(UidKind kind, byte[] row) throws IOException {
      try (Table table = connection.getTable(TableName.valueOf(tableName))) {
        byte[] qualifier = kind.qualifierBytes();
        Result result = table.get(new Get(row).addColumn(FAMILY, qualifier));
        byte[] name = result.getValue(FAMILY, qualifier);
        if (name == null || name.length == 0) {
          return NO_NAME;
        }
        Result forward = table.get(new Get(name).addColumn(FORWARD, qualifier));
        return new Name(name, Arrays.equals(row, forward.getValue(FORWARD, qualifier)));
      }
    }

    void close() {
      try {
        connection.close();
      } catch (IOException e) {
        throw new UncheckedIOException("HBase connection did not close: " + e.getMessage(), e);
      }
    }
  }
}
