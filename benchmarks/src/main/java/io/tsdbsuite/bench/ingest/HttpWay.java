package io.tsdbsuite.bench.ingest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Through the TSD's {@code /api/put}, which answers before HBase does. A connection sends its next
 * request after the answer to the previous one; the round ends when HBase has acknowledged all
 * points. (With {@code ?sync} every request would wait for the flush interval.)
 */
final class HttpWay extends StoreWay {
  private final RawLoad load;
  private final int batch;
  private final int connections;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private List<byte[]> requests = List.of();
  private long target;

  HttpWay(Servers servers, RawLoad load, int batch, int connections) {
    super(servers, servers.stock(), "HTTP put of " + batch + ", " + connections + " connections");
    this.load = load;
    this.batch = batch;
    this.connections = connections;
  }

  @Override
  void prepare() {
    requests = load.requests(batch);
    target = stored() + load.points();
    next.set(0);
  }

  @Override
  void start() {
    for (int i = 0; i < connections; i++) {
      Thread thread = new Thread(this::send, "put-" + i);
      thread.start();
      threads.add(thread);
    }
  }

  private void send() {
    try (PutConnection connection = new PutConnection(tsd().port())) {
      for (int i = next.getAndIncrement(); i < requests.size(); i = next.getAndIncrement()) {
        connection.put(requests.get(i));
      }
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    }
  }

  @Override
  boolean isDone() {
    if (failure.get() != null) {
      throw new IllegalStateException("a put failed", failure.get());
    }
    return next.get() >= requests.size() && stored() >= target;
  }

  @Override
  void stop() {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.clear();
    requests = List.of();
  }

  private long stored() {
    return tsd().client().get("plugin/stock").path("putStored").asLong();
  }
}
