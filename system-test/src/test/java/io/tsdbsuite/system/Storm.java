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
 * processes and of storage meet; each draws all its faults before it repeats one.
 */
final class Storm {
  private static final int LONGEST_PAUSE_MILLIS = 12_000;
  private static final int LONGEST_FAULT_MILLIS = 15_000;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** One fault, from its begin to the end of its repair. */
  private record Fault(String name, Step step) {}

  private interface Step {
    void run() throws Exception;
  }

  private final SystemStack stack = SystemStack.get();
  private final S3Throttle s3;
  private final ChaosStream stream;
  private final Consumer<String> log;
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Fault> all = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, Integer> counts = Collections.synchronizedMap(new TreeMap<>());
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

  Storm(long seed, S3Throttle s3, ChaosStream stream, Consumer<String> log) {
    this.s3 = s3;
    this.stream = stream;
    this.log = log;
    Random ofProcesses = new Random(seed);
    Random ofStorage = new Random(seed + 1);
    start("processes", ofProcesses, this::supervise, processes(ofProcesses));
    start("storage", ofStorage, () -> {}, storage(ofStorage));
  }

  private void start(String name, Random random, Runnable before, List<Fault> faults) {
    all.addAll(faults);
    Thread thread =
        new Thread(
            () -> {
              List<Fault> left = new ArrayList<>();
              try {
                while (!over.await(random.nextInt(LONGEST_PAUSE_MILLIS), TimeUnit.MILLISECONDS)) {
                  before.run();
                  if (left.isEmpty()) {
                    left.addAll(faults);
                    Collections.shuffle(left, random);
                  }
                  carryOut(left.remove(0));
                }
              } catch (Throwable e) {
                failures.add(e);
              }
            },
            "storm-" + name);
    thread.start();
    threads.add(thread);
  }

  /** As systemd does: starts the TSD if it has ended by itself. */
  private void supervise() {
    if (!stack.tsd().isAlive()) {
      log.accept("the TSD has ended by itself, started again");
      counts.merge("TSD ended by itself", 1, Integer::sum);
      started(stack.tsd());
    }
  }

  private List<Fault> processes(Random random) {
    return List.of(
        new Fault("TSD killed", () -> restart(stack.tsd(), random)),
        new Fault("TSD stopped for a while", () -> suspend(stack.tsd(), random)),
        new Fault("broker killed", () -> restart(stack.kafka(), random)),
        new Fault("broker stopped for a while", () -> suspend(stack.kafka(), random)),
        new Fault("stream job killed", stream::kill),
        new Fault(
            "stream job stopped for a while",
            () -> {
              stream.suspend();
              pause(random);
              stream.resume();
            }));
  }

  private List<Fault> storage(Random random) {
    HBaseServer hbase = stack.hbase();
    return List.of(
        new Fault("HBase stopped for a while", () -> suspend(hbase, random)),
        new Fault("HBase killed", () -> restart(hbase, random)),
        new Fault(
            "HBase restarted",
            () -> {
              hbase.stop();
              pause(random);
              started(hbase);
            }),
        new Fault("flush", () -> hbase.flush(SystemStack.DATA_TABLE)),
        new Fault("major compaction", () -> hbase.majorCompact(SystemStack.DATA_TABLE)),
        new Fault("split", () -> split(hbase, random)),
        new Fault("S3 refuses half", () -> refuse(0.5, random)),
        new Fault("S3 refuses all", () -> refuse(1, random)));
  }

  private void carryOut(Fault fault) throws Exception {
    log.accept(fault.name);
    try {
      fault.step.run();
      counts.merge(fault.name, 1, Integer::sum);
    } catch (IOException | ServerException e) {
      // The other thread's fault met this one: an administrator would try again.
      log.accept(fault.name + ": " + e.getMessage().lines().findFirst().orElse(""));
      counts.merge(fault.name + ", not carried out", 1, Integer::sum);
    }
  }

  /** Whether each fault was carried out, or the storm itself has failed. */
  boolean isWhole() {
    return missing().isEmpty() || !failures.isEmpty();
  }

  /** Faults that were not carried out yet. Those of S3 need a night that reads it. */
  List<String> missing() {
    return all.stream()
        .map(Fault::name)
        .filter(name -> !name.startsWith("S3") && !counts.containsKey(name))
        .toList();
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

  private void refuse(double share, Random random) throws Exception {
    long before = s3.refused();
    s3.share(share);
    try {
      pause(random);
    } finally {
      s3.share(0);
    }
    if (s3.refused() == before) {
      throw new IOException("nothing was asked");
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
        throw new IOException("a region starts there");
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
