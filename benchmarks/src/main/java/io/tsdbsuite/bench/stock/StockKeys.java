package io.tsdbsuite.bench.stock;

/** What opentsdb.conf says of the stock way; usable without the TSD's classes. */
public final class StockKeys {
  /** For {@code tsd.http.rpc.plugins}. */
  public static final String PLUGIN = "io.tsdbsuite.bench.stock.StockWayPlugin";

  /** Kafka's {@code bootstrap.servers}. */
  public static final String BROKERS = "stock.brokers";

  /** The topic to read. */
  public static final String TOPIC = "stock.topic";

  /** Consumers. */
  public static final String THREADS = "stock.threads";

  /** Messages per second. */
  public static final String RATE = "stock.rate";

  private StockKeys() {}
}
