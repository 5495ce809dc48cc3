package io.tsdbsuite.bench.loadtest;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** One HBase, and per set-up a TSD with separate tables; all share the UID table. */
final class LoadServers implements AutoCloseable {
  private static final String WORK = "load-test";

  /**
   * HBase's defaults. The testkit's values suit tests only: reports ten times a second print the
   * state of all handlers, and eight handlers have a queue of 80 calls, and each increment is a
   * call.
   */
  private static final Map<String, String> HBASE =
      Map.of("hbase.regionserver.msginterval", "3000", "hbase.regionserver.handler.count", "30");

  private static final byte[] COUNTER = "ts_ctr".getBytes(StandardCharsets.US_ASCII);

  private final Path plugin;
  private final Stack stack;
  private final Map<Setup, TsdServer> tsds = new LinkedHashMap<>();

  /**
   * Starts HBase.
   *
   * @param plugin tsuid-ratelimiter's jar
   */
  LoadServers(Path plugin) {
    this.plugin = plugin;
    this.stack = Stack.in(WorkDirs.fresh(WORK)).hbase(HBASE).start();
  }

  /** Starts the named TSDs that are not running, and stops all others. */
  void run(List<Setup> setups) throws IOException {
    for (Setup running : List.copyOf(tsds.keySet())) {
      if (!setups.contains(running)) {
        tsds.remove(running).stop();
      }
    }
    for (Setup setup : setups) {
      if (!tsds.containsKey(setup)) {
        List<Path> classPath = new ArrayList<>(List.of(ownClasses()));
        if (setup.hasPlugin()) {
          classPath.add(plugin);
        }
        tsds.put(setup, stack.startTsd(setup.id(), setup.conf(), classPath));
      }
    }
  }

  /** The location of StoredPlugin, which only loads in a TSD. */
  private static Path ownClasses() {
    try {
      return Path.of(LoadServers.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  TsdServer tsd(Setup setup) {
    return Objects.requireNonNull(tsds.get(setup));
  }

  /** Switches the work of a set-up for each point off, or on again. */
  void turn(Setup setup, boolean on) {
    String keys =
        setup.switches().stream().map(key -> key + "=" + on).collect(Collectors.joining("&"));
    if (!keys.isEmpty()) {
      tsd(setup).client().get("plugin/stored?" + keys);
    }
  }

  /** What the TSD has stored, what failed, and its open calls to HBase. */
  JsonNode counts(Setup setup) {
    return tsd(setup).client().get("plugin/stored");
  }

  HBaseServer hbase() {
    return stack.hbase();
  }

  /** Flushes the memstores of a set-up's tables. */
  void flush(Setup setup) throws IOException {
    stack.hbase().flush(setup.dataTable());
    stack.hbase().flush(setup.metaTable());
  }

  /** The sum of all counters of a meta table. */
  long counted(Setup setup) throws IOException {
    long sum = 0;
    for (RawCell cell : stack.hbase().cells(setup.metaTable())) {
      if (Arrays.equals(cell.qualifier(), COUNTER)) {
        sum += ByteBuffer.wrap(cell.value()).getLong();
      }
    }
    return sum;
  }

  @Override
  public void close() {
    stack.close();
    WorkDirs.fresh(WORK);
  }
}
