package io.tsdbsuite.ingest;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.ingest.http.Endpoints;
import io.tsdbsuite.ingest.http.Endpoints.Response;
import io.tsdbsuite.ingest.http.WritePermission;
import io.tsdbsuite.metrics.HttpEndpointPlugin;
import io.tsdbsuite.metrics.PrometheusStats;
import io.tsdbsuite.metrics.plugin.PluginVersion;
import java.io.IOException;
import net.opentsdb.core.TSDB;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;

/** Serves {@code /plugin/kafka-ingest/}; configured in {@code tsd.http.rpc.plugins}. */
public final class KafkaIngestHttpPlugin extends HttpEndpointPlugin {
  private static final String METRICS = "metrics";

  private final ObjectMapper mapper = new ObjectMapper();

  /** Called by the TSD. */
  public KafkaIngestHttpPlugin() {
    super("kafka-ingest", PluginVersion.of(KafkaIngestHttpPlugin.class));
  }

  @Override
  protected void respond(TSDB tsdb, HttpRpcPluginQuery query, String endpoint) throws IOException {
    IngestService service = IngestService.of(tsdb);
    if (endpoint.equals(METRICS) && query.method().equals(HttpMethod.GET)) {
      sendMetrics(query, metrics(tsdb));
      return;
    }
    Response response;
    if (service == null) {
      response =
          Response.error(503, "tsd.rpc.plugins must name " + KafkaIngestPlugin.class.getName());
    } else if (!query.method().equals(HttpMethod.GET)
        && !WritePermission.has(tsdb, query.channel())) {
      response = Response.error(401, "the user must be allowed to write over HTTP (HTTP_PUT)");
    } else {
      response =
          new Endpoints(
                  service.groups,
                  PluginVersion.of(KafkaIngestHttpPlugin.class),
                  service.ratesChange)
              .respond(
                  query.method().getName(),
                  endpoint,
                  query.getQueryString(),
                  query.request().headers()::get);
    }
    query.sendBuffer(
        HttpResponseStatus.valueOf(response.status),
        ChannelBuffers.wrappedBuffer(mapper.writeValueAsBytes(response.body)),
        "application/json; charset=UTF-8");
  }

  /** The statistics of all classes of the plugin, of which the publisher may be alone. */
  static PrometheusStats metrics(TSDB tsdb) {
    PrometheusStats stats = new PrometheusStats(IngestMetrics.CATALOG);
    IngestStats.collectAll(tsdb, stats);
    return stats;
  }
}
