package io.tsdbsuite.system;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.ManagedServer;
import io.tsdbsuite.testkit.S3Throttle;
import io.tsdbsuite.testkit.ServerException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Faults at drawn times: kill -9 and SIGSTOP of servers and of the stream job, an HBase that
 * restarts, flushes, compacts and splits, an S3 that refuses. Two threads, so that faults of
 * processes and of storage meet.
 */
final class Storm {
  private static final int LONGEST_PAUSE_MILLIS = 12_000;
  private static final int LONGEST_FAULT_MILLIS = 15_000;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** One fault, from its begin to the end of its repair. */
  private interface Fault {
    void run() throws Exception;
  }

  private final SystemStack stack = SystemStack.get();
  private final S3Throttle s3;
  private final ChaosStream stream;
  private final Consumer<String> log;
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, Integer> counts = Collections.synchronizedMap(new TreeMap<>());
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

  Storm(long seed, S3Throttle s3, ChaosStream stream, Consumer<String> log) {
    this.s3 = s3;
    this.stream = stream;
    this.log = log;
    start("processes", new Random(seed), this::processes);
    start("storage", new Random(seed + 1), this::storage);
  }

  private void start(String name, Random random, FaultsOf faults) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!over.await(random.nextInt(LONGEST_PAUSE_MILLIS), TimeUnit.MILLISECONDS)) {
                  faults.next(random);
                }
              } catch (Throwable e) {
                failures.add(e);
              }
            },
            "storm-" + name);
    thread.start();
    threads.add(thread);
  }

  private interface FaultsOf {
    void next(Random random) throws Exception;
  }

  /** As systemd does: starts the TSD if it has ended by itself. */
  private void supervise() {
    if (!stack.tsd().isAlive()) {
      log.accept("the TSD has ended by itself, started again");
      counts.merge("TSD ended by itself", 1, Integer::sum);
      started(stack.tsd());
    }
  }

  private void processes(Random random) throws Exception {
    supervise();
    switch (random.nextInt(6)) {
      case 0 -> fault("TSD killed", () -> restart(stack.tsd(), random));
      case 1 -> fault("TSD stopped for a while", () -> suspend(stack.tsd(), random));
      case 2 -> fault("broker killed", () -> restart(stack.kafka(), random));
      case 3 -> fault("broker stopped for a while", () -> suspend(stack.kafka(), random));
      case 4 -> fault("stream job killed", stream::kill);
      default ->
          fault(
              "stream job stopped for a while",
              () -> {
                stream.suspend();
                pause(random);
                stream.resume();
              });
    }
  }

  private void storage(Random random) throws Exception {
    HBaseServer hbase = stack.hbase();
    switch (random.nextInt(8)) {
      case 0 -> fault("HBase stopped for a while", () -> suspend(hbase, random));
      case 6 -> fault("HBase killed", () -> restart(hbase, random));
      case 1 ->
          fault(
              "HBase restarted",
              () -> {
                hbase.stop();
                pause(random);
                started(hbase);
              });
      case 2 -> fault("flush", () -> hbase.flush(SystemStack.DATA_TABLE));
      case 3 -> fault("major compaction", () -> hbase.majorCompact(SystemStack.DATA_TABLE));
      case 4 -> fault("split", () -> split(hbase, random));
      case 5 -> fault("S3 refuses half", () -> refuse(0.5, random));
      default -> fault("S3 refuses all", () -> refuse(1, random));
    }
  }

  private void fault(String name, Fault fault) throws Exception {
    log.accept(name);
    counts.merge(name, 1, Integer::sum);
    try {
      fault.run();
    } catch (IOException | ServerException e) {
      // The other thread's fault met this one: an administrator would try again.
      log.accept(name + ": " + e.getMessage().lines().findFirst().orElse(""));
      counts.merge(name + ", not carried out", 1, Integer::sum);
    }
  }

  private void pause(Random random) throws InterruptedException {
    over.await(500 + random.nextInt(LONGEST_FAULT_MILLIS), TimeUnit.MILLISECONDS);
  }

  private void restart(ManagedServer server, Random random) throws InterruptedException {
    server.kill();
    pause(random);
    started(server);
  }

  /** Starts it again, also while another server that it needs is away. */
  private static void started(ManagedServer server) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (; ; ) {
      try {
        server.start();
        return;
      } catch (ServerException e) {
        if (System.nanoTime() > end) {
          throw new AssertionError("a server does not start again", e);
        }
      }
    }
  }

  private void suspend(ManagedServer server, Random random) throws InterruptedException {
    server.suspend();
    try {
      pause(random);
    } finally {
      server.resume();
    }
  }

  private void refuse(double share, Random random) throws InterruptedException {
    s3.share(share);
    try {
      pause(random);
    } finally {
      s3.share(0);
    }
  }

  /** Splits the data table after a random hour of a random metric, if no region starts there. */
  private static void split(HBaseServer hbase, Random random) throws IOException {
    byte[] row = new byte[7];
    row[2] = (byte) (1 + random.nextInt(3));
    long hour = ChaosIT.START / 3600 + random.nextInt(72);
    System.arraycopy(Bytes.toBytes((int) (hour * 3600)), 0, row, 3, 4);
    try (Admin admin = hbase.connection().getAdmin()) {
      boolean exists =
          admin.getRegions(TableName.valueOf(SystemStack.DATA_TABLE)).stream()
              .anyMatch(region -> Bytes.equals(region.getStartKey(), row));
      if (exists) {
        return;
      }
    }
    hbase.split(SystemStack.DATA_TABLE, row);
  }

  /** Ends the storm; afterwards all servers run. */
  void end() throws InterruptedException {
    over.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    s3.share(0);
    supervise();
    if (!failures.isEmpty()) {
      AssertionError error = new AssertionError("the storm itself failed", failures.get(0));
      failures.stream().skip(1).forEach(error::addSuppressed);
      throw error;
    }
  }

  /** Number of faults by name. */
  Map<String, Integer> counts() {
    return Map.copyOf(counts);
  }
}
