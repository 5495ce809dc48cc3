package io.tsdbsuite.bench.ingest;

import java.util.Locale;

/**
 * Measured cost of one round.
 *
 * @param units stored units
 * @param seconds time from the start until HBase has acknowledged all data
 * @param tsd CPU of the TSD, seconds
 * @param hbase CPU of HBase, seconds
 * @param kafka CPU of Kafka, seconds
 * @param client CPU of the benchmark itself, which sends the HTTP puts, seconds
 */
record Cost(long units, double seconds, double tsd, double hbase, double kafka, double client) {
  double rate() {
    return units / seconds;
  }

  double tsdPerMillion() {
    return tsd * 1e6 / units;
  }

  double hbasePerMillion() {
    return hbase * 1e6 / units;
  }

  double kafkaPerMillion() {
    return kafka * 1e6 / units;
  }

  double clientPerMillion() {
    return client * 1e6 / units;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%9.0f per second, CPU s of TSD %.1f, HBase %.1f, Kafka %.1f, client %.1f",
        rate(),
        tsd,
        hbase,
        kafka,
        client);
  }
}
