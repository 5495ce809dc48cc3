package io.tsdbsuite.query.it;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What clients send, and what they send by mistake. Paths are without the first slash. */
final class Requests {
  /** The hours with points, seconds since the epoch. */
  static final long START = 1763510400;

  static final long END = START + 3 * 3600;

  /** The domain that the TSDs allow. */
  static final String ORIGIN = "http://grafana.example";

  private static final String CLOSE = "Connection: close";
  private static final String JSON = "Content-Type: application/json";
  private static final String RANGE = "start=" + START + "&end=" + END;
  private static final String Q = "api/query?" + RANGE;

  /** One request. */
  record Request(String method, String path, List<String> headers, byte[] body) {
    @Override
    public String toString() {
      return method + " /" + path + " " + headers + " " + new String(body, StandardCharsets.UTF_8);
    }
  }

  private final List<Request> all = new ArrayList<>();

  private Requests() {}

  static List<Request> all() {
    Requests requests = new Requests();
    requests.uri();
    requests.bodies();
    requests.percentiles();
    requests.clients();
    requests.errorsInUris();
    requests.errorsInBodies();
    requests.versionsAndPaths();
    requests.methods();
    requests.expressions();
    requests.passedOn();
    return requests.all;
  }

  private void get(String path, String... headers) {
    add("GET", path, "", headers);
  }

  private void post(String path, String body, String... headers) {
    List<String> with = new ArrayList<>(List.of(headers));
    with.add(JSON);
    add("POST", path, body.replace('\'', '"'), with.toArray(String[]::new));
  }

  private void add(String method, String path, String body, String... headers) {
    List<String> with = new ArrayList<>(List.of(headers));
    if (!with.contains("Connection: keep-alive")) {
      with.add(CLOSE);
    }
    all.add(new Request(method, path, with, body.getBytes(StandardCharsets.UTF_8)));
  }

  private static String query(String rest) {
    return "{'start':" + START + ",'end':" + END + "," + rest + "}";
  }

  private static String sub(String rest) {
    return query("'queries':[{'aggregator':'sum','metric':'q.cpu'" + rest + "}]");
  }

  private void uri() {
    get(Q + "&m=sum:q.cpu");
    get(Q + "&m=sum:1h-avg:q.cpu");
    get(Q + "&m=sum:1h-avg:q.cpu", "Connection: keep-alive");
    get(Q + "&m=avg:10m-sum-zero:q.cpu{host=*}");
    get(Q + "&m=none:q.cpu{host=a}");
    get(Q + "&m=sum:1h-count:q.cpu{host=literal_or(a|b)}{dc=wildcard(*)}");
    get(Q + "&m=sum:rate:q.cpu{host=a}");
    get(Q + "&m=sum:rate{counter,100,5}:10m-max:q.cpu");
    get(Q + "&m=sum:rate{dropcounter,,}:q.cpu{host=b}");
    get(Q + "&m=sum:explicit_tags:q.cpu{host=a}");
    get(Q + "&m=sum:rollup_raw:1h-sum:q.cpu");
    get(Q + "&m=sum:0all-max:q.cpu");
    get(Q + "&m=p99:30m-p95:q.cpu");
    get(Q + "&m=sum:q.cpu{host=a}&m=max:q.cpu{host=b}&m=sum:q.cpu{host=a}");
    get(Q + "&m=sum:1h-avg:q.cpu&arrays");
    get(Q + "&m=sum:1h-avg:q.cpu&arrays=true&ms=true");
    get(Q + "&m=sum:1h-avg:q.cpu&ms");
    get(Q + "&m=sum:1h-avg:q.cpu&show_tsuids&show_query");
    get(Q + "&m=sum:1h-avg:q.cpu&show_stats&show_summary");
    get(Q + "&m=sum:1h-avg:q.cpu&jsonp=callback");
    get(Q + "&m=sum:1h-avg:q.cpu&jsonp=");
    get(Q + "&m=sum:1h-avg:q.cpu&global_annotations");
    get(Q + "&m=sum:1h-avg:q.cpu&no_annotations&global_annotations");
    get(Q + "&m=sum:q.cpu&padding");
    get(Q + "&m=sum:1h-avg-nan:q.gap");
    get(Q + "&m=sum:10m-avg-null:q.gap&arrays");
    get(Q + "&tsuid=sum:000001000001000001");
    get(Q + "&tsuid=sum:1h-avg:000001000001000001,000001000001000003");
    get("api/query?start=2025/11/19-00:00:00&end=2025/11/19-03:00:00&m=sum:1h-sum:q.cpu");
    get("api/query?start=" + START + "000&end=" + END + "000&m=sum:1h-sum:q.cpu&ms");
    get("api/query?start=1h-ago&m=sum:1m-avg:q.cpu");
    get(Q + "&m=sum:1h-avg:q.cpu&serializer=json");
  }

  private void bodies() {
    post("api/query", sub(""));
    post("api/query", sub(",'downsample':'1h-avg','tags':{'host':'*'}"));
    post("api/query", sub(",'tags':{'host':'a|b'}"));
    String filter = "'filters':[{'type':'%s','tagk':'host','filter':'%s','groupBy':%s}]";
    for (String type : List.of("wildcard", "regexp", "not_literal_or", "iliteral_or")) {
      String value = type.equals("regexp") ? "a|b" : type.equals("wildcard") ? "*" : "a|b";
      post("api/query", sub("," + String.format(filter, type, value, "true")));
      post("api/query", sub(",'downsample':'1h-sum'," + String.format(filter, type, value, false)));
    }
    post("api/query", sub(",'rate':true,'rateOptions':{'counter':true,'dropResets':true}"));
    post("api/query", sub(",'downsample':'1dc-sum'"));
    post(
        "api/query",
        query(
            "'timezone':'Europe/Berlin','useCalendar':true,"
                + "'queries':[{'aggregator':'sum','metric':'q.cpu','downsample':'1d-sum'}]"));
    post("api/query", sub(",'rollupUsage':'ROLLUP_RAW','downsample':'1h-sum'"));
    post(
        "api/query",
        sub(",'downsample':'1h-sum'")
            .replace(
                "'queries'",
                "'showSummary':true,"
                    + "'showStats':true,'showQuery':true,'showTSUIDs':true,'msResolution':true,'queries'"));
    post("api/query", sub(",'unknown':1").replace("'queries'", "'other':{},'queries'"));
    post("api/query", sub(",'percentiles':[50,99]").replace("q.cpu", "q.histogram"));
    post("api/query", sub(",'showHistogramBuckets':true").replace("q.cpu", "q.histogram"));
    post(
        "api/query",
        query(
            "'queries':[{'aggregator':'sum','metric':'q.histogram',"
                + "'percentiles':[99]},{'aggregator':'sum','metric':'q.cpu'}]"));
    post(
        "api/query",
        sub("")
            .replace(
                "'sum','metric':'q.cpu'",
                "'sum','tsuids':" + "['000001000001000001','000001000001000003']"));
    // The metric has no name.
    post(
        "api/query",
        sub(",'downsample':'1h-sum'")
            .replace("'sum','metric':'q.cpu'", "'sum','tsuids':['FFFFFE000001000001']"));
    post("api/query?arrays=true", sub(",'downsample':'1h-sum'"), "Accept-Encoding: gzip");
    post("api/query", sub(""), "Accept-Encoding: gzip, deflate", "Connection: keep-alive");
    add("POST", "api/query", sub("").replace('\'', '"'));
    add(
        "POST",
        "api/query",
        sub("").replace('\'', '"'),
        "Content-Type: text/plain; charset=ISO-8859-1");
    String chunk = sub("").replace('\'', '"');
    add(
        "POST",
        "api/query",
        Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n0\r\n\r\n",
        JSON,
        "Transfer-Encoding: chunked");
  }

  /** Percentiles, first and last of a metric that has rollups of them. */
  private void percentiles() {
    get(Q + "&m=none:1h-p99:q.latency");
    get(Q + "&m=sum:1h-p99:q.latency&arrays&ms");
    get(Q + "&m=avg:60m-p50-zero:q.latency{host=*}");
    get(Q + "&m=p95:1h-p50:q.latency");
    get(Q + "&m=sum:rate:1h-p99:q.latency");
    get(Q + "&m=sum:2h-p99:q.latency");
    get(Q + "&m=sum:0all-p99:q.latency&m=sum:0all-first:q.latency&m=sum:0all-last:q.latency");
    get(Q + "&m=sum:1h-first:q.latency{host=a}&m=max:1h-last:q.latency&m=sum:1h-p75:q.latency");
    get(Q + "&m=none:3h-first-nan:q.latency&m=none:2h-last:q.latency");
    get(Q + "&m=sum:1h-max:q.latency&m=sum:1h-avg:q.latency&m=sum:rollup_raw:1h-p99:q.latency");
    String cut = "api/query?start=" + (START + 1800) + "&end=" + (END - 1800);
    get(cut + "&m=none:1h-p99:q.latency&m=none:1h-first:q.latency&m=none:1h-last:q.latency");
    get(cut + "&m=none:0all-first:q.latency&m=none:0all-last:q.latency");
    for (String zone : List.of("Europe/Berlin", "Asia/Kolkata")) {
      post(
          "api/query",
          query(
              "'timezone':'"
                  + zone
                  + "','useCalendar':true,'queries':[{'aggregator':'sum','metric':'q.latency',"
                  + "'downsample':'1h-p99'},{'aggregator':'none','metric':'q.latency',"
                  + "'downsample':'1h-first'}]"));
    }
    get(
        "api/query/gexp?"
            + RANGE
            + "&exp=scale(sum:1h-p99:q.latency,10)&exp=absolute(max:1h-last:q.latency)");
  }

  private void clients() {
    // Grafana's browser part, 2.3.
    post(
        "api/query",
        query(
            "'msResolution':false,'globalAnnotations':true,'showQuery':true,"
                + "'queries':[{'metric':'q.cpu','aggregator':'avg','downsample':'10m-avg',"
                + "'filters':[{'type':'literal_or','tagk':'host','filter':'a','groupBy':true}]},"
                + "{'metric':'q.gap','aggregator':'sum','downsample':'6h-max-zero','rate':true,"
                + "'rateOptions':{'counter':false}}]"),
        "Origin: " + ORIGIN,
        "Accept: application/json, text/plain, */*");
    // Its alerts, 2.4.
    post(
        "api/query?arrays=true",
        query(
                "'queries':[{'metric':'q.cpu','aggregator':'sum',"
                    + "'downsample':'1h-avg','rate':false,'tags':{}}]")
            .replace(END + "", END + "000")
            .replace(START + "", START + "000"),
        "Accept-Encoding: gzip",
        "User-Agent: Grafana/11.2");
    // Of 2.3, without arrays.
    post(
        "api/query",
        query(
                "'queries':[{'metric':'q.cpu','aggregator':'avg','downsample':'5m-max-null',"
                    + "'rate':true,'rateOptions':{'counter':true,'counterMax':1000,'resetValue':10,"
                    + "'dropResets':false},'explicitTags':true,'filters':[{'type':'wildcard',"
                    + "'tagk':'host','filter':'*','groupBy':true},{'type':'literal_or',"
                    + "'tagk':'dc','filter':'x','groupBy':false}]}]")
            .replace(END + "", END + "000")
            .replace(START + "", START + "000"),
        "Accept-Encoding: gzip",
        "User-Agent: Grafana/10.4");
    // Its browser part: a relative time has no end; milliseconds; several sub-queries of which one
    // has no points.
    post(
        "api/query",
        "{'start':'6h-ago','queries':[{'metric':'q.cpu','aggregator':'sum','downsample':'500ms-avg',"
            + "'tags':{'host':'*'}}],'msResolution':true,'globalAnnotations':true,'showQuery':true}",
        "Accept: application/json, text/plain, */*");
    post(
        "api/query",
        "{'start':"
            + START
            + "000,'queries':[{'metric':'q.cpu','aggregator':'none','downsample':'1w-sum',"
            + "'tags':{'host':'a|b'}},{'metric':'q.cpu','aggregator':'dev','downsample':'30d-avg',"
            + "'rate':true,'rateOptions':{'counter':true,'dropResets':true}},{'metric':'q.gap',"
            + "'aggregator':'count','filters':[{'type':'iwildcard','tagk':'host','filter':'B*',"
            + "'groupBy':true}]}],'msResolution':true,'globalAnnotations':true,'showQuery':true,"
            + "'end':"
            + END
            + "000}");
    // Its editor and variables.
    get("api/suggest?type=metrics&q=cpu&max=1000");
    get("api/suggest?type=tagv&q=&max=1000");
    get("api/search/lookup?m=q.cpu{host=*,dc=x}&limit=1000");
    get("api/search/lookup?m=q.cpu&limit=1000");
    // Its annotations.
    post(
        "api/query",
        query("'globalAnnotations':true,'queries':" + "[{'aggregator':'sum','metric':'q.cpu'}]"));
    // Bosun.
    post(
        "api/query",
        "{'start':'2025/11/19-00:00:00','end':'2025/11/19-03:00:00','queries':"
            + "[{'aggregator':'max','metric':'q.cpu','rate':false,'rateOptions':{},"
            + "'downsample':'487s-avg','tags':{'host':'*'}}]}",
        "User-Agent: Bosun");
    post(
        "api/query",
        query(
            "'queries':[{'aggregator':'avg','metric':'q.cpu','rate':true,'rateOptions':"
                + "{'counter':true,'counterMax':100,'resetValue':1},'downsample':'15m-sum-zero',"
                + "'filters':[{'type':'literal_or','tagk':'host','filter':'a|b','groupBy':true}],"
                + "'tags':{}}]"),
        "User-Agent: Bosun");
    // vmctl.
    get(
        Q + "&m=sum:1m-avg-none:q.cpu{host=a,dc=x}",
        "User-Agent: Go-http-client/1.1",
        "Accept-Encoding: gzip");
  }

  private void errorsInUris() {
    get("api/query");
    get("api/query?m=sum:q.cpu");
    get(Q);
    get(Q + "&m=");
    get(Q + "&m=sum");
    get(Q + "&m=sum:a:b:c:d:e");
    get(Q + "&m=nope:q.cpu");
    get(Q + "&m=sum:q.unknown");
    get(Q + "&m=sum:q.unknown&global_annotations");
    get(Q + "&m=sum:q.cpu{host=unknown}");
    get(Q + "&m=sum:q.cpu{nohost=a}");
    get(Q + "&m=sum:q.cpu{host=}");
    get(Q + "&m=sum:q.cpu{host");
    get(Q + "&m=sum:q.cpu{host=not_key()}");
    get(Q + "&m=sum:q.cpu{host=nofilter(a)}");
    get(Q + "&m=sum:1h:q.cpu");
    get(Q + "&m=sum:1h-nope:q.cpu");
    get(Q + "&m=sum:1x-avg:q.cpu");
    get(Q + "&m=sum:rate{counter,x}:q.cpu");
    get(Q + "&m=sum:percentiles[200]:q.cpu");
    get(Q + "&m=sum:percentiles[x]:q.cpu");
    get(Q + "&m=sum:pre-agg:q.cpu");
    get(Q + "&tsuid=sum:zz");
    get(Q + "&tsuid=sum:000009000001000001");
    get(Q + "&tsuid=sum:000001000001000001,000002000001000001");
    get("api/query?start=x&m=sum:q.cpu");
    get("api/query?start=" + END + "&end=" + START + "&m=sum:q.cpu");
    get(Q + "&m=sum:q.cpu&serializer=nope");
    get(Q + "&m=sum:q.cpu&method_override=nope");
    get(Q + "&m=sum:q.cpu&method_override=delete");
  }

  private void errorsInBodies() {
    post("api/query", "");
    post("api/query", "{");
    post("api/query", "null");
    post("api/query", "[]");
    post("api/query", "not json");
    post("api/query", "{}");
    post("api/query", query("'queries':[]"));
    post("api/query", query("'queries':[null]"));
    post("api/query", query("'queries':[{}]"));
    post("api/query", query("'queries':{}"));
    post("api/query", sub("").replace("'sum'", "'nope'"));
    post("api/query", sub(",'downsample':'nope'"));
    post("api/query", sub(",'rollupUsage':'nope'"));
    post("api/query", sub(",'filters':[{'type':'nope','tagk':'host','filter':'a'}]"));
    post("api/query", sub(",'filters':[{'type':'regexp','tagk':'host','filter':'('}]"));
    post("api/query", sub(",'percentiles':[50],'downsample':'1h-avg'"));
    post("api/query", sub(",'preAggregate':true"));
    post("api/query", sub("").replace("q.cpu", "q.unknown"));
    post("api/query", sub("").replace("'queries'", "'timezone':'Mars/Base','queries'"));
    post(
        "api/query",
        sub(",'downsample':'1d-sum'").replace("'queries'", "'timezone':'Mars/Base','queries'"));
    post("api/query", sub("").replace("q.cpu", "größe ✓"));
  }

  private void versionsAndPaths() {
    get("api/v1/query?" + RANGE + "&m=sum:1h-avg:q.cpu");
    get("api/v0/query?" + RANGE + "&m=sum:1h-avg:q.cpu");
    get("api/v0/query?" + RANGE + "&m=sum:nope:nope");
    get("api/v2/query?" + RANGE + "&m=sum:1h-avg:q.cpu");
    get("api/vv/query?" + RANGE + "&m=sum:1h-avg:q.cpu");
    get("api/v1x/query?" + RANGE + "&m=sum:1h-avg:q.cpu");
    get("API/Query?" + RANGE + "&m=sum:1h-avg:q.cpu");
    get("api/query/?" + RANGE + "&m=sum:1h-avg:q.cpu");
    get("api/query/other?" + RANGE + "&m=sum:1h-avg:q.cpu");
    post("api/v1/query", sub(",'downsample':'1h-sum'"));
    get("api");
    get("api/v1");
    get("api/nope");
    get("nope");
    get("nope?json");
  }

  private void methods() {
    add("HEAD", Q + "&m=sum:q.cpu", "");
    add("PUT", "api/query", sub("").replace('\'', '"'), JSON);
    add("PATCH", "api/query", "");
    add("DELETE", Q + "&m=sum:q.cpu", "");
    add("DELETE", "api/query", sub("").replace('\'', '"'), JSON);
    add("OPTIONS", "api/query", "", "Origin: " + ORIGIN);
    get(Q + "&m=sum:1h-avg:q.cpu", "Origin: " + ORIGIN);
    get(Q + "&m=nope:1h-avg:q.cpu", "Origin: " + ORIGIN);
    get("api/aggregators", "Origin: " + ORIGIN);
  }

  private void expressions() {
    String gexp = "api/query/gexp?" + RANGE + "&exp=";
    get(gexp + "scale(sum:1h-avg:q.cpu,10)");
    get(gexp + "sumSeries(sum:1h-avg:q.cpu{host=a},sum:1h-avg:q.cpu{host=b})&arrays");
    get(gexp + "absolute(sum:q.cpu{host=*})&exp=scale(max:10m-max:q.gap,2)");
    get("api/v1/query/gexp?" + RANGE + "&exp=movingAverage(sum:q.cpu,5)");
    get(gexp + "nope(sum:q.cpu)");
    get(gexp + "scale(sum:q.unknown,10)");
    get(gexp);
    get("api/query/gexp?" + RANGE + "&m=sum:q.cpu");
    get(Q + "&exp=scale(sum:1h-avg:q.cpu,10)");
    post(
        "api/query/exp",
        "{'time':{'start':'"
            + START
            + "','end':'"
            + END
            + "','aggregator':'sum'},'filters':[{'id':'f','tags':[]}],'metrics':[{'id':'a',"
            + "'metric':'q.cpu','filter':'f','fillPolicy':{'policy':'nan'}}],"
            + "'expressions':[{'id':'e','expr':'a * 2'}],'outputs':[{'id':'e'}]}");
    post("api/query/exp", "{}");
    get("api/query/last?timeseries=q.cpu{host=a,dc=x}&back_scan=24");
    get("api/query/last?tsuids=000001000001000001&resolve=true&back_scan=24");
    get("api/query/last");
    post(
        "api/query/last",
        "{'queries':[{'metric':'q.cpu','tags':{'host':'a','dc':'x'}}],"
            + "'resolveNames':true,'backScan':24}");
    post("api/query/last", "{'queries':[]}");
  }

  private void passedOn() {
    get("api/suggest?type=metrics&q=q.");
    get("api/suggest?type=nope");
    post("api/suggest", "{'type':'tagk','q':'h','max':5}");
    get("api/aggregators");
    get("api/config/filters");
    get("api/version");
    get("api/serializers");
    get("api/search/lookup?m=q.cpu{host=a}&use_meta=false");
    get("api/annotation?start_time=" + (START + 60));
    get("api/uid/uidmeta?uid=000001&type=metric");
    post("api/uid/assign", "{'metric':['not possible!']}");
    get("aggregators");
    get("suggest?type=metrics&q=q.");
    get("q?start=x&m=sum:q.cpu&ascii");
    get("q?start=" + START + "&end=" + END + "&m=sum:1h-avg:q.cpu&ascii&nocache");
    get("s/nope.js");
  }
}
