package io.tsdbsuite.query.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.opentsdb.core.Aggregators;

/** Random bodies of /api/query over the series of {@link RandomQueriesIT}. */
final class RandomQueries {
  private static final String[] AGGREGATORS = {
    "sum",
    "sum",
    "avg",
    "min",
    "max",
    "zimsum",
    "mimmin",
    "mimmax",
    "count",
    "dev",
    "none",
    "none",
    "p95",
    "first",
    "last",
    "pfsum",
    "squareSum",
    "median",
    "diff"
  };
  private static final String[] FUNCTIONS = {
    "sum",
    "avg",
    "avg",
    "min",
    "max",
    "count",
    "zimsum",
    "pfsum",
    "mimmin",
    "mimmax",
    "sum",
    "avg",
    "dev",
    "first",
    "last",
    "median",
    "p99",
    "p50",
    "first",
    "last",
    "p999",
    "squareSum"
  };

  /** All that OpenTSDB has, also those that few use; {@code none} is no function. */
  private static final String[] ALL =
      Aggregators.set().stream()
          .filter(name -> !name.equals("none"))
          .sorted()
          .toArray(String[]::new);

  private static final String[] INTERVALS = {
    "5m",
    "10m",
    "15m",
    "20m",
    "30m",
    "1h",
    "1h",
    "2h",
    "3h",
    "5h",
    "6h",
    "6h",
    "12h",
    "1d",
    "1d",
    "2d",
    "3d",
    "7d",
    "1w",
    "2w",
    "1n",
    "2n",
    "30d",
    "1y",
    "90m",
    "3600s",
    "7000s",
    "0all",
    "0all",
    "86400000ms"
  };
  private static final String[] FILLS = {"", "", "-none", "-nan", "-null", "-zero"};
  private static final String[] ZONES = {
    "UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York", "Asia/Kathmandu"
  };
  private static final String[] FILTERS = {
    "{'type':'wildcard','tagk':'host','filter':'*','groupBy':true}",
    "{'type':'wildcard','tagk':'host','filter':'h*1','groupBy':%b}",
    "{'type':'literal_or','tagk':'host','filter':'h0|h3|h5','groupBy':%b}",
    "{'type':'literal_or','tagk':'dc','filter':'d0','groupBy':%b}",
    "{'type':'not_literal_or','tagk':'host','filter':'h1','groupBy':%b}",
    "{'type':'regexp','tagk':'host','filter':'h[0-4]','groupBy':%b}",
    "{'type':'iwildcard','tagk':'dc','filter':'D*','groupBy':%b}",
    "{'type':'iliteral_or','tagk':'dc','filter':'D1','groupBy':%b}",
    "{'type':'wildcard','tagk':'rack','filter':'*','groupBy':%b}"
  };

  private final Random random;
  private final long from;
  private final long to;
  private final List<String> tsuids;

  /**
   * @param from of the points, milliseconds
   * @param to of the points, milliseconds
   * @param tsuids of the series
   */
  RandomQueries(Random random, long from, long to, List<String> tsuids) {
    this.random = random;
    this.from = from;
    this.to = to;
    this.tsuids = tsuids;
  }

  String next() {
    StringBuilder json = new StringBuilder("{");
    long margin = 3 * 86_400_000L;
    long length = (long) Math.pow(10, 6.3 + 3.3 * random.nextDouble());
    long start = time(from - margin + (long) (random.nextDouble() * (to - from + margin)));
    long end = Math.max(start + 1000, time(start + length));
    json.append("'start':'").append(start).append("','end':'").append(end).append("'");
    if (random.nextInt(2) == 0) {
      json.append(",'timezone':'").append(pick(ZONES)).append("'");
    }
    if (random.nextInt(6) == 0) {
      json.append(",'useCalendar':true");
    }
    if (random.nextInt(3) == 0) {
      json.append(",'noAnnotations':true");
    }
    json.append(",'queries':[").append(sub());
    if (random.nextInt(5) == 0) {
      json.append(',').append(sub());
    }
    return json.append("]}").toString().replace('\'', '"');
  }

  /** A query for percentiles; the buckets of its calendars do not depend on the first point. */
  static String percentiles(Random random, long from, long to, String metric) {
    RandomQueries queries = new RandomQueries(random, from, to, List.of());
    long start = queries.time(from + (long) (random.nextDouble() * (to - from)));
    long length = (long) Math.pow(10, 6.5 + 2.9 * random.nextDouble());
    String downsample =
        queries.pick(
            "10m", "15m", "30m", "1h", "1h", "90m", "2h", "5h", "6h", "1d", "1d", "7d", "7000s",
            "1hc", "1dc", "1wc", "1nc", "1n");
    String filter =
        queries.pick(
            "",
            "{'type':'wildcard','tagk':'host','filter':'*','groupBy':true}",
            "{'type':'literal_or','tagk':'host','filter':'h0|h1','groupBy':false}");
    String json =
        "{'start':'"
            + start
            + "','end':'"
            + Math.max(start + 1000, queries.time(start + length + 2 * 3_600_000))
            + "','timezone':'"
            + queries.pick(ZONES)
            + "','queries':[{'percentiles':[50,95,99.9],'aggregator':'"
            + queries.pick("sum", "none")
            + "','downsample':'"
            + downsample
            + "-sum','metric':'"
            + metric
            + "','rollupUsage':'"
            + queries.pick("ROLLUP_RAW", "ROLLUP_NOFALLBACK", "ROLLUP_NOFALLBACK")
            + "','explicitTags':"
            + (!filter.isEmpty() && random.nextBoolean())
            + ",'filters':["
            + filter
            + "]}]}";
    return json.replace('\'', '"');
  }

  private long time(long millis) {
    switch (random.nextInt(5)) {
      case 0:
        return millis;
      case 1:
        return millis / 1000 * 1000;
      case 2:
        return millis / 86_400_000 * 86_400_000;
      case 3:
        return millis / 3_600_000 * 3_600_000 - 1;
      default:
        return millis / 3_600_000 * 3_600_000;
    }
  }

  private String sub() {
    StringBuilder json =
        new StringBuilder("{'aggregator':'").append(often(AGGREGATORS)).append("'");
    if (random.nextInt(12) > 0) {
      String interval = pick(INTERVALS);
      String calendar = !interval.equals("0all") && random.nextInt(4) == 0 ? "c" : "";
      json.append(",'downsample':'").append(interval).append(calendar).append('-');
      json.append(often(FUNCTIONS)).append(pick(FILLS)).append("'");
    }
    if (random.nextInt(4) == 0) {
      json.append(",'rate':true");
      if (random.nextBoolean()) {
        json.append(",'rateOptions':{'counter':true,'counterMax':").append(random.nextInt(100_000));
        json.append(",'resetValue':").append(random.nextInt(3) * 5);
        json.append(",'dropResets':").append(random.nextBoolean()).append('}');
      }
    }
    if (random.nextInt(8) == 0) {
      List<String> some = new ArrayList<>();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        some.add("'" + tsuids.get(random.nextInt(tsuids.size())) + "'");
      }
      return json.append(",'tsuids':").append(some).append('}').toString();
    }
    String metric = random.nextInt(15) == 0 ? "odd" : "m";
    json.append(",'metric':'").append(random.nextInt(40) == 0 ? "no.such" : metric).append("'");
    List<String> filters = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      filters.add(String.format(pick(FILTERS), random.nextBoolean()));
    }
    json.append(",'filters':").append(filters);
    if (random.nextInt(5) == 0) {
      json.append(",'explicitTags':true");
    }
    if (random.nextInt(20) == 0) {
      json.append(",'rollupUsage':'").append(pick("ROLLUP_RAW", "ROLLUP_FALLBACK")).append("'");
    }
    return json.append('}').toString();
  }

  private String often(String... of) {
    return random.nextInt(5) == 0 ? pick(ALL) : pick(of);
  }

  private String pick(String... of) {
    return of[random.nextInt(of.length)];
  }
}
