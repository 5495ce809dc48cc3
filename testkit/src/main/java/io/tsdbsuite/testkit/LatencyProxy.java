package io.tsdbsuite.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A proxy for a server on loopback that delivers each answer later, like a server far away. It
 * keeps the client's connections, and any number of requests wait at the same time. It ends with
 * this JVM.
 */
public final class LatencyProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  private static final Chunk END = new Chunk(0, new byte[0]);

  private final ServerSocket listener;
  private final int port;
  private final long latencyNanos;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "latency-proxy");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Bytes of the server.
   *
   * @param due when the client gets them, of {@link System#nanoTime}
   */
  private record Chunk(long due, byte[] bytes) {}

  private LatencyProxy(ServerSocket listener, int port, Duration latency) {
    this.listener = listener;
    this.port = port;
    this.latencyNanos = latency.toNanos();
  }

  /**
   * Starts a proxy.
   *
   * @param port of the server on loopback
   * @param latency time by which the server's bytes come later
   * @return the running proxy
   */
  public static LatencyProxy start(int port, Duration latency) {
    try {
      ServerSocket listener = new ServerSocket();
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next()));
      LatencyProxy proxy = new LatencyProxy(listener, port, latency);
      proxy.threads.execute(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The port for clients.
   *
   * @return a port on loopback
   */
  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        connect(listener.accept());
      } catch (IOException e) {
        // The proxy was closed.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    Socket server;
    try {
      server = new Socket(InetAddress.getLoopbackAddress(), port);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    } catch (IOException e) {
      // The server is away: the client sees a broken connection.
      client.close();
      return;
    }
    BlockingQueue<Chunk> answers = new LinkedBlockingQueue<>();
    threads.execute(() -> request(client, server));
    threads.execute(() -> receive(server, answers));
    threads.execute(() -> answer(answers, client));
  }

  private static void request(Socket client, Socket server) {
    try (server) {
      InputStream in = client.getInputStream();
      OutputStream out = server.getOutputStream();
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        out.write(buffer, 0, count);
        out.flush();
      }
    } catch (IOException e) {
      // The client or the server closed the connection.
    }
  }

  private void receive(Socket server, BlockingQueue<Chunk> answers) {
    try {
      try (server) {
        InputStream in = server.getInputStream();
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          answers.put(new Chunk(System.nanoTime() + latencyNanos, Arrays.copyOf(buffer, count)));
        }
      } catch (IOException e) {
        // The client gets the end of the connection.
      }
      answers.put(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(BlockingQueue<Chunk> answers, Socket client) {
    try (client) {
      OutputStream out = client.getOutputStream();
      for (Chunk chunk = answers.take(); !chunk.equals(END); chunk = answers.take()) {
        TimeUnit.NANOSECONDS.sleep(chunk.due - System.nanoTime());
        out.write(chunk.bytes);
        out.flush();
      }
    } catch (IOException e) {
      // The client closed the connection.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
