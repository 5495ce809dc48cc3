package io.tsdbsuite.ingest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.http.Endpoints;
import io.tsdbsuite.ingest.http.Response;
import io.tsdbsuite.ingest.http.WritePermission;
import io.tsdbsuite.metrics.PrometheusStats;
import java.io.IOException;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.tsd.HttpRpcPlugin;
import net.opentsdb.tsd.HttpRpcPluginQuery;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/** Serves {@code /plugin/kafka-ingest/}; configured in {@code tsd.http.rpc.plugins}. */
public final class KafkaIngestHttpPlugin extends HttpRpcPlugin {
  private static final String PATH = "kafka-ingest";
  private static final String METRICS = "metrics";

  private final ObjectMapper mapper = new ObjectMapper();

  /** Called by the TSD. */
  public KafkaIngestHttpPlugin() {}

  @Override
  public void initialize(TSDB tsdb) {
    // Requests bring everything that is needed.
  }

  @Override
  public Deferred<Object> shutdown() {
    return Deferred.fromResult(null);
  }

  @Override
  public String version() {
    return PluginVersion.get();
  }

  @Override
  public void collectStats(StatsCollector collector) {
    // KafkaIngestPlugin reports all statistics.
  }

  @Override
  public String getPath() {
    return PATH;
  }

  @Override
  public void execute(TSDB tsdb, HttpRpcPluginQuery query) throws IOException {
    String[] path = query.explodePath();
    String endpoint = path.length > 2 ? path[2] : "";
    IngestService service = IngestService.of(tsdb);
    if (endpoint.equals(METRICS) && query.method().equals(HttpMethod.GET)) {
      query.sendBuffer(
          HttpResponseStatus.OK,
          ChannelBuffers.wrappedBuffer(metrics(tsdb, service)),
          PrometheusStats.CONTENT_TYPE);
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
          new Endpoints(service.groups(), PluginVersion.get(), service.ratesChange())
              .respond(
                  query.method().getName(),
                  endpoint,
                  query.getQueryString(),
                  query.request().headers()::get);
    }
    query.sendBuffer(
        HttpResponseStatus.valueOf(response.status()),
        ChannelBuffers.wrappedBuffer(mapper.writeValueAsBytes(response.body())),
        "application/json; charset=UTF-8");
  }

  private static byte[] metrics(TSDB tsdb, @Nullable IngestService service) {
    PrometheusStats stats = new PrometheusStats(IngestMetrics.CATALOG);
    if (service != null) {
      IngestStats.collect(service.groups(), stats);
      IngestStats.collect(service.otherWidths(), stats);
    }
    // The storage exception handler and the publisher, which may be alone.
    tsdb.collectStats(stats);
    return stats.text();
  }
}
