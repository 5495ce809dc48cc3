package io.tsdbsuite.query.http;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Classes and members of OpenTSDB that are no interface for plugins, but that a bridge needs. They
 * are looked up by their names at the start, because another OpenTSDB may lack them: a missing one
 * must not show itself in the middle of a query.
 */
public final class OpenTsdbNames {
  private static final String TSD = "net.opentsdb.tsd.";
  private static final String CORE = "net.opentsdb.core.";
  private static final String DEFERRED = "com.stumbleupon.async.Deferred";

  private final ClassLoader loader;
  private final List<String> missing = new ArrayList<>();

  /** An empty list. */
  public OpenTsdbNames(ClassLoader loader) {
    this.loader = loader;
  }

  /** What the prefix /plugin/rollup-query/ needs to pass requests on. */
  public static OpenTsdbNames passingOn(ClassLoader loader) {
    return new OpenTsdbNames(loader)
        .constructor(
            TSD + "HttpQuery",
            "net.opentsdb.core.TSDB",
            "org.jboss.netty.handler.codec.http.HttpRequest",
            "org.jboss.netty.channel.Channel")
        .method(TSD + "HttpQuery", "getQueryBaseRoute", "java.lang.String")
        .method(TSD + "HttpQuery", "setSerializer", "void")
        .method(TSD + "HttpQuery", "notFound", "void")
        .method(TSD + "HttpQuery", "badRequest", "void", TSD + "BadRequestException")
        .method(TSD + "HttpQuery", "internalError", "void", "java.lang.Exception")
        .method(TSD + "RpcManager", "lookupHttpRpc", TSD + "HttpRpc", "java.lang.String")
        .method(TSD + "HttpRpc", "execute", "void", "net.opentsdb.core.TSDB", TSD + "HttpQuery");
  }

  /** What the way of a query needs. */
  public static OpenTsdbNames queries(ClassLoader loader) {
    String counter = "java.util.concurrent.atomic.AtomicLong";
    return new OpenTsdbNames(loader)
        .method(
            TSD + "QueryRpc",
            "parseQuery",
            "net.opentsdb.core.TSQuery",
            "net.opentsdb.core.TSDB",
            TSD + "HttpQuery",
            "java.util.List")
        .field(TSD + "QueryRpc", "query_success", counter)
        .field(TSD + "QueryRpc", "query_invalid", counter)
        .field(TSD + "QueryRpc", "query_exceptions", counter)
        .field(TSD + "QueryRpc", "query_unauthorized", counter)
        .field(TSD + "QueryRpc", "query_forbidden", counter)
        .method(TSD + "HttpQuery", "explodeAPIPath", "java.lang.String[]")
        .method(TSD + "HttpQuery", "getAPIMethod", "org.jboss.netty.handler.codec.http.HttpMethod")
        .method(TSD + "HttpQuery", "serializer", TSD + "HttpSerializer")
        .method(TSD + "HttpQuery", "sendReply", "void", "org.jboss.netty.buffer.ChannelBuffer")
        .method(
            TSD + "HttpQuery",
            "sendReply",
            "void",
            "org.jboss.netty.handler.codec.http.HttpResponseStatus",
            "byte[]")
        .method(TSD + "HttpSerializer", "parseQueryV1", "net.opentsdb.core.TSQuery")
        .method(
            TSD + "HttpSerializer",
            "formatQueryAsyncV1",
            DEFERRED,
            "net.opentsdb.core.TSQuery",
            "java.util.List",
            "java.util.List")
        .field(TSD + "RpcManager", "http_commands", "com.google.common.collect.ImmutableMap");
  }

  /** What the reading of series needs, and OpenTSDB's own aggregation of them. */
  public static OpenTsdbNames series(ClassLoader loader) {
    String query = CORE + "TsdbQuery";
    String bytes = "byte[]";
    String spec = CORE + "DownsamplingSpecification";
    String rollup = "net.opentsdb.rollup.RollupQuery";
    String map = "org.hbase.async.Bytes.ByteMap";
    return new OpenTsdbNames(loader)
        .constructor(query, CORE + "TSDB")
        .method(query, "configureFromQuery", DEFERRED, CORE + "TSQuery", "int", "boolean")
        .method(query, "configureFromQuery", DEFERRED, CORE + "TSQuery", "int")
        .method(query, "needsSplitting", "boolean")
        .method(query, "isPreAggregate", "boolean")
        .method(query, "isRate", "boolean")
        .method(query, "getScanStartTimeSeconds", "long")
        .method(query, "getScanEndTimeSeconds", "long")
        .method(query, "getScanner", "org.hbase.async.Scanner", "int")
        .method(query, "getAggregator", CORE + "Aggregator")
        .method(query, "getDownsampler", spec)
        .method(query, "getRateOptions", CORE + "RateOptions")
        .method(query, "getQueryIdx", "int")
        .method(query + "$ForTesting", "getRowKeyLiterals", map, query)
        .method(query + "$ForTesting", "getMetric", bytes, query)
        .method(query + "$ForTesting", "getGroupBys", "java.util.ArrayList", query)
        .constructor(query + "$SpanCmp", "short")
        .constructor(CORE + "SplitRollupQuery", CORE + "TSDB", query, DEFERRED)
        .constructor(
            CORE + "SpanGroup",
            CORE + "TSDB",
            "long",
            "long",
            "java.lang.Iterable",
            "boolean",
            CORE + "RateOptions",
            CORE + "Aggregator",
            spec,
            "long",
            "long",
            "int",
            rollup,
            bytes)
        .method(CORE + "SpanGroup", "add", "void", CORE + "Span")
        .constructor(CORE + "Span", CORE + "TSDB")
        .field(CORE + "Span", "tsdb", CORE + "TSDB")
        .field(CORE + "Span", "annotations", "java.util.ArrayList")
        .method(
            CORE + "Span",
            "downsampler",
            CORE + "Downsampler",
            "long",
            "long",
            spec,
            "long",
            "long",
            rollup)
        .constructor(CORE + "Downsampler", CORE + "SeekableView", spec, "long", "long", rollup)
        .constructor(
            CORE + "FillingDownsampler",
            CORE + "SeekableView",
            "long",
            "long",
            spec,
            "long",
            "long",
            rollup)
        .constructor(
            rollup,
            "net.opentsdb.rollup.RollupInterval",
            CORE + "Aggregator",
            "long",
            CORE + "Aggregator")
        .method(CORE + "Span", "addRow", "void", "org.hbase.async.KeyValue")
        .field(CORE + "Span", "rows", "java.util.ArrayList")
        .method(
            CORE + "TSDB",
            "compact",
            "org.hbase.async.KeyValue",
            "java.util.ArrayList",
            "java.util.List",
            "java.util.List")
        .method(CORE + "TSDB", "getQueryByteLimits", "net.opentsdb.query.QueryLimitOverride")
        .constructor(CORE + "HistogramSpan", CORE + "TSDB")
        .method(CORE + "HistogramSpan", "addRow", "void", bytes, "java.util.List")
        .constructor(
            CORE + "HistogramSpanGroup",
            CORE + "TSDB",
            "long",
            "long",
            "java.lang.Iterable",
            CORE + "HistogramAggregation",
            spec,
            "long",
            "long",
            "int",
            "boolean",
            "net.opentsdb.utils.ByteSet")
        .method(CORE + "HistogramSpanGroup", "add", "void", CORE + "HistogramSpan")
        .method(CORE + "RowKey", "metricNameAsync", DEFERRED, CORE + "TSDB", bytes)
        .method(CORE + "Tags", "getTagsAsync", DEFERRED, CORE + "TSDB", bytes)
        .method(CORE + "Tags", "getTagUids", map, bytes)
        .method(CORE + "Tags", "getValueId", bytes, CORE + "TSDB", bytes, bytes);
  }

  /** Needs a constructor with these parameters. */
  public OpenTsdbNames constructor(String type, String... parameters) {
    return need(
        type,
        found -> {
          for (Constructor<?> each : found.getDeclaredConstructors()) {
            if (hasParameters(each, parameters)) {
              return true;
            }
          }
          return false;
        },
        type + "(" + String.join(", ", parameters) + ")");
  }

  /** Needs a method with this result and these parameters, declared by the class itself. */
  public OpenTsdbNames method(String type, String name, String result, String... parameters) {
    return need(
        type,
        found -> {
          for (Method each : found.getDeclaredMethods()) {
            if (each.getName().equals(name)
                && result.equals(each.getReturnType().getCanonicalName())
                && hasParameters(each, parameters)) {
              return true;
            }
          }
          return false;
        },
        type + "." + name + "(" + String.join(", ", parameters) + ")");
  }

  /** Needs a field of this type, declared by the class itself. */
  public OpenTsdbNames field(String type, String name, String fieldType) {
    return need(
        type,
        found -> {
          for (Field each : found.getDeclaredFields()) {
            if (each.getName().equals(name)
                && fieldType.equals(each.getType().getCanonicalName())) {
              return true;
            }
          }
          return false;
        },
        type + "." + name);
  }

  /** The names that this OpenTSDB lacks. */
  public List<String> missing() {
    return missing;
  }

  private OpenTsdbNames need(String type, Predicate<Class<?>> member, String name) {
    try {
      if (!member.test(Class.forName(type, false, loader))) {
        missing.add(name);
      }
    } catch (ClassNotFoundException | LinkageError e) {
      // A class that the member refers to may be the one that is missing.
      String absent = e instanceof ClassNotFoundException ? type : name + " (" + e + ")";
      if (!missing.contains(absent)) {
        missing.add(absent);
      }
    }
    return this;
  }

  private static boolean hasParameters(Executable executable, String... parameters) {
    String[] found =
        Arrays.stream(executable.getParameterTypes())
            .map(Class::getCanonicalName)
            .toArray(String[]::new);
    return Arrays.equals(found, parameters);
  }
}
