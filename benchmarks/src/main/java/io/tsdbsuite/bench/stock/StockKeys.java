package io.tsdbsuite.bench.stock;

/** Keys of opentsdb.conf for the stock plugin; usable without the TSD's classes. */
public final class StockKeys {
  /** Class name for {@code tsd.http.rpc.plugins}. */
  public static final String PLUGIN = "io.tsdbsuite.bench.stock.StockWayPlugin";

  /** Kafka's {@code bootstrap.servers}. */
  public static final String BROKERS = "stock.brokers";

  /** The topic to read. */
  public static final String TOPIC = "stock.topic";

  /** Number of consumers. */
  public static final String THREADS = "stock.threads";

  /** Rate limit, messages per second. */
  public static final String RATE = "stock.rate";

  private StockKeys() {}
}
