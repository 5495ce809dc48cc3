package io.tsdbsuite.query.page;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.query.http.QueryHistory;
import io.tsdbsuite.query.shadow.ShadowResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import net.opentsdb.utils.JSON;
import org.jspecify.annotations.Nullable;

/** The page: three resources of the jar, and the state that it shows as JSON. */
public final class Page {
  private static final int MAX_METRIC = 1000;

  /** What the page shows beside queries. */
  public interface Sources {
    /** The coverage now. */
    Coverage coverage();

    /** A line for each packed table; empty if there are none. */
    default String packed() {
      return "";
    }

    /** The last shadow checks, the newest first. */
    List<ShadowResult> checks();

    /** The last shadow checks that found a difference, the newest first. */
    List<ShadowResult> differences();
  }

  private final Sources sources;
  private final QueryHistory queries;
  private final CoverageView coverage;
  private final Supplier<String> state;
  private final LongSupplier clock;

  /**
   * @param intervals of the rollup tables
   * @param state what the plugin does, in a sentence
   * @param clock milliseconds since the epoch
   */
  public Page(
      Sources sources,
      QueryHistory queries,
      List<RollupInterval> intervals,
      Supplier<String> state,
      LongSupplier clock) {
    this.sources = sources;
    this.queries = queries;
    this.coverage = new CoverageView(intervals);
    this.state = state;
    this.clock = clock;
  }

  /** Whether a path belongs to the page. */
  public static boolean has(String path) {
    return path.equals("/") || path.startsWith("/ui/");
  }

  /**
   * Why a request of a browser is refused; null if it is not.
   *
   * @param headers returns the value of a header, or null
   */
  public static @Nullable PageAnswer refusal(Function<String, @Nullable String> headers) {
    String refusal = SameSite.refusal(headers);
    return refusal.isEmpty()
        ? null
        : PageAnswer.text(403, "requests of the same site alone: " + refusal + "\n");
  }

  /**
   * Answers a GET.
   *
   * @param path below the plugin's
   * @param metric the parameter of this name; empty if there is none
   * @param headers returns the value of a header, or null
   */
  public PageAnswer get(String path, String metric, Function<String, @Nullable String> headers) {
    switch (path) {
      case "/":
        // A link of another site may lead here: the page itself says nothing.
        return PageAnswer.of("text/html; charset=UTF-8", resource("page.html"));
      case "/ui/page.js":
        return PageAnswer.of("text/javascript; charset=UTF-8", resource("page.js"));
      case "/ui/page.css":
        return PageAnswer.of("text/css; charset=UTF-8", resource("page.css"));
      case "/ui/state":
        PageAnswer refusal = refusal(headers);
        if (refusal != null) {
          return refusal;
        }
        if (metric.length() > MAX_METRIC) {
          return PageAnswer.text(
              400,
              String.format(
                  "metric must have at most %s characters, found %s\n",
                  MAX_METRIC, metric.length()));
        }
        return PageAnswer.of(
            "application/json; charset=UTF-8", JSON.serializeToBytes(fields(metric)));
      default:
        return PageAnswer.text(404, "the page has no " + path + "\n");
    }
  }

  /** What is proven, or why nothing is: a line for each interval. */
  public String coverage() {
    return coverage.text(sources.coverage()) + sources.packed();
  }

  private Map<String, Object> fields(String metric) {
    long now = clock.getAsLong();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("state", state.get());
    fields.put("now", now);
    fields.put("coverage", coverage.fields(sources.coverage(), metric, now));
    fields.put("checks", fields(sources.checks()));
    fields.put("differences", fields(sources.differences()));
    fields.put("heavy", queries.heavy());
    fields.put("refused", queries.refused());
    return fields;
  }

  private static List<Object> fields(List<ShadowResult> results) {
    List<Object> fields = new ArrayList<>();
    results.forEach(each -> fields.add(each.fields()));
    return fields;
  }

  private static byte[] resource(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar has no " + name);
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      byte[] part = new byte[8192];
      for (int read = in.read(part); read >= 0; read = in.read(part)) {
        all.write(part, 0, read);
      }
      return all.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("resource " + name, e);
    }
  }
}
