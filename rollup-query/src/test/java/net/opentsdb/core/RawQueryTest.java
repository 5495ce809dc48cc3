package net.opentsdb.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.junit.jupiter.api.Test;

class RawQueryTest {
  /** It connects when it is first asked. */
  private static final HBaseClient CLIENT = new HBaseClient("127.0.0.1:1");

  /** Estimates are kept by it, of thousands of queries. */
  @Test
  void aSelectionIsShortHoweverLongTheQueryIs() throws Exception {
    List<String> tsuids = new ArrayList<>(Collections.nCopies(10_000, "000001000001000001"));
    String all = selection(tsuids);
    assertThat(all).hasSizeLessThan(100).isEqualTo(selection(tsuids));
    tsuids.set(5_000, "000001000001000002");
    assertThat(selection(tsuids)).isNotEqualTo(all);
  }

  private static String selection(List<String> tsuids) throws Exception {
    TSSubQuery sub = new TSSubQuery();
    sub.setAggregator("sum");
    sub.setTsuids(new ArrayList<>(tsuids));
    TSQuery query = new TSQuery();
    query.setStart("1763510400");
    query.setEnd("1763514000");
    query.setQueries(new ArrayList<>(List.of(sub)));
    query.validateAndSetQuery();
    TSDB tsdb = new TSDB(CLIENT, new Config(false));
    return RawQuery.of(tsdb, query, 0).join().selection();
  }
}
