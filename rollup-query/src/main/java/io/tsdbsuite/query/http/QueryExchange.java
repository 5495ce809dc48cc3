package io.tsdbsuite.query.http;

import com.stumbleupon.async.Deferred;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.TSQuery;
import net.opentsdb.meta.Annotation;
import net.opentsdb.stats.QueryStats;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.channel.Channel;

/** One request for a query and its answer, in the words of OpenTSDB's own HTTP classes. */
public interface QueryExchange {
  /** The query, validated. */
  TSQuery query();

  /** The client's connection. */
  Channel channel();

  /** The client's address and port. */
  String remoteAddress();

  /** The headers of the request; the cookie is masked. */
  Map<String, String> headers();

  /** Sets the statistics that the answer updates when it is sent. */
  void setStats(QueryStats stats);

  /** Computes the expressions of {@code gexp}; the results themselves if there are none. */
  List<DataPoints[]> evaluate(List<DataPoints[]> results);

  /** The body of the answer. */
  Deferred<ChannelBuffer> format(List<DataPoints[]> results, List<Annotation> globals)
      throws Exception;

  /** Adds a header to the answer. */
  void header(String name, String value);

  /** Sends the answer. */
  void send(ChannelBuffer body);

  /** Sends the error that OpenTSDB sends for this failure, or that of a stopped query. */
  void fail(Throwable failure);
}
