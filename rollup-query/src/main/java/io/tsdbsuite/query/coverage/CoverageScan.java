package io.tsdbsuite.query.coverage;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.query.run.BoundedAnswer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hbase.async.GetRequest;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.hbase.async.NoSuchColumnFamilyException;
import org.hbase.async.NonRecoverableException;
import org.hbase.async.RegionLocation;
import org.hbase.async.Scanner;
import org.hbase.async.TableNotFoundException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the coverage with a TSD's HBase client: all rows of the coverage table, and after them the
 * markers in the rollup tables, so that a table that was truncated meanwhile is found.
 *
 * <p>If a rollup table does not answer, there is no reading. A packed table has copies alone, and
 * is waited for during a bounded time: one that does not answer is as if it had no marker.
 */
public final class CoverageScan implements CoverageReading {
  private static final int ROWS_PER_CALL = 1000;

  /** How long the marker of a packed table is waited for, milliseconds. */
  private static final long MAX_WAIT = 5000;

  private static final Logger LOG = LoggerFactory.getLogger(CoverageScan.class);

  private static final byte[] FAMILY = bytes(CoverageRows.FAMILY);

  private final HBaseClient client;
  private final String table;
  private final Map<String, String> rollupTables;

  /** Packed tables whose request is not waited for any more, and whether it has ended. */
  private final Map<String, AtomicBoolean> unanswered = new ConcurrentHashMap<>();

  private final Map<String, String> silent = new ConcurrentHashMap<>();

  /**
   * @param table the coverage table, with its namespace
   * @param rollupTables the rollup table of each level, as rollup_config.json writes them
   */
  public CoverageScan(HBaseClient client, String table, Map<String, String> rollupTables) {
    this.client = client;
    this.table = table;
    this.rollupTables = new HashMap<>(rollupTables);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Deferred<Coverage> read(long now) {
    CoverageReader reader = new CoverageReader();
    Scanner scanner = client.newScanner(table);
    scanner.setFamily(FAMILY);
    scanner.setMaxNumRows(ROWS_PER_CALL);
    // Otherwise a long row would come in parts.
    scanner.setMaxNumKeyValues(-1);
    scanner.setServerBlockCache(true);
    return rows(scanner, reader)
        .addCallbackDeferring(
            (Callback<Deferred<Map<String, String>>, @Nullable Object>) done -> ids())
        .addCallback(
            (Callback<Coverage, Map<String, String>>)
                ids -> reader.coverage(rollupTables, ids, now))
        .addErrback((Callback<Object, Exception>) this::missing);
  }

  /** No floors, if there is no table of the coverage. */
  private Object missing(Exception failure) throws Exception {
    if (failure instanceof NoSuchColumnFamilyException) {
      return Coverage.nothing(
          "table " + table + " must have the column family " + CoverageRows.FAMILY,
          Collections.emptyList());
    }
    if (!isMissing(failure)) {
      throw failure;
    }
    // The client does not distinguish a missing table from a region that is not found for long.
    return client
        .locateRegions(bytes(CoverageRows.tableName(table)))
        .addCallback(
            (Callback<Coverage, List<RegionLocation>>)
                regions -> {
                  if (!regions.isEmpty()) {
                    throw failure;
                  }
                  return Coverage.nothing(
                      String.format(
                          "table %s does not exist; docs/coverage.md has the command that"
                              + " creates it",
                          table),
                      Collections.emptyList());
                });
  }

  /**
   * Whether a table has no region. With the meta table of HBase 2 the client does not tell a
   * missing table from a region that is not found for long: it looks several times and gives up.
   */
  private static boolean isMissing(Exception failure) {
    return failure instanceof TableNotFoundException
        || (failure instanceof NonRecoverableException
            && String.valueOf(failure.getMessage()).startsWith("Too many attempts"));
  }

  /** Hands all rows to the reader, or as many as it wants. */
  private static Deferred<@Nullable Object> rows(Scanner scanner, CoverageReader reader) {
    return scanner
        .nextRows()
        .addCallbackDeferring(
            (Callback<Deferred<@Nullable Object>, @Nullable ArrayList<ArrayList<KeyValue>>>)
                rows -> {
                  if (rows == null) {
                    return Deferred.fromResult(null);
                  }
                  for (List<KeyValue> row : rows) {
                    if (!reader.row(cells(row))) {
                      return scanner.close();
                    }
                  }
                  return rows(scanner, reader);
                });
  }

  private static List<CoverageCell> cells(List<KeyValue> row) {
    List<CoverageCell> cells = new ArrayList<>();
    for (KeyValue cell : row) {
      cells.add(new CoverageCell(cell.key(), cell.qualifier(), cell.value(), cell.timestamp()));
    }
    return cells;
  }

  /** Why packed tables did not answer the last reading, by their names. */
  public Map<String, String> silent() {
    return silent;
  }

  /** The ids in the rollup tables. */
  private Deferred<Map<String, String>> ids() {
    Map<String, String> ids = new ConcurrentHashMap<>();
    Set<String> plain = new LinkedHashSet<>();
    Set<String> packed = new LinkedHashSet<>();
    rollupTables.forEach((level, name) -> (Level.isPacked(level) ? packed : plain).add(name));
    List<Deferred<Object>> bounded = new ArrayList<>();
    packed.forEach(name -> bounded.add(packedId(name, ids)));
    Deferred<Object> last = Deferred.fromResult("");
    for (String name : plain) {
      last = last.addCallbackDeferring(done -> id(name, ids, false));
    }
    return last.addCallbackDeferring(done -> Deferred.group(bounded)).addCallback(done -> ids);
  }

  /** Looks for the id of a packed table, unless an earlier request was not answered yet. */
  private Deferred<Object> packedId(String name, Map<String, String> ids) {
    if (unanswered.containsKey(name)) {
      return Deferred.fromResult("");
    }
    Map<String, String> found = new ConcurrentHashMap<>();
    AtomicBoolean ended = new AtomicBoolean();
    Runnable end =
        () -> {
          ended.set(true);
          boolean unused = unanswered.remove(name, ended);
        };
    Deferred<Object> id =
        id(name, found, true)
            .addCallbacks(
                done -> {
                  end.run();
                  return done;
                },
                (Exception failure) -> {
                  end.run();
                  throw failure;
                });
    return BoundedAnswer.of(
            client.getTimer(),
            MAX_WAIT,
            id,
            () -> new IllegalStateException("no answer for " + MAX_WAIT / 1000 + " s"))
        .addCallbacks(
            done -> {
              ids.putAll(found);
              if (silent.remove(name) != null) {
                LOG.info("packed table {} answers again", name);
              }
              return done;
            },
            (Exception failure) -> {
              unanswered.put(name, ended);
              if (ended.get()) {
                end.run();
              }
              String why = String.valueOf(failure.getMessage()).split("\n", 2)[0];
              if (silent.put(name, why) == null) {
                LOG.warn(
                    "queries read plain rollups, packed table {} does not answer: {}", name, why);
              }
              return "";
            });
  }

  /**
   * Looks for the id of a rollup table.
   *
   * @param known whether a table without regions fails, if HBase's client does not know that it is
   *     missing
   */
  private Deferred<Object> id(String name, Map<String, String> ids, boolean known) {
    GetRequest get =
        new GetRequest(
            bytes(name),
            CoverageRows.tableMarkerRow(),
            bytes(CoverageRows.TABLE_FAMILY),
            bytes(CoverageRows.TABLE_COLUMN));
    return client
        .get(get)
        .addCallbacks(
            cells -> {
              if (cells != null && !cells.isEmpty()) {
                ids.put(name, new String(cells.get(0).value(), StandardCharsets.UTF_8));
              }
              return "";
            },
            (Exception failure) -> {
              // A table that is not there has no id.
              boolean missing =
                  known ? failure instanceof TableNotFoundException : isMissing(failure);
              if (missing || failure instanceof NoSuchColumnFamilyException) {
                return "";
              }
              throw failure;
            });
  }
}
