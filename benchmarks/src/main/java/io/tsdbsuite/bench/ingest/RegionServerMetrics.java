package io.tsdbsuite.bench.ingest;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A region server's own counters of RPCs, over JMX. Not thread-safe. */
final class RegionServerMetrics implements AutoCloseable {
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final String MULTI = "rpcMultiRequestCount";
  private static final String MUTATE = "rpcMutateRequestCount";
  private static final String BATCHES = "PutBatch_num_ops";
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final JMXConnector connector;
  private final MBeanServerConnection beans;
  private RegionServerCounts last = RegionServerCounts.NONE;

  private RegionServerMetrics(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.beans = connector.getMBeanServerConnection();
  }

  /**
   * Connects to a region server of this machine.
   *
   * @param pid its process
   */
  // The address is from a JVM that the benchmark started itself.
  @SuppressWarnings("BanJNDI")
  static RegionServerMetrics of(long pid) throws IOException {
    JMXServiceURL url;
    try {
      VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
      try {
        url = new JMXServiceURL(jvm.startLocalManagementAgent());
      } finally {
        jvm.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("the JVM of process " + pid + " does not accept an attach", e);
    }
    RegionServerMetrics metrics = new RegionServerMetrics(JMXConnectorFactory.connect(url));
    metrics.last = metrics.read();
    return metrics;
  }

  /**
   * The counts since the last call, or since the connection.
   *
   * <p>HBase renews these values on a request at most every ten seconds: a value that was renewed
   * after the last RPC is recognized by its difference from the last one. So call it only after
   * RPCs, and after HBase has answered all of them.
   *
   * @throws IllegalStateException when the region server has not counted an RPC within a minute
   */
  RegionServerCounts sinceLast() throws IOException {
    long started = System.nanoTime();
    RegionServerCounts now = read();
    while (now.rpcs() == last.rpcs()) {
      if (System.nanoTime() - started > PATIENCE_NANOS) {
        throw new IllegalStateException("the region server has counted no RPC, found " + now);
      }
      LockSupport.parkNanos(POLL_NANOS);
      now = read();
    }
    RegionServerCounts counts = now.minus(last);
    last = now;
    return counts;
  }

  private RegionServerCounts read() throws IOException {
    try {
      long multi = 0;
      long mutate = 0;
      long batches = 0;
      // One request: all values are of one instant.
      String[] names = {MULTI, MUTATE, BATCHES};
      for (Attribute each : beans.getAttributes(new ObjectName(BEAN), names).asList()) {
        long value = ((Number) each.getValue()).longValue();
        switch (each.getName()) {
          case MULTI -> multi = value;
          case MUTATE -> mutate = value;
          default -> batches = value;
        }
      }
      return new RegionServerCounts(multi + mutate, batches);
    } catch (InstanceNotFoundException e) {
      // HBase removes its beans for moments, to renew them: the caller asks again.
      return last;
    } catch (JMException e) {
      throw new IOException("the region server has no " + BEAN, e);
    }
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
